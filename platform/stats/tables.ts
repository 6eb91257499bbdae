/**
 * The tables of the statistics store, declared once for both drivers. All integers are 64-bit; days are Asia/Tokyo.
 * Facts hold one row per key and batch (`batch_no`), so a batch can be replaced exactly; every statement sums.
 * Order and partitions: rows by `key`, partitions by month (measured in the decision record on the statistics store).
 */
type Column = readonly [name: string, type: 'Date' | 'Int64', nullable?: 'null']
export interface Table {
  readonly columns: readonly Column[]
  readonly key: readonly string[]
}

const counts = (...names: string[]): Column[] => names.map(name => [name, 'Int64'] as const)
const DAY: Column = ['date', 'Date']
/** The first and the last day of which there is a row of a content. */
const DAYS_OF_CONTENT: readonly Column[] = [
  ['first_on', 'Date'],
  ['last_on', 'Date'],
]

/** Facts of a version that did not know the column have nothing there: no delivery had it. */
export const isDeliveredLater = (column: string): boolean => (READING_SUMS as readonly string[]).includes(column)

/** When a content was delivered first, and when a delivery changed it last. */
const TIMESTAMPS = ['created_at', 'updated_at'] as const

const PUBLISHER_SUMS = [
  'article_impression',
  'article_click',
  'article_watch',
  'video_impression',
  'video_click',
  'video_watch',
  'live_impression',
  'live_click',
  'live_watch',
  // Money in micro-yen: what the platform earned (source amounts) and what the publisher earns of it.
  'ads_revenue_micro_yen',
  'ssp_revenue_micro_yen',
  'video_ssp_revenue_micro_yen',
  'live_ssp_revenue_micro_yen',
  'publisher_revenue_micro_yen',
]
/**
 * What was delivered with a few rows only: time and completions of reading, each with the watches of the rows that have it,
 * by which it is averaged. Where no row has it, both are 0.
 */
const READING_SUMS = ['engaged_time_ms', 'engaged_time_watch', 'completion', 'completion_watch'] as const
const ARTICLE_SUMS = [
  'impression',
  'click',
  'watch',
  'ads_revenue_micro_yen',
  'publisher_revenue_micro_yen',
  ...READING_SUMS,
]
const VIDEO_SUMS = [
  'impression',
  'click',
  'watch',
  'watch3s',
  'watch97p',
  'play_time_ms',
  'ads_revenue_micro_yen',
  'publisher_revenue_micro_yen',
]

/** What imports write. */
export const FACTS = {
  publisher_day: {
    columns: [
      DAY,
      ...counts('medium_id', 'publisher_id', 'batch_no'),
      ['follower', 'Int64', 'null'],
      ...counts(...PUBLISHER_SUMS),
    ],
    key: ['publisher_id', 'medium_id', 'date'],
  },
  publisher_demo_day: {
    columns: [DAY, ...counts('medium_id', 'publisher_id', 'batch_no', 'gender_id', 'age_id', 'click')],
    key: ['publisher_id', 'medium_id', 'date'],
  },
  article_day: {
    columns: [DAY, ...counts('medium_id', 'publisher_id', 'article_id', 'batch_no', ...ARTICLE_SUMS)],
    key: ['publisher_id', 'medium_id', 'date', 'article_id'],
  },
  article_demo_day: {
    columns: [DAY, ...counts('medium_id', 'publisher_id', 'article_id', 'batch_no', 'gender_id', 'age_id', 'click')],
    key: ['publisher_id', 'medium_id', 'date', 'article_id'],
  },
  video_day: {
    columns: [DAY, ...counts('medium_id', 'publisher_id', 'video_id', 'batch_no', ...VIDEO_SUMS)],
    key: ['publisher_id', 'medium_id', 'date', 'video_id'],
  },
  video_demo_day: {
    columns: [
      DAY,
      ...counts('medium_id', 'publisher_id', 'video_id', 'batch_no', 'gender_id', 'age_id', 'click', 'watch3s'),
    ],
    key: ['publisher_id', 'medium_id', 'date', 'video_id'],
  },
  video_watch_time_day: {
    // bucket_id counts from 0: bucket n holds the watches that lasted from 10·n to under 10·(n + 1) percent.
    columns: [DAY, ...counts('medium_id', 'publisher_id', 'video_id', 'batch_no', 'bucket_id', 'watch')],
    key: ['publisher_id', 'medium_id', 'date', 'video_id'],
  },
} as const satisfies Record<string, Table>

/**
 * Sums of facts over days of a month or over publishers, rebuilt by the importer. In a roll-up by month `date` is the
 * first day of the month, so the same filters apply. Followers are a level: of a month the last one known, of a medium
 * the sum over its publishers on that day.
 *
 * `is_lone` of a content's month is 1 only where it is the one row that the table has of that content: a year of such
 * rows need not be grouped, and most contents live within a month. 0 says nothing. A person who publishes keeps it true for the
 * other months as well; where months are exchanged whole (ClickHouse) it stays 0.
 */
