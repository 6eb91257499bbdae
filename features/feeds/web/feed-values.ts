import { checkFeedInput } from '@pc/domain/feed/feed-input.ts'
import { FEED_REFUSALS_JA } from '@pc/domain/feed/feed-refusals.ja.ts'
import type { FeedType } from '@pc/domain/feed/feed-type.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import type { Choice } from '@pc/ui/form/suggest-field.tsx'
import type { FeedFieldsFragment, FeedInput, StagingFeedOptionsQuery } from './feeds.gen.ts'

const TEXTS = { ...FEED_REFUSALS_JA, ...NAME_REFUSALS_JA }

type StagingFeed = NonNullable<StagingFeedOptionsQuery['stagingFeeds']>['nodes'][number]

export interface FeedValues {
  publisherId: Choice | null
  mediumId: string | null
  name: string
  shortName: string
  url: string
  siteUrl: string
  description: string
  type: FeedType
  enabled: boolean
  logoUrl: string | null
  wideLogoUrl: string | null
  bannerUrl: string | null
  relatedLinkNum: number | null
  articleExpirationDays: number | null
  ttlMinutes: number | null
  allowVideo: boolean
  allowContentBody: boolean
  notes: string
  isDeleteFeed: boolean
  isSafeForFirstview: boolean
  availabilityForPromo: boolean
  manuallyFeedScore: number | null
  legacyFeedId: string
}

export const NEW_FEED: FeedValues = {
  publisherId: null,
  mediumId: null,
  name: '',
  shortName: '',
  url: '',
  siteUrl: '',
  description: '',
  type: 'gnf2',
  enabled: true,
  logoUrl: null,
  wideLogoUrl: null,
  bannerUrl: null,
  relatedLinkNum: 3,
  articleExpirationDays: 30,
  ttlMinutes: 15,
  allowVideo: false,
  allowContentBody: true,
  notes: '',
  isDeleteFeed: false,
  isSafeForFirstview: false,
  availabilityForPromo: false,
  manuallyFeedScore: null,
  legacyFeedId: '',
}

export function feedValuesOf(feed: FeedFieldsFragment): FeedValues {
  return {
    publisherId: feed.publisher ? { id: feed.publisher.id, name: feed.publisher.name } : null,
    mediumId: feed.mediumId,
    name: feed.name,
    shortName: feed.shortName,
    url: feed.url,
    siteUrl: feed.siteUrl,
    description: feed.description,
    type: feed.type,
    enabled: feed.enabled,
    logoUrl: feed.logoUrl === '' ? null : feed.logoUrl,
    wideLogoUrl: feed.wideLogoUrl === '' ? null : feed.wideLogoUrl,
    bannerUrl: feed.bannerUrl === '' ? null : feed.bannerUrl,
    relatedLinkNum: feed.relatedLinkNum,
    articleExpirationDays: feed.articleExpirationDays,
    ttlMinutes: feed.ttlMinutes,
    allowVideo: feed.allowVideo,
    allowContentBody: feed.allowContentBody,
    notes: feed.notes ?? '',
    isDeleteFeed: feed.isDeleteFeed ?? false,
    isSafeForFirstview: feed.isSafeForFirstview ?? false,
    availabilityForPromo: feed.availabilityForPromo ?? false,
    manuallyFeedScore: feed.manuallyFeedScore ?? null,
    legacyFeedId: feed.legacyFeedId ?? '',
  }
}

/** What a feed of the staging system brings along. */
export function stagingFeedValues(staging: StagingFeed): FeedValues {
  const { mediumId, name, shortName, url, siteUrl, description, type } = staging
  const picture = (address: string) => (address === '' ? null : address)
  return {
    ...NEW_FEED,
    mediumId,
    name,
    shortName,
    url,
    siteUrl,
    description,
    type,
    publisherId: staging.publisherId ? { id: staging.publisherId, name: `ID ${staging.publisherId}` } : null,
    logoUrl: picture(staging.logoUrl),
    wideLogoUrl: picture(staging.wideLogoUrl),
    bannerUrl: picture(staging.bannerUrl),
  }
}

/** The server's own check of texts and numbers, and what must be chosen. */
export function checkFeed(values: FeedValues): FieldProblem[] {
  const problems: FieldProblem[] = checkFeedInput({ ...values }).map(({ code, path, data }) => ({
    name: String(path.at(-1)),
    message: TEXTS[code](data as never),
  }))
  if (values.publisherId === null) problems.unshift({ name: 'publisherId', message: TEXTS['feed/publisher-unknown']() })
  if (values.mediumId === null) problems.push({ name: 'mediumId', message: TEXTS['feed/medium-unknown']() })
  if (!/^https?:\/\//i.test(values.url)) problems.push({ name: 'url', message: TEXTS['feed/url-not-web']() })
  if (values.siteUrl !== '' && !/^https?:\/\//i.test(values.siteUrl))
    problems.push({ name: 'siteUrl', message: TEXTS['feed/url-not-web']() })
  return problems
}

export function feedInput(
  values: FeedValues,
  sendable: { readonly inHouse: boolean; readonly notes: boolean },
): Omit<FeedInput, 'id' | 'expectedRevision'> {
  return {
    publisherId: values.publisherId?.id ?? null,
    mediumId: values.mediumId,
    name: values.name.trim(),
    shortName: values.shortName.trim(),
    url: values.url.trim(),
    siteUrl: values.siteUrl.trim(),
    description: values.description,
    type: values.type,
    enabled: values.enabled,
    logoUrl: values.logoUrl ?? '',
    wideLogoUrl: values.wideLogoUrl ?? '',
    bannerUrl: values.bannerUrl ?? '',
    relatedLinkNum: values.relatedLinkNum,
    articleExpirationDays: values.articleExpirationDays,
    ttlMinutes: values.ttlMinutes,
    allowVideo: values.allowVideo,
    allowContentBody: values.allowContentBody,
    ...(sendable.notes ? { notes: values.notes } : {}),
    ...(sendable.inHouse
      ? {
          isDeleteFeed: values.isDeleteFeed,
          isSafeForFirstview: values.isSafeForFirstview,
          availabilityForPromo: values.availabilityForPromo,
          manuallyFeedScore: values.manuallyFeedScore,
          legacyFeedId: values.legacyFeedId.trim() === '' ? null : values.legacyFeedId.trim(),
        }
      : {}),
  }
}
