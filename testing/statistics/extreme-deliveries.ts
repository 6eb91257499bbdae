import { gzipSync, zstdCompressSync } from 'node:zlib'
import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import type { RandomSource } from '@pc/domain/settlement/random-month.ts'
import {
  type ColumnType,
  DATASET_COLUMNS,
  DATASET_KEYS,
  DATASETS,
  type Dataset,
  type DatasetColumn,
  EARLIEST_DAY,
  isContentDataset,
} from '@pc/features/ingest/server/checking/dataset-columns.ts'
import { csv, parquet } from './ingest-fixture.ts'

/** Existing records and the current time. */
export interface DeliveredWorld {
  readonly mediumIds: readonly bigint[]
  readonly publisherIds: readonly bigint[]
  readonly nowMs: number
  readonly today: Day
}
export interface ExtremeDelivery {
  readonly dataset: Dataset
  readonly content: Buffer
  /** An id that was delivered before makes it a correction. */
  readonly batchId: string
  /** Description for failure messages. */
  readonly about: string
}

type Value = string | number | bigint | null
type DeliveredRow = Record<string, Value>

const MAX_ID = 2n ** 53n - 1n
/** Higher than the ids of contents that the system starts with. */
const FIRST_OWN_ID = 1_000_000n
/** Characters of one to four UTF-8 bytes, combining marks, right-to-left script and surrogate pairs. */
const CHARACTERS = ['a', 'é', 'が', '日', '𠮷', 'ש', 'が', '👩‍👩‍👧', '"', "'", ',', '=', '\\']
/** Repeated entries are chosen more often. */
const FORMS = ['csv', 'csv', 'csv-of-windows', 'ndjson', 'ndjson', 'parquet'] as const
const COMPRESSIONS = ['none', 'none', 'gzip', 'zstd'] as const
const MAX_ROWS = 2_000

/**
 * Random deliveries with values at the limits of their columns; each single value is valid. Generated from the
 * declared columns, so that new columns and datasets are covered automatically.
 */
export async function extremeDelivery(
  random: RandomSource,
  world: DeliveredWorld,
  known: Map<Dataset, string[]>,
  number: number,
): Promise<ExtremeDelivery> {
  const dataset = random.oneOf(DATASETS)
  const ids = known.get(dataset) ?? []
  const isCorrection = ids.length > 0 && random.percent(35)
  const batchId = isCorrection ? random.oneOf(ids) : `${dataset}-${number}`
  if (!isCorrection) known.set(dataset, [...ids, batchId])
  const rows = rowsOf(random, world, dataset, number)
  const form = random.oneOf(FORMS)
  const compression = random.oneOf(COMPRESSIONS)
  const plain = await written(form, rows)
  const content = compression === 'none' ? plain : compression === 'gzip' ? gzipSync(plain) : zstdCompressSync(plain)
  return {
    dataset,
    content,
    batchId,
    about: `${number}: ${dataset} ${batchId} ${form} ${compression} ${rows.length} rows`,
  }
}

function rowsOf(random: RandomSource, world: DeliveredWorld, dataset: Dataset, number: number): DeliveredRow[] {
  const count = random.percent(4) ? MAX_ROWS : 1 + random.below(6)
  const columns = DATASET_COLUMNS[dataset].filter(({ presence }) => presence === 'column' || random.percent(70))
  /** Half of the deliveries have one day and publisher, the others are spread. */
  const fixed = random.percent(50) ? rowOf(random, world, dataset, columns, number, 0) : undefined
  const rows = Array.from({ length: count }, (_, at): DeliveredRow => {
    const row = rowOf(random, world, dataset, columns, number, at)
    for (const name of ['date', 'medium_id', 'publisher_id'])
      if (fixed && name in row && !isContentDataset(dataset)) row[name] = fixed[name]!
    return row
  })
  const keys = DATASET_KEYS[dataset]
  if (keys.length === 0) return rows
  return [...new Map(rows.map(row => [keys.map(name => row[name]).join(), row])).values()]
}

function rowOf(
  random: RandomSource,
  world: DeliveredWorld,
  dataset: Dataset,
  columns: readonly DatasetColumn[],
  number: number,
  at: number,
): DeliveredRow {
  const row: DeliveredRow = {}
  for (const column of columns) {
    const isEmpty = column.presence === 'optional' && random.percent(25)
    row[column.name] = isEmpty ? null : extremeValue(random, world, column.type)
  }
  if (dataset === 'events') makeEvent(row)
  if (isContentDataset(dataset)) makeContent(row, world, BigInt(number) * BigInt(MAX_ROWS) + BigInt(at))
  return row
}

/** Keeps only the columns that belong to the event's kind. */
function makeEvent(row: DeliveredRow): void {
  const isOf = (kind: string) => row.kind === kind
  row.article_id = isOf('article') ? (row.article_id ?? 1n) : null
  row.video_id = isOf('video') ? (row.video_id ?? MAX_ID) : null
  if (row.type !== 'watch') row.watched_ms = null
}

