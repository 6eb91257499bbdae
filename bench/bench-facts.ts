import { DuckDBInstance } from '@duckdb/node-api'
import { firstDayOf, lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { FACTS, type FactTable } from '@pc/platform/stats/tables.ts'
import { BENCH_MEDIA, type BenchSize } from './bench-size.ts'

// Generates the fact rows (daily figures) of a month as Parquet files with arithmetic only, so that they are the same
// on every machine and every article also exists in PostgreSQL. Publisher and medium of the k-th article are computed
// in PostgreSQL, DuckDB and TypeScript with equal formulas; `bench-facts.test.ts` compares the last two. The primes
// 7919, 31 and 1009 only spread neighbouring items over publishers and media.

/** An article is read on 1 to 14 days, 7 on average. */
const MAX_LIFETIME_DAYS = 14
const FIRST_ITEM = 1_000_000
const MEDIUM_LIST = `[${BENCH_MEDIA.join(', ')}]`

/**
 * SQL for PostgreSQL: number of the publisher (from 1) and position of the medium (from 1) of the k-th article or
 * video.
 */
export const publisherOf = (k: string, size: BenchSize) =>
  orTheLargest(k, size, `(1 + mod((${k})::bigint * 7919, ${size.publishers}))`)
export const mediumPlaceOf = (k: string) => `(1 + mod((${k})::bigint * 31 + (${k})::bigint / 1009, 5))`
export const itemId = (k: string) => `(${FIRST_ITEM} + ${k})`
/** The publisher's number, in TypeScript. */
export function publisherNumber(k: number, { publishers, shape }: BenchSize): number {
  return shape?.largestHasOneOf !== undefined && k % shape.largestHasOneOf === 0 ? 1 : 1 + ((k * 7919) % publishers)
}
export const itemNumber = (k: number) => FIRST_ITEM + k

/** SQL for DuckDB: the same medium and publisher. */
const medium = (k: string) => `${MEDIUM_LIST}[(1 + ((${k} * 31 + ${k} // 1009) % 5))::int]`
const publisher = (k: string, size: BenchSize) => orTheLargest(k, size, `(1 + (${k} * 7919) % ${size.publishers})`)

function orTheLargest(k: string, { shape }: BenchSize, other: string): string {
  if (shape?.largestHasOneOf === undefined) return other
  return `(case when (${k}) % ${shape.largestHasOneOf} = 0 then 1 else ${other} end)`
}

/**
 * DuckDB: a row for each item and day of its life in the month. `k`: number of the item, `j`: day of its life, `h`: a
 * hash as source of figures.
 */
function lifetimes(month: YearMonth, size: BenchSize, perDay: number): string {
  const [first, last] = [firstDayOf(month), lastDayOf(month)]
  const { longLife } = size.shape ?? {}
  const days = longLife?.days ?? MAX_LIFETIME_DAYS
  const media = longLife ? `unnest(${MEDIUM_LIST})` : medium('k')
  const isRead = longLife
    ? `(j + k) % ${longLife.readEvery} = 0`
    : `j < least(${MAX_LIFETIME_DAYS}, 1 + floor(-6.5 * ln(1 - ((hash(k) % 99991)::double / 99991))))`
  const dayNumber = (day: string) => `date_diff('day', date '${size.from}', date '${day}')`
  return `(select k, j, date '${size.from}' + (k // ${perDay} + j)::int as date, (hash(k) % 1000003)::bigint as h, ${media} as medium
    from range(greatest(0, ${dayNumber(first)} - ${days}) * ${perDay}, (${dayNumber(last)} + 1) * ${perDay}) items(k),
      range(${days}) days(j)
    where ${isRead}
      and date '${size.from}' + (k // ${perDay} + j)::int between date '${first}' and date '${last}')`
}

const SEEN = '(1 + h % 3001 // (1 + j))'

function contentColumns(batchNo: bigint, id: string, size: BenchSize): Readonly<Record<string, string>> {
  return {
    date: 'date',
    medium_id: 'medium',
    publisher_id: publisher('k', size),
    [id]: itemId('k'),
    batch_no: String(batchNo),
    impression: SEEN,
    click: `${SEEN} // (17 + h % 31)`,
    watch: `${SEEN} // (9 + h % 11)`,
    watch3s: `${SEEN} // (12 + h % 11)`,
    watch97p: `${SEEN} // (60 + h % 31)`,
    play_time_ms: `${SEEN} * (900 + h % 4000)`,
    engaged_time_ms: `${SEEN} * (700 + h % 3000)`,
    engaged_time_watch: `${SEEN} // (9 + h % 11)`,
    completion: `${SEEN} // (20 + h % 31)`,
    completion_watch: `${SEEN} // (9 + h % 11)`,
    ads_revenue_micro_yen: `${SEEN} * (310000 + h % 90000)`,
    publisher_revenue_micro_yen: `${SEEN} * (140000 + h % 40000)`,
    gender_id: '1 + h % 2',
    age_id: '1 + h % 8',
    bucket_id: '(h + j) % 11',
    follower: '1000 + k * 37 + j',
  }
}

function publisherDays(month: YearMonth, size: BenchSize): string {
  return `(select k, 0 as j, cast(day as date) as date, (hash(k * 100000 + date_diff('day', date '${size.from}', day)) % 1000003)::bigint as h, medium
    from range(${size.publishers}) publishers(k), (select unnest(${MEDIUM_LIST}) as medium) media,
      range(date '${firstDayOf(month)}', date '${lastDayOf(month)}' + 1, interval 1 day) days(day)
    where (k + medium) % 5 < 3)`
}

/** Columns of publisher days. Each publisher has rows on three of the five media. */
function publisherColumns(batchNo: bigint): Readonly<Record<string, string>> {
  const counts = Object.fromEntries(
    FACTS.publisher_day.columns.map(([name], index) => [
      name,
      `(h * ${index + 3}) % ${name.endsWith('_yen') ? 900000007 : 90001}`,
    ]),
  )
  return {
    ...counts,
    date: 'date',
    medium_id: 'medium',
    publisher_id: 'k + 1',
    batch_no: String(batchNo),
    follower: '1000 + k * 37 + h % 100',
    gender_id: '1 + h % 2',
    age_id: '1 + h % 8',
    click: 'h % 501',
  }
}

export interface GeneratedTable {
  readonly table: FactTable
  readonly file: string
}

/** Writes a month's files; returns the table of each. */
export async function generateMonth(
  size: BenchSize,
  month: YearMonth,
  batchNo: bigint,
  folder: string,
): Promise<GeneratedTable[]> {
  const articles = lifetimes(month, size, size.newArticlesPerDay)
  const videos = lifetimes(month, size, size.newVideosPerDay)
  const article = contentColumns(batchNo, 'article_id', size)
  const video = contentColumns(batchNo, 'video_id', size)
  const sources: readonly [FactTable, string, Readonly<Record<string, string>>][] = [
    ['article_day', articles, article],
    // The clicks of the first days, by two cells of the matrix.
    ['article_demo_day', `(select * from ${articles} x where j < 2) x`, article],
    ['video_day', videos, video],
    ['video_demo_day', videos, video],
    ['video_watch_time_day', videos, video],
    ['publisher_day', publisherDays(month, size), publisherColumns(batchNo)],
    ['publisher_demo_day', publisherDays(month, size), publisherColumns(batchNo)],
  ]
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: '2GB',
    temp_directory: folder,
  })
  const connection = await instance.connect()
  try {
    const files: GeneratedTable[] = []
    for (const [table, from, values] of sources) {
      const file = `${folder}/${table}.parquet`
      const columns = FACTS[table].columns.map(
        ([name]) => `cast(${values[name]} as ${name === 'date' ? 'date' : 'bigint'}) as ${name}`,
      )
      await connection.run(`copy (select ${columns.join(', ')} from ${from}) to '${file}' (format parquet)`)
      files.push({ table, file })
    }
    return files
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
