import { FACTS, type FactTable } from '@pc/platform/stats/tables.ts'
import { DATASET_COLUMNS, type FactDataset, MAX_WATCH_TIME_BUCKET } from '../checking/dataset-columns.ts'
import { type ReadingEngine, text } from '../reading/reading-engine.ts'

/** Rows of one fact table in a Parquet file whose columns are those of the table, in their order. */
export interface FactFile {
  readonly table: FactTable
  readonly file: string
  readonly rows: bigint
}

/** Values of a fact's columns as SQL; a count that is not named is 0. */
type FactValues = Readonly<Record<string, string>>
interface FactSource {
  readonly table: FactTable
  readonly from: string
  readonly values: FactValues
  /** Aggregates; rows are grouped by all other values. Absent: one fact row per row. */
  readonly sums?: FactValues
}

/** Tokyo is nine hours ahead of UTC, all year (since 1951). */
const EVENT_DAY = `(date '1970-01-01' + cast((timestamp + 32400000) // 86400000 as integer))`
const THREE_SECONDS_MS = 3000

/**
 * Writes the rows of the view `good` (made by `../checking/prepare-batch.ts`) as facts. Tables without rows get no file.
 * Tested by `features/ingest/server/real-input.test.ts`.
 */
export async function writeFacts(
  engine: ReadingEngine,
  dataset: FactDataset,
  batchNo: bigint,
  workDir: string,
): Promise<FactFile[]> {
  const files: FactFile[] = []
  for (const source of FACT_SOURCES[dataset]) {
    const file = `${workDir}/${source.table}.parquet`
    const select = factSelect(source, `${batchNo}::bigint`)
    const rows = await engine.count(`copy (${select}) to ${text(file)} (format parquet)`)
    if (rows > 0n) files.push({ table: source.table, file, rows })
  }
  return files
}

/** The day in Tokyo that a row is about, as SQL. */
export function daySql(dataset: FactDataset): string {
  return dataset === 'events' ? EVENT_DAY : 'date'
}

/** First and last day of the good rows. */
export async function daysOf(engine: ReadingEngine, dataset: FactDataset): Promise<{ first: string; last: string }> {
  const day = daySql(dataset)
  const [row] = await engine.rows(
    `select cast(min(${day}) as varchar) as first, cast(max(${day}) as varchar) as last from good`,
  )
  return { first: String(row?.first), last: String(row?.last) }
}

function factSelect({ table, from, values, sums }: FactSource, batchNo: string): string {
  const all: FactValues = { batch_no: batchNo, ...values, ...sums }
  const columns = FACTS[table].columns.map(([name, , nullable]) => {
    const value = all[name] ?? (nullable ? 'null' : '0')
    return name === 'date' ? `${value} as date` : `cast(${value} as bigint) as ${name}`
  })
  const group = sums ? ` group by ${Object.values(values).join(', ')}` : ''
  return `select ${columns.join(', ')} from ${from}${group}`
}

/** Columns of the delivery that a fact takes as they are. */
function same(dataset: FactDataset): FactValues {
  const named = DATASET_COLUMNS[dataset].filter(({ type }) => type.kind !== 'cells')
  return Object.fromEntries(named.map(({ name }) => [name, `good.${name}`]))
}

/** Joins the good rows with their cells: `checkRows` has made the table `<column>_cells`, one row per cell. */
function cellsOf(column: string): string {
  return `good join "${column}_cells" c on c.row_no = good.row_no`
}

const keys = (id?: 'article_id' | 'video_id'): FactValues => ({
  date: 'good.date',
  medium_id: 'good.medium_id',
  publisher_id: 'good.publisher_id',
  ...(id ? { [id]: `good.${id}` } : {}),
})
const PERSON: FactValues = { gender_id: 'c."genderId"', age_id: 'c."ageId"' }

const eventKeys = (id?: 'article_id' | 'video_id'): FactValues => ({
  date: EVENT_DAY,
  medium_id: 'medium_id',
  publisher_id: 'publisher_id',
  ...(id ? { [id]: id } : {}),
})
const countOf = (condition: string) => `count(*) filter (where ${condition})`
const WATCHED_3S = `type = 'watch' and watched_ms >= ${THREE_SECONDS_MS}`
const HAS_PERSON = '(gender_id is not null or age_id is not null)'
const EVENT_PERSON: FactValues = { gender_id: 'coalesce(gender_id, 0)', age_id: 'coalesce(age_id, 0)' }
/** The tenth of the video that was watched; watches longer than the video are in the last bucket. */
const BUCKET = `least(watched_ms * 10 // duration_ms, ${MAX_WATCH_TIME_BUCKET})`

