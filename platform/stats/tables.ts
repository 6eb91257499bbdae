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
/** First and last day on which a content has rows. */
const DAYS_OF_CONTENT: readonly Column[] = [
  ['first_on', 'Date'],
  ['last_on', 'Date'],
]

/**
 * Whether a column was added to the tables later: rows of an earlier version lack it, because no delivery had the
 * value.
 */
export const isDeliveredLater = (column: string): boolean => (READING_SUMS as readonly string[]).includes(column)

/** When a content was first delivered, and when a delivery last changed it. */
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

/** Fact tables, written by imports. */
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
 * Sums of facts over the days of a month or over publishers, rebuilt by imports. In monthly roll-ups `date` is the
 * first day of the month, so that the same filters apply. Followers are a level: the last known value of the month, and
 * for a medium the sum over its publishers on that day. `is_lone` is 1 only if the row is its content's only row in the
 * table, so that such rows need no grouping; most contents live within a month. 0 says nothing, and on ClickHouse it is
 * always 0.
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
 * Lifetime totals: for each publisher and medium one row per content, the sum of its monthly rows. Most contents of a
 * longer range lie completely within it, so their total is their row, without grouping. Because figures are never
 * negative (`checkStaged`), a content's figure in a range is at most its lifetime total. `is_lone` is 1 if the content
 * has a single row here, and 0 for contents of several publishers or media. ClickHouse does not fill these tables.
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

/** Figures of contents, which imports reject when they are negative. */
export const CONTENT_FIGURES: Readonly<Partial<Record<keyof typeof FACTS, readonly string[]>>> = {
  article_day: ARTICLE_SUMS,
  video_day: VIDEO_SUMS,
}

/**
 * Facts about contents other than figures, by content id, with the number of the batch that last delivered them. They
 * do not belong to a publication: `putDimension` writes them, and an empty store fills them again from PostgreSQL.
 */
export const DIMENSIONS = {
  article_label: {
    of: 'article_id',
    // kind_no: 1 author, 2 section, 3 tag. Every known article has exactly one row of kind 2; label 0 means no section.
    columns: counts('publisher_id', 'article_id', 'kind_no', 'label_id', 'batch_no'),
    key: ['kind_no', 'publisher_id', 'article_id'],
  },
  // One row for each known content. Instants are microseconds since 1970, PostgreSQL's precision.
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
