import { fieldNamesOf } from '../record/record-fields.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'
import type { FeedType } from './feed-type.ts'

/** The fields of a feed that people edit, as its row stores them. Reading, saving and history use this list. */
export interface FeedFields {
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly enabled: boolean
  readonly name: string
  readonly shortName: string
  readonly siteUrl: string
  readonly description: string
  readonly url: string
  readonly logoUrl: string
  readonly wideLogoUrl: string
  readonly bannerUrl: string
  readonly relatedLinkNum: number
  readonly articleExpirationDays: number
  readonly type: FeedType
  readonly allowVideo: boolean
  readonly allowContentBody: boolean
  readonly ttlMinutes: number
  // In-house fields.
  readonly legacyFeedId: string | null
  readonly isDeleteFeed: boolean
  readonly isSafeForFirstview: boolean
  readonly availabilityForPromo: boolean
  readonly manuallyFeedScore: number
  readonly notes: string | null
}

/** Absent: unchanged, or the default of a new feed. */
export type SentFeedFields = { readonly [Name in keyof FeedFields]?: FeedFields[Name] | undefined }

export const FEED_FIELD_LABELS_JA: Readonly<Record<keyof FeedFields, string>> = {
  publisherId: 'パブリッシャーID',
  mediumId: '媒体ID',
  enabled: '状態',
  name: 'フィード名',
  shortName: '短い名前',
  siteUrl: 'サイトのURL',
  description: '説明',
  url: 'URL',
  logoUrl: 'ロゴ',
  wideLogoUrl: '横長ロゴ',
  bannerUrl: 'バナー',
  relatedLinkNum: '関連リンク数',
  articleExpirationDays: '記事の掲載期間（日）',
  type: '種別',
  allowVideo: '動画の掲載',
  allowContentBody: '本文の掲載',
  ttlMinutes: '読み込みの間隔（分）',
  legacyFeedId: '旧フィードID',
  isDeleteFeed: '削除用フィード',
  isSafeForFirstview: 'ファーストビュー',
  availabilityForPromo: 'プロモーション',
  manuallyFeedScore: '手動スコア',
  notes: '備考',
}
export const FEED_FIELD_NAMES = fieldNamesOf(FEED_FIELD_LABELS_JA)

/** Writing and reading these needs the right to in-house fields in addition (`insight:in_house_field.`). */
export const IN_HOUSE_FEED_FIELDS = [
  'legacyFeedId',
  'isDeleteFeed',
  'isSafeForFirstview',
  'availabilityForPromo',
  'manuallyFeedScore',
] as const satisfies readonly (keyof FeedFields)[]

/** Defaults of a new feed; the five fields that are missing here must be sent. */
export const NEW_FEED: Omit<FeedFields, 'publisherId' | 'mediumId' | 'name' | 'url' | 'type'> = {
  enabled: true,
  shortName: '',
  siteUrl: '',
  description: '',
  logoUrl: '',
  wideLogoUrl: '',
  bannerUrl: '',
  relatedLinkNum: 0,
  articleExpirationDays: 30,
  allowVideo: false,
  allowContentBody: true,
  ttlMinutes: 15,
  legacyFeedId: null,
  isDeleteFeed: false,
  isSafeForFirstview: false,
  availabilityForPromo: false,
  manuallyFeedScore: 0,
  notes: null,
}

/** Smallest and largest number of each field, the same as the checks of its table. */
export const FEED_NUMBER_BOUNDS = {
  relatedLinkNum: [0, 20],
  articleExpirationDays: [1, 3650],
  ttlMinutes: [5, 1440],
  manuallyFeedScore: [-100, 100],
} as const satisfies Readonly<Record<string, readonly [number, number]>>

/** A field's bounds as forms and templates say them: 5〜1440 */
export function feedBoundsText(name: keyof typeof FEED_NUMBER_BOUNDS): string {
  return FEED_NUMBER_BOUNDS[name].join('〜').replace('-', '−')
}

/** Longest texts, in characters. */
export const FEED_TEXT_BOUNDS = {
  name: 200,
  shortName: 50,
  description: 2_000,
  legacyFeedId: 100,
  notes: 10_000,
} as const satisfies Readonly<Record<string, number>>

type FeedInputRefusal = Refusal<
  'feed/name-missing' | 'feed/text-too-long' | 'feed/number-out-of-range' | 'name/hidden-characters'
>

/**
 * What is wrong with the texts and numbers of a feed's form, with the path of each field. Absent fields are not
 * checked.
 * Tested by `features/feeds/server/feeds-api.test.ts`.
 */
export function checkFeedFields(input: Readonly<Record<string, unknown>>): readonly FeedInputRefusal[] {
  const refusals: FeedInputRefusal[] = []
  for (const [name, max] of Object.entries(FEED_TEXT_BOUNDS)) {
    const value = input[name]
    if (typeof value === 'string' && [...value].length > max)
      refusals.push(refusal('feed/text-too-long', ['input', name], { max }))
  }
  for (const [name, [min, max]] of Object.entries(FEED_NUMBER_BOUNDS)) {
    const value = input[name]
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= min && value <= max))
      refusals.push(refusal('feed/number-out-of-range', ['input', name], { min, max }))
  }
  if (typeof input.name === 'string' && input.name.trim() === '')
    refusals.push(refusal('feed/name-missing', ['input', 'name']))
  for (const name of ['name', 'shortName']) {
    const value = input[name]
    if (typeof value === 'string' && hasHiddenCharacter(value.trim()))
      refusals.push(refusal('name/hidden-characters', ['input', name]))
  }
  return refusals
}
