import { day } from '@pc/domain/month/day.ts'
import type { Row, StatsStore, Value } from '@pc/platform/stats/port.ts'
import { ident, joined, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { FACTS, type FactTable, type RollUpTable } from '@pc/platform/stats/tables.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { IngestRefusal } from '../ingest-refusal.ts'
import type { BatchRow } from '../ingest-store.ts'
import type { FactFile } from '../publishing/build-facts.ts'
import { type ReadingEngine, text } from '../reading/reading-engine.ts'
import { DATASET_COLUMNS } from './dataset-columns.ts'
import { limitsOf } from './figure-limits.ts'

/** Roll-ups that hold the same sums in fewer rows. Facts without one are summed themselves. */
const SUMMED_IN: Readonly<Partial<Record<FactTable, RollUpTable>>> = {
  publisher_day: 'medium_day',
  publisher_demo_day: 'medium_demo_day',
  article_day: 'medium_article_day',
  video_day: 'medium_video_day',
}

/** Sums by column name. */
type Sums = ReadonlyMap<string, bigint>
interface PublisherDay {
  readonly date: string
  readonly mediumId: bigint
  readonly publisherId: bigint
}

/**
 * Refuses a delivery with which a visible sum would exceed `figure-limits.ts`; figures that it replaces do not count.
 * No figure is negative, so the total over everything also bounds every month and content. A delivery that increases no
 * sum is never refused.
 * @throws IngestRefusal that names the column, the day and the publisher
 */
export async function refuseTooGreatSums(
  stats: StatsStore,
  engine: ReadingEngine,
  facts: readonly FactFile[],
  predecessor: BatchRow | undefined,
): Promise<void> {
  for (const fact of facts) {
    const columns = sumsOf(fact.table)
    const greatest = await greatestDays(engine, fact, columns)
    await refuseDays(stats, engine, fact, columns, greatest, predecessor)
    await refuseTotals(stats, engine, fact, columns, predecessor)
  }
}

/** The columns of a fact that reports add up. Followers are left out: they are a level per day, not a sum. */
function sumsOf(name: FactTable): string[] {
  return FACTS[name].columns
    .filter(
      ([column, type]) => type === 'Int64' && column !== 'batch_no' && column !== 'follower' && !/_id$/.test(column),
    )
    .map(([column]) => column)
}

const GROUP = 'date, medium_id, publisher_id'
const asText = (columns: readonly string[], of: (column: string) => string) =>
  columns.map((column, at) => `cast(coalesce(${of(column)}, 0) as varchar) as sum_${at}`).join(', ')
const readSums = (columns: readonly string[], row: Readonly<Record<string, unknown>> | undefined): Sums =>
  new Map(columns.map((column, at) => [column, BigInt(String(row?.[`sum_${at}`] ?? 0))]))

function greatestDays(engine: ReadingEngine, { file }: FactFile, columns: readonly string[]): Promise<Sums> {
  const sums = columns.map(column => `sum(${column}) as ${column}`).join(', ')
  return engine
    .rows(
      `select ${asText(columns, column => `max(${column})`)} from (select ${sums} from read_parquet(${text(file)}) group by ${GROUP})`,
    )
    .then(([row]) => readSums(columns, row))
}

async function refuseDays(
  stats: StatsStore,
  engine: ReadingEngine,
  fact: FactFile,
  columns: readonly string[],
  greatest: Sums,
  predecessor: BatchRow | undefined,
): Promise<void> {
  // The delivery alone: its own greatest day may exceed the limit already.
  for (const column of columns) {
    if (greatest.get(column)! > limitsOf(column).day) await refuseDay(engine, fact, column, undefined, 0n)
  }
  const given = columns.filter(column => greatest.get(column)! > 0n)
  if (given.length === 0) return
  const [range] = await engine.rows(
    `select cast(min(date) as varchar) as first, cast(max(date) as varchar) as last from read_parquet(${text(fact.file)})`,
  )
  // Reads only stored days that the delivery's greatest day could lift over a limit; usually there is none.
  const near = given.map(column => sql`${sumInt(ident(column))} > ${limitsOf(column).day - greatest.get(column)!}`)
  const stored = await stats.query(sql`
    select date, medium_id, publisher_id, ${joined(given.map(total), sql`, `)} from ${table(fact.table)}
    where date between ${day(String(range!.first))} and ${day(String(range!.last))} and ${notReplaced(predecessor)}
    group by date, medium_id, publisher_id having ${joined(near, sql` or `)}`)
  // Together with what is stored of the same day.
  for (const row of stored) {
    const of: PublisherDay = {
      date: String(row.date),
      mediumId: row.medium_id as bigint,
      publisherId: row.publisher_id as bigint,
    }
    for (const column of given) await refuseDay(engine, fact, column, of, row[`total_${column}`] as bigint)
  }
}

/** Throws when `stored` and the delivery's own sum exceed the day limit. @param of undefined: the delivery's greatest day */
async function refuseDay(
  engine: ReadingEngine,
  { file }: FactFile,
  column: string,
  of: PublisherDay | undefined,
  stored: bigint,
): Promise<void> {
  const where = of
    ? `where date = ${text(of.date)} and medium_id = ${of.mediumId} and publisher_id = ${of.publisherId}`
    : ''
  const [row] = await engine.rows(
    `select cast(date as varchar) as date, medium_id, publisher_id, cast(sum(${column}) as varchar) as sum ` +
      `from read_parquet(${text(file)}) ${where} group by ${GROUP} order by sum(${column}) desc limit 1`,
  )
  const given = BigInt(String(row?.sum ?? 0))
  const limit = limitsOf(column).day
  if (row === undefined || given === 0n || given + stored <= limit) return
  throw refusal(INGEST_MESSAGES.tooGreatDay(named(column), dayText(row), given + stored, limit))
}

async function refuseTotals(
  stats: StatsStore,
  engine: ReadingEngine,
  { table: name, file }: FactFile,
  columns: readonly string[],
  predecessor: BatchRow | undefined,
): Promise<void> {
  const [row] = await engine.rows(
    `select ${asText(columns, column => `sum(${column})`)} from read_parquet(${text(file)})`,
  )
  const delivered = readSums(columns, row)
  const given = columns.filter(column => delivered.get(column)! > 0n)
  if (given.length === 0) return
  const totals = joined(given.map(total), sql`, `)
  const [stored] = await stats.query(sql`select ${totals} from ${table(SUMMED_IN[name] ?? name)}`)
  const [replaced] = predecessor
    ? await stats.query(
        sql`select ${totals} from ${table(name)} where ${daysOf(predecessor)} and batch_no = ${predecessor.batchNo}`,
      )
    : []
  for (const column of given) {
    const change = delivered.get(column)! - read(replaced, column)
    const sum = read(stored, column) + change
    const { total: most, totalWithUnusual, usual } = limitsOf(column)
    const limit = change > usual ? totalWithUnusual : most
    if (change <= 0n || sum <= limit) continue
    const [greatest] = await engine.rows(
      `select cast(date as varchar) as date, medium_id, publisher_id from read_parquet(${text(file)}) ` +
        `group by ${GROUP} order by sum(${column}) desc limit 1`,
    )
    // The message names the stored batch with the greatest sum: a wrong one is most likely that.
    const [batch] = await stats.query(sql`
      select batch_no from ${table(name)} group by batch_no order by ${sumInt(ident(column))} desc limit 1`)
    const greatestBatch = (batch?.batch_no as bigint | undefined) ?? null
    throw refusal(INGEST_MESSAGES.tooGreatTotal(named(column), dayText(greatest!), sum, limit, greatestBatch))
  }
}

const total = (column: string): Sql => sql`coalesce(${sumInt(ident(column))}, 0) as ${ident(`total_${column}`)}`
const read = (row: Row | undefined, column: string): bigint => BigInt((row?.[`total_${column}`] as Value) ?? 0)

function notReplaced(predecessor: BatchRow | undefined): Sql {
  return predecessor ? sql`batch_no <> ${predecessor.batchNo}` : sql`1 = 1`
}

function daysOf({ firstDay, lastDay }: BatchRow): Sql {
  return firstDay && lastDay ? sql`date between ${firstDay} and ${lastDay}` : sql`1 = 1`
}

function refusal(message: string): IngestRefusal {
  return new IngestRefusal('ingest/too-great', message)
}

const LABELS = new Map(
  Object.values(DATASET_COLUMNS)
    .flat()
    .map(({ name, label }) => [name, label]),
)
function named(column: string): string {
  const label = LABELS.get(column)
  return label === undefined ? column : `${column}（${label}）`
}

function dayText(row: Readonly<Record<string, unknown>>): string {
  return `${row.date}・媒体 ${row.medium_id}・パブリッシャー ${row.publisher_id}`
}