/** A content keeps its medium and has a unique name. Feeds are left out, because none is registered. */
function makeContent(row: DeliveredRow, world: DeliveredWorld, own: bigint): void {
  const idName = 'article_id' in row ? 'article_id' : 'video_id'
  const id = own % 3n === 0n ? MAX_ID - (own % 5_000n) : FIRST_OWN_ID + own
  row[idName] = id
  row.medium_id = world.mediumIds[Number(id % BigInt(world.mediumIds.length))]!
  row.publisher_id = world.publisherIds[Number(id % BigInt(world.publisherIds.length))]!
  if ('medium_article_id' in row) row.medium_article_id = `${String(row.medium_article_id).slice(0, 180)}${id}`
  if ('feed_id' in row) row.feed_id = null
}

function extremeValue(random: RandomSource, world: DeliveredWorld, type: ColumnType): Value {
  switch (type.kind) {
    case 'day':
      return random.oneOf([
        EARLIEST_DAY,
        '2024-02-29',
        '2025-12-31',
        world.today,
        addDays(world.today, -1),
        dayOf(random, world),
      ])
    case 'instant': {
      const earliest = Date.parse(`${type.earliest}T00:00:00+09:00`)
      const latest = world.nowMs + type.aheadDays * 86_400_000
      return instantText(random, random.oneOf([earliest, earliest + 1, latest - 60_000, world.nowMs - 60_000]))
    }
    case 'id':
      if (type.known) return random.oneOf(type.known === 'medium' ? world.mediumIds : world.publisherIds)
      return random.oneOf([1n, MAX_ID, MAX_ID - 1n, BigInt(random.below(2 ** 31)) * 4_000_000n + 1n])
    case 'count':
      return random.oneOf(
        [0, 1, type.max, type.max, type.max - 1, random.below(1_000)].filter(value => value <= type.max),
      )
    case 'choice':
      return random.oneOf(type.choices)
    case 'title':
      return words(random, random.oneOf([1, type.max]))
    case 'name':
      // Without invisible characters (joiners, direction marks), which are refused.
      return 'あ𠮷a'.repeat(type.max).slice(0, random.oneOf([4, type.max]))
    case 'names':
      return random.percent(40)
        ? words(random, type.max)
        : JSON.stringify(
            Array.from({ length: random.oneOf([1, type.most]) }, () => words(random, random.oneOf([1, type.max]))),
          )
    case 'web-address': {
      const start = random.oneOf(['https://例え.jp/', 'http://a.b:65535/?', 'HTTPS://xn--r8jz45g.jp/#'])
      return start + random.oneOf(['', 'あ'.repeat(type.max - start.length), 'x'.repeat(type.max - start.length)])
    }
    case 'cells': {
      const names = Object.keys(type.ids)
      const combinations = names.reduce<Record<string, number>[]>(
        (found, name) =>
          found.flatMap(cell => Array.from({ length: type.ids[name]! + 1 }, (_, id) => ({ ...cell, [name]: id }))),
        [{}],
      )
      const cells = random.percent(30) ? combinations : combinations.slice(-1)
      const most = random.oneOf([0, 1, 10 ** 12])
      return JSON.stringify(
        cells.map(cell => ({ ...cell, ...Object.fromEntries(type.counts.map(name => [name, most])) })),
      )
    }
  }
}

function dayOf(random: RandomSource, world: DeliveredWorld): Day {
  const first = Date.parse(EARLIEST_DAY)
  const days = Math.floor((Date.parse(world.today) - first) / 86_400_000)
  return addDays(day(EARLIEST_DAY), random.below(days + 1))
}

function instantText(random: RandomSource, ms: number): string {
  const at = (minutes: number, offset: string) =>
    `${new Date(ms + minutes * 60_000).toISOString().slice(0, -1)}${offset}`
  return random.oneOf([`${ms}`, at(0, 'Z'), at(540, '+09:00'), at(-720, '-12:00'), at(840, '+14:00')])
}

/** A text of `length` code points, the first of which is visible. */
function words(random: RandomSource, length: number): string {
  const points: string[] = ['本']
  while (points.length < length) points.push(...random.oneOf(CHARACTERS))
  return points.slice(0, length).join('')
}

async function written(form: (typeof FORMS)[number], rows: readonly DeliveredRow[]): Promise<Buffer> {
  const names = Object.keys(rows[0]!)
  const text = () =>
    csv(
      names,
      rows.map(row => names.map(name => row[name])),
    )
  if (form === 'csv') return Buffer.from(text())
  if (form === 'csv-of-windows') return Buffer.from(`\uFEFF${text().replaceAll('\n', '\r\n')}`)
  if (form === 'parquet')
    return parquet(text(), 'timestamp' in rows[0]! || 'title' in rows[0]! ? 'column' : 'cast(column as bigint)')
  const line = (row: DeliveredRow) =>
    JSON.stringify(
      Object.fromEntries(names.map(name => [name, typeof row[name] === 'bigint' ? Number(row[name]) : row[name]])),
    )
  return Buffer.from(rows.map(row => `${line(row)}\n`).join(''))
}
