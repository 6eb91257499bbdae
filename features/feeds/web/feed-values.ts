import { checkFeedFields, FEED_FIELD_NAMES, type FeedFields, NEW_FEED } from '@pc/domain/feed/feed-record.ts'
import { FEED_REFUSALS_JA } from '@pc/domain/feed/feed-refusals.ja.ts'
import { fieldsOf } from '@pc/domain/record/record-fields.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import type { Choice } from '@pc/ui/form/suggest-field.tsx'
import type { FeedFieldsFragment, FeedInput, StagingFeedOptionsQuery } from './feeds.gen.ts'

const TEXTS = { ...FEED_REFUSALS_JA, ...NAME_REFUSALS_JA }

type StagingFeed = NonNullable<StagingFeedOptionsQuery['stagingFeeds']>['nodes'][number]

type PictureField = 'logoUrl' | 'wideLogoUrl' | 'bannerUrl'
/** Form values: empty number fields are null, and null texts are ''. */
type FormValue<Value> = number extends Value ? number | null : NonNullable<Value>

export type FeedValues = {
  -readonly [Name in Exclude<keyof FeedFields, 'publisherId' | 'mediumId' | PictureField>]: FormValue<FeedFields[Name]>
} & Record<PictureField, string | null> & { publisherId: Choice | null; mediumId: string | null }

export const NEW_FEED_VALUES: FeedValues = {
  ...NEW_FEED,
  ...{ publisherId: null, mediumId: null, name: '', url: '', type: 'gnf2' },
  ...{ logoUrl: null, wideLogoUrl: null, bannerUrl: null },
  ...{ relatedLinkNum: 3, manuallyFeedScore: null, legacyFeedId: '', notes: '' },
}

/** In-house fields that the viewer may not read are absent. */
export function feedValuesOf(feed: FeedFieldsFragment): FeedValues {
  return {
    ...fieldsOf(FEED_FIELD_NAMES, feed),
    ...picturesOf(feed),
    publisherId: feed.publisher ? { id: feed.publisher.id, name: feed.publisher.name } : null,
    notes: feed.notes ?? '',
    isDeleteFeed: feed.isDeleteFeed ?? false,
    isSafeForFirstview: feed.isSafeForFirstview ?? false,
    availabilityForPromo: feed.availabilityForPromo ?? false,
    manuallyFeedScore: feed.manuallyFeedScore ?? null,
    legacyFeedId: feed.legacyFeedId ?? '',
  }
}

function picturesOf({
  logoUrl,
  wideLogoUrl,
  bannerUrl,
}: Record<PictureField, string>): Record<PictureField, string | null> {
  return { logoUrl: logoUrl || null, wideLogoUrl: wideLogoUrl || null, bannerUrl: bannerUrl || null }
}

/** The form's values prefilled from a staging feed. */
export function stagingFeedValues(staging: StagingFeed): FeedValues {
  const { mediumId, name, shortName, url, siteUrl, description, type } = staging
  return {
    ...NEW_FEED_VALUES,
    ...picturesOf(staging),
    mediumId,
    name,
    shortName,
    url,
    siteUrl,
    description,
    type,
    publisherId: staging.publisherId ? { id: staging.publisherId, name: `ID ${staging.publisherId}` } : null,
  }
}

/** The same check of texts and numbers as on the server, and of required selections. */
export function checkFeed(values: FeedValues): FieldProblem[] {
  const problems: FieldProblem[] = checkFeedFields({ ...values }).map(({ code, path, data }) => ({
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
  const { notes, isDeleteFeed, isSafeForFirstview, availabilityForPromo, manuallyFeedScore, legacyFeedId, ...rest } =
    values
  const inHouse = { isDeleteFeed, isSafeForFirstview, availabilityForPromo, manuallyFeedScore }
  return {
    ...rest,
    publisherId: values.publisherId?.id ?? null,
    logoUrl: values.logoUrl ?? '',
    wideLogoUrl: values.wideLogoUrl ?? '',
    bannerUrl: values.bannerUrl ?? '',
    ...(sendable.notes ? { notes } : {}),
    ...(sendable.inHouse ? { ...inHouse, legacyFeedId: legacyFeedId.trim() || null } : {}),
  }
}