/** A row without the figure adds nothing to it, and no watches to what it is averaged by. */
const reading = (column: string): FactValues => ({
  [column]: `coalesce(good.${column}, 0)`,
  [`${column.replace(/_ms$/, '')}_watch`]: `case when good.${column} is null then 0 else good.watch end`,
})
const READING: FactValues = { ...reading('engaged_time_ms'), ...reading('completion') }

const FACT_SOURCES: Readonly<Record<FactDataset, readonly FactSource[]>> = {
  'article-daily': [
    { table: 'article_day', from: 'good', values: { ...same('article-daily'), ...READING } },
    {
      table: 'article_demo_day',
      from: `${cellsOf('demographics')} where c.click > 0`,
      values: { ...keys('article_id'), ...PERSON, click: 'c.click' },
    },
  ],
  'video-daily': [
    { table: 'video_day', from: 'good', values: same('video-daily') },
    {
      table: 'video_demo_day',
      from: `${cellsOf('demographics')} where c.click > 0 or c.watch3s > 0`,
      values: { ...keys('video_id'), ...PERSON, click: 'c.click', watch3s: 'c.watch3s' },
    },
    {
      table: 'video_watch_time_day',
      from: `${cellsOf('watch_time')} where c.watch > 0`,
      values: { ...keys('video_id'), bucket_id: 'c."bucketId"', watch: 'c.watch' },
    },
  ],
  'summary-daily': [
    { table: 'publisher_day', from: 'good', values: same('summary-daily') },
    {
      table: 'publisher_demo_day',
      from: `${cellsOf('demographics')} where c.click > 0`,
      values: { ...keys(), ...PERSON, click: 'c.click' },
    },
  ],
  events: [
    {
      table: 'publisher_day',
      from: 'good',
      values: eventKeys(),
      sums: Object.fromEntries(
        ['article', 'video', 'live'].flatMap(kind =>
          ['impression', 'click', 'watch'].map(type => [
            `${kind}_${type}`,
            countOf(`kind = '${kind}' and type = '${type}'`),
          ]),
        ),
      ),
    },
    {
      table: 'publisher_demo_day',
      from: `good where type = 'click' and ${HAS_PERSON}`,
      values: { ...eventKeys(), ...EVENT_PERSON },
      sums: { click: 'count(*)' },
    },
    {
      table: 'article_day',
      from: `good where kind = 'article'`,
      values: eventKeys('article_id'),
      sums: {
        impression: countOf(`type = 'impression'`),
        click: countOf(`type = 'click'`),
        watch: countOf(`type = 'watch'`),
      },
    },
    {
      table: 'article_demo_day',
      from: `good where kind = 'article' and type = 'click' and ${HAS_PERSON}`,
      values: { ...eventKeys('article_id'), ...EVENT_PERSON },
      sums: { click: 'count(*)' },
    },
    {
      table: 'video_day',
      from: `good where kind = 'video'`,
      values: eventKeys('video_id'),
      sums: {
        impression: countOf(`type = 'impression'`),
        click: countOf(`type = 'click'`),
        watch: countOf(`type = 'watch'`),
        watch3s: countOf(WATCHED_3S),
        watch97p: countOf(
          `type = 'watch' and duration_ms > 0 and watched_ms::hugeint * 100 >= duration_ms::hugeint * 97`,
        ),
        play_time_ms: `coalesce(sum(watched_ms) filter (where type = 'watch'), 0)`,
      },
    },
    {
      table: 'video_demo_day',
      from: `good where kind = 'video' and (type = 'click' or ${WATCHED_3S}) and ${HAS_PERSON}`,
      values: { ...eventKeys('video_id'), ...EVENT_PERSON },
      sums: { click: countOf(`type = 'click'`), watch3s: countOf(WATCHED_3S) },
    },
    {
      table: 'video_watch_time_day',
      from: `good where kind = 'video' and type = 'watch' and watched_ms is not null and duration_ms > 0`,
      values: { ...eventKeys('video_id'), bucket_id: BUCKET },
      sums: { watch: 'count(*)' },
    },
  ],
}