export const ROLL_UPS = {
  publisher_month: {
    of: 'publisher_day',
    per: 'month',
    columns: [DAY, ...counts('medium_id', 'publisher_id'), ['follower', 'Int64', 'null'], ...counts(...PUBLISHER_SUMS)],
    key: ['publisher_id', 'medium_id', 'date'],
  },
  article_month: {
    of: 'article_day',
    per: 'month',
    columns: [
      DAY,
      ...DAYS_OF_CONTENT,
      ...counts('medium_id', 'publisher_id', 'article_id', 'is_lone', ...ARTICLE_SUMS),
    ],
    key: ['publisher_id', 'medium_id', 'date', 'article_id'],
  },
  video_month: {
    of: 'video_day',
    per: 'month',
    columns: [DAY, ...DAYS_OF_CONTENT, ...counts('medium_id', 'publisher_id', 'video_id', 'is_lone', ...VIDEO_SUMS)],
    key: ['publisher_id', 'medium_id', 'date', 'video_id'],
  },
  publisher_article_day: {
    of: 'article_day',
    per: 'day',
    columns: [DAY, ...counts('medium_id', 'publisher_id', ...ARTICLE_SUMS)],
    key: ['publisher_id', 'medium_id', 'date'],
  },
  medium_article_day: {
    of: 'article_day',
    per: 'day',
    columns: [DAY, ...counts('medium_id', ...ARTICLE_SUMS)],
    key: ['medium_id', 'date'],
  },
  publisher_video_day: {
    of: 'video_day',
    per: 'day',
    columns: [DAY, ...counts('medium_id', 'publisher_id', ...VIDEO_SUMS)],
    key: ['publisher_id', 'medium_id', 'date'],
  },
  medium_video_day: {
    of: 'video_day',
    per: 'day',
    columns: [DAY, ...counts('medium_id', ...VIDEO_SUMS)],
    key: ['medium_id', 'date'],
  },
  medium_day: {
    of: 'publisher_day',
    per: 'day',
    columns: [DAY, ...counts('medium_id'), ['follower', 'Int64', 'null'], ...counts(...PUBLISHER_SUMS)],
    key: ['medium_id', 'date'],
  },
  medium_demo_day: {
    of: 'publisher_demo_day',
    per: 'day',
    columns: [DAY, ...counts('medium_id', 'gender_id', 'age_id', 'click')],
    key: ['medium_id', 'date', 'gender_id', 'age_id'],
  },
} as const satisfies Record<string, Table & { of: keyof typeof FACTS; per: 'day' | 'month' }>

/**
 * Articles and videos over all that the store has of them: of each publisher and medium one row per content, the sum of its
 * rows by month. A content is read for a week or two, so most of those of a longer range lie within it, and what they have
 * there is their row: nothing has to be put into groups. As figures of contents are never negative (`checkStaged`), a content
 * has in no range more than in its life.
 *
 * `is_lone` means among these rows what it means among those by month; so here it is 0 for contents of several publishers or
 * media. A person who publishes keeps the rows; where months are exchanged whole (ClickHouse) there are none.
 */
export const LIFETIMES = {
  article_life: {
    of: 'article_month',
    columns: [...DAYS_OF_CONTENT, ...counts('medium_id', 'publisher_id', 'article_id', 'is_lone', ...ARTICLE_SUMS)],
    key: ['publisher_id', 'medium_id', 'article_id'],
  },
  video_life: {
    of: 'video_month',
    columns: [...DAYS_OF_CONTENT, ...counts('medium_id', 'publisher_id', 'video_id', 'is_lone', ...VIDEO_SUMS)],
    key: ['publisher_id', 'medium_id', 'video_id'],
  },
} as const satisfies Record<string, Table & { of: keyof typeof ROLL_UPS }>

/** The figures of contents, which are never negative. */
export const CONTENT_FIGURES: Readonly<Partial<Record<keyof typeof FACTS, readonly string[]>>> = {
  article_day: ARTICLE_SUMS,
  video_day: VIDEO_SUMS,
}

/**
 * What is known of contents besides their figures: by the id of the content, with the batch that said so last. Not part of
 * any batch of figures: `putDimension` keeps it, and a store without it fills it again from PostgreSQL.
 */
export const DIMENSIONS = {
  article_label: {
    of: 'article_id',
    // Kinds: 1 author, 2 section, 3 tag. Every known article has one row of kind 2, with label 0 when it has no section.
    columns: counts('publisher_id', 'article_id', 'kind_no', 'label_id', 'batch_no'),
    key: ['kind_no', 'publisher_id', 'article_id'],
  },
  // Each known content once. Instants in microseconds since 1970, as exact as PostgreSQL has them.
  article_moment: { of: 'article_id', columns: counts('article_id', ...TIMESTAMPS, 'batch_no'), key: ['article_id'] },
  video_moment: { of: 'video_id', columns: counts('video_id', ...TIMESTAMPS, 'batch_no'), key: ['video_id'] },
} as const satisfies Record<string, Table & { of: 'article_id' | 'video_id' }>

export type LifeTable = keyof typeof LIFETIMES
export type DimensionTable = keyof typeof DIMENSIONS
export type FactTable = keyof typeof FACTS
export type RollUpTable = keyof typeof ROLL_UPS
export type TableName = FactTable | RollUpTable

export const FACT_TABLES = Object.keys(FACTS) as readonly FactTable[]
export const DIMENSION_TABLES = Object.keys(DIMENSIONS) as readonly DimensionTable[]
export const LIFE_TABLES = Object.keys(LIFETIMES) as readonly LifeTable[]
export const ROLL_UP_TABLES = Object.keys(ROLL_UPS) as readonly RollUpTable[]
export const TABLES: Readonly<Record<TableName, Table>> = { ...FACTS, ...ROLL_UPS }
export const COLUMN_NAMES: ReadonlySet<string> = new Set(
  Object.values({ ...TABLES, ...LIFETIMES, ...DIMENSIONS }).flatMap(table => table.columns.map(([name]) => name)),
)
