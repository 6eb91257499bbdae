import { FEED_NUMBER_BOUNDS, FEED_TEXT_BOUNDS } from '@pc/domain/feed/feed-record.ts'
import { FEED_TYPES } from '@pc/domain/feed/feed-type.ts'
import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import { webAddress } from '@pc/platform/http/web-address.ts'
import * as z from 'zod'

const id = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^[\w.:-]{1,100}$/))
const text = (max: number) =>
  z
    .string()
    .max(max)
    .transform(value => value.replaceAll(/[\p{Cc}]+/gu, ' ').trim())
const name = (max: number) => z.string().max(max).transform(withoutHiddenCharacters)
const address = z
  .string()
  .transform(value => (value.trim() === '' ? '' : webAddress(value)))
  .refine(value => value !== undefined, 'must be an address with http or https')
  .transform(value => value ?? '')
const number = ([min, max]: readonly [number, number]) => z.int().min(min).max(max)
const rate = z.int().min(0).max(10_000)
const yen = z.int().min(0)

/** Terms of a publisher on a medium in the staging system, only used to prefill the form. */
const rule = z.object({
  mediumId: id,
  fixedRevenue: yen.default(0),
  minimumRevenue: yen.default(0),
  paymentRate: rate,
  sspPaymentRate: rate.default(0),
  videoSspPaymentRate: rate.default(0),
  liveSspPaymentRate: rate.default(0),
  isTargetForSspAllocation: z.boolean().default(false),
  isTargetForVideoSspAllocation: z.boolean().default(false),
  isTargetForLiveSspAllocation: z.boolean().default(false),
})

/** Fields of a feed besides name and URL. */
const fields = z.object({
  mediumId: id,
  type: z.enum(FEED_TYPES).default('legacy'),
  enabled: z.boolean().optional(),
  shortName: name(FEED_TEXT_BOUNDS.shortName).optional(),
  siteUrl: address.optional(),
  description: text(FEED_TEXT_BOUNDS.description).optional(),
  logoUrl: address.optional(),
  wideLogoUrl: address.optional(),
  bannerUrl: address.optional(),
  relatedLinkNum: number(FEED_NUMBER_BOUNDS.relatedLinkNum).optional(),
  articleExpirationDays: number(FEED_NUMBER_BOUNDS.articleExpirationDays).optional(),
  allowVideo: z.boolean().optional(),
  allowContentBody: z.boolean().optional(),
  ttlMinutes: number(FEED_NUMBER_BOUNDS.ttlMinutes).optional(),
})

/** The file that `npm run db -- import-staging` reads. */
const stagingDocument = z.object({
  publishers: z
    .array(
      z.object({
        id,
        name: name(200).pipe(z.string().min(1)),
        notes: z.string().max(10_000).default(''),
        rules: z.array(rule).max(50).default([]),
      }),
    )
    .max(100_000),
  feeds: z
    .array(
      z.object({
        id,
        publisherId: id,
        name: name(FEED_TEXT_BOUNDS.name).pipe(z.string().min(1)),
        url: address.pipe(z.string().min(1)),
        fields,
      }),
    )
    .max(200_000),
})
export type StagingDocument = z.infer<typeof stagingDocument>
export type StagingRule = z.infer<typeof rule>
export type StagingFeedFields = z.infer<typeof fields>

/** Validates the document. @returns it, or up to 50 problems with their path */
export function readStagingDocument(
  value: unknown,
): { readonly document: StagingDocument } | { readonly problems: readonly string[] } {
  const parsed = stagingDocument.safeParse(value)
  if (!parsed.success) {
    return { problems: parsed.error.issues.slice(0, 50).map(issue => `${issue.path.join('.')}: ${issue.message}`) }
  }
  const { publishers, feeds } = parsed.data
  const known = new Set(publishers.map(publisher => publisher.id))
  const problems = [
    ...twice(publishers.map(publisher => publisher.id)).map(name => `publishers: id ${name} stands twice`),
    ...twice(feeds.map(feed => feed.id)).map(name => `feeds: id ${name} stands twice`),
    ...feeds.filter(feed => !known.has(feed.publisherId)).map(feed => `feeds: ${feed.id} names an unknown publisher`),
  ]
  return problems.length > 0 ? { problems: problems.slice(0, 50) } : { document: parsed.data }
}

function twice(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.filter(name => seen.has(name) || !seen.add(name))
}
