import type { Day } from '@pc/domain/month/day.ts'
import type { Row, StatsStore } from '@pc/platform/stats/port.ts'
import { ident, joined, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import type { FactFile } from '../publishing/build-facts.ts'
import { type ReadingEngine, text } from '../reading/reading-engine.ts'
import type { FactDataset } from './dataset-columns.ts'

/** The count columns of each fact. A day's count must come from one batch only, or it counts twice. */
const COUNTS = {
  publisher_day: ['article', 'video', 'live'].flatMap(kind =>
    ['impression', 'click', 'watch'].map(type => `${kind}_${type}`),
  ),
  article_day: ['impression', 'click', 'watch'],
  video_day: ['impression', 'click', 'watch'],
} as const satisfies Partial<Record<FactFile['table'], readonly string[]>>
type CountedTable = keyof typeof COUNTS

const CONTENT_ID = { publisher_day: undefined, article_day: 'article_id', video_day: 'video_id' } as const
const CONTENT_LABEL = { publisher_day: '', article_day: '記事', video_day: '動画' } as const

/** Datasets whose batches may hold figures of the same kind. Events add up among themselves. */
export const OVERLAPPING_DATASETS: Readonly<Record<FactDataset, readonly FactDataset[]>> = {
  'article-daily': ['article-daily', 'events'],
  'video-daily': ['video-daily', 'events'],
  'summary-daily': ['summary-daily', 'events'],
  events: ['article-daily', 'video-daily', 'summary-daily'],
}

export interface Overlap {
  readonly batchNo: bigint
  /** One figure that both batches hold, in Japanese, for the message. */
  readonly example: string
}

export interface OtherBatch {
  readonly batchNo: bigint
  readonly dataset: string
}

/**
 * Finds a figure in the new facts that a visible batch has delivered already; undefined when there is none. Between a daily
 * dataset and events only counts collide: revenue may be delivered daily for what events counted.
 */
export async function findOverlap(
  stats: StatsStore,
  engine: ReadingEngine,
  dataset: FactDataset,
  facts: readonly FactFile[],
  others: readonly OtherBatch[],
  days: { readonly first: Day; readonly last: Day },
): Promise<Overlap | undefined> {
  if (others.length === 0) return undefined
  for (const { table: name, file } of facts) {
    if (!(name in COUNTS)) continue
    const counted = name as CountedTable
    const same = others.filter(other => other.dataset === dataset).map(({ batchNo }) => batchNo)
    const mixed = others.filter(other => other.dataset !== dataset).map(({ batchNo }) => batchNo)
    const search = { stats, engine, counted, file, days }
    const found =
      (same.length > 0 ? await collide(search, same, false) : undefined) ??
      (mixed.length > 0 ? await collide(search, mixed, true) : undefined)
    if (found) return found
  }
  return undefined
}

interface Search {
  readonly stats: StatsStore
  readonly engine: ReadingEngine
  readonly counted: CountedTable
  readonly file: string
  readonly days: { readonly first: Day; readonly last: Day }
}

/** Compares publishers' days first; articles or videos only within days that both have, to keep the second query small. */
async function collide(search: Search, batchNos: readonly bigint[], onlyCounts: boolean): Promise<Overlap | undefined> {
  const { engine, counted, file } = search
  const where = onlyCounts ? `where ${COUNTS[counted].map(name => `${name} > 0`).join(' or ')}` : ''
  const fresh = `(select * from read_parquet(${text(file)}) ${where})`
  const stored = await storedKeys(search, batchNos, onlyCounts, search.days, undefined)
  await loadKeys(engine, 'stored_keys', stored)
  const contentId = CONTENT_ID[counted]
  const groups = await engine.rows(
    `select batch_no, cast(date as varchar) as date, medium_id, publisher_id from stored_keys ` +
      `semi join ${fresh} f using (date, medium_id, publisher_id) order by all ${contentId ? '' : 'limit 1'}`,
  )
  if (groups.length === 0 || contentId === undefined) return overlapOf(counted, groups[0])
  const byDay = Map.groupBy(groups, ({ date }) => String(date))
  for (const [date, rows] of byDay) {
    const publishers = [...new Set(rows.map(row => row.publisher_id as bigint))]
    const day = date as Day
    const keys = await storedKeys(search, batchNos, onlyCounts, { first: day, last: day }, publishers)
    await loadKeys(engine, 'stored_keys', keys)
    const [found] = await engine.rows(
      `select batch_no, cast(date as varchar) as date, medium_id, publisher_id, content_id from stored_keys s ` +
        `semi join ${fresh} f on f.date = s.date and f.medium_id = s.medium_id and f.publisher_id = s.publisher_id ` +
        `and f.${contentId} = s.content_id order by all limit 1`,
    )
    if (found) return overlapOf(counted, found)
  }
  return undefined
}

function storedKeys(
  { stats, counted }: Search,
  batchNos: readonly bigint[],
  onlyCounts: boolean,
  days: { readonly first: Day; readonly last: Day },
  publishers: readonly bigint[] | undefined,
): Promise<Row[]> {
  const conditions: Sql[] = [sql`date between ${days.first} and ${days.last}`, sql`batch_no in ${batchNos}`]
  if (publishers) conditions.push(sql`publisher_id in ${publishers}`)
  if (onlyCounts) {
    const counts = COUNTS[counted].map(name => sql`${ident(name)} > 0`)
    conditions.push(sql`(${joined(counts, sql` or `)})`)
  }
  const contentId = CONTENT_ID[counted]
  const content = publishers && contentId ? sql`, ${ident(contentId)} as content_id` : sql``
  return stats.query(sql`
    select distinct batch_no, date, medium_id, publisher_id${content}
    from ${table(counted)}
    where ${joined(conditions, sql` and `)}`)
}

const INSERT_CHUNK = 5000

async function loadKeys(engine: ReadingEngine, name: string, rows: readonly Row[]): Promise<void> {
  await engine.run(
    `create or replace table ${name} (batch_no bigint, date date, medium_id bigint, publisher_id bigint, content_id bigint)`,
  )
  for (let at = 0; at < rows.length; at += INSERT_CHUNK) {
    const values = rows
      .slice(at, at + INSERT_CHUNK)
      .map(
        row =>
          `(${row.batch_no}, ${text(String(row.date))}, ${row.medium_id}, ${row.publisher_id}, ${row.content_id ?? 'null'})`,
      )
    await engine.run(`insert into ${name} values ${values.join(', ')}`)
  }
}

function overlapOf(counted: CountedTable, key: Readonly<Record<string, unknown>> | undefined): Overlap | undefined {
  if (!key) return undefined
  const content = key.content_id === undefined ? '' : `・${CONTENT_LABEL[counted]} ${key.content_id}`
  const example = `${key.date}・媒体 ${key.medium_id}・パブリッシャー ${key.publisher_id}${content}`
  return { batchNo: key.batch_no as bigint, example }
}
