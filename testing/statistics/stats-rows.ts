import { addDays, type Day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { type FactTable, TABLES } from '@pc/platform/stats/tables.ts'

/** A row of a fact table by column name; what tests generate, import and sum up again independently of any SQL. */
export type FactRow = Readonly<Record<string, bigint | string | null>>
export type Facts = Readonly<Partial<Record<FactTable, readonly FactRow[]>>>

/** The values of rows in the order of the table's columns, as an import takes them. A count that a row does not name is 0. */
export function inColumnOrder(table: FactTable, rows: readonly FactRow[]): (bigint | string | null)[][] {
  const { columns } = TABLES[table]
  return rows.map(row =>
    columns.map(([column, , nullable]) => (row[column] === undefined && !nullable ? 0n : (row[column] ?? null))),
  )
}

function monthsOf(rows: readonly FactRow[]): YearMonth[] {
  return [...new Set(rows.map(row => monthOfDay(row.date as Day)))]
}

/** Repeatable random numbers: the same seed gives the same data on every machine. */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: <T>(items: readonly T[]): T => items[below(items.length)]!, chance: (p: number) => next() < p }
}
export type Random = ReturnType<typeof randomFrom>

interface RandomFactsOptions {
  readonly from: Day
  readonly days: number
  readonly publisherIds: readonly bigint[]
  readonly mediumIds: readonly bigint[]
  readonly batchNo: bigint
  /** Share of publisher-days without a row. */
  readonly gaps: number
}

/** Days of publishers with gaps, zeros, unknown followers, negative corrections, unknown genders and huge amounts. */
export function randomPublisherFacts(random: Random, options: RandomFactsOptions): Facts {
  const { from, days, publisherIds, mediumIds, batchNo } = options
  const publisherDays: FactRow[] = []
  const demographics: FactRow[] = []
  for (let index = 0; index < days; index += 1) {
    const date = addDays(from, index)
    for (const mediumId of mediumIds) {
      for (const publisherId of publisherIds) {
        if (random.chance(options.gaps)) continue
        const key = { date, medium_id: mediumId, publisher_id: publisherId, batch_no: batchNo }
        const amount = () => (random.chance(0.1) ? 0n : BigInt(random.below(5_000_000)))
        const money = () =>
          random.chance(0.03) ? -BigInt(random.below(3_000_000)) : BigInt(random.below(2 ** 30)) * 7_919n
        publisherDays.push({
          ...Object.fromEntries(TABLES.publisher_day.columns.map(([column]) => [column, amount()])),
          ...Object.fromEntries(
            TABLES.publisher_day.columns
              .filter(([column]) => column.endsWith('_micro_yen'))
              .map(([column]) => [column, money()]),
          ),
          ...(random.chance(0.01) ? { ssp_revenue_micro_yen: 200_000_000_000_000_000n } : {}),
          follower: random.chance(0.2) ? null : BigInt(random.below(100_000)),
          ...key,
        })
        const cells = random.below(4)
        for (let cell = 0; cell < cells; cell += 1) {
          const [gender, age] = [BigInt(random.below(3)), BigInt(random.below(7))]
          demographics.push({ ...key, gender_id: gender, age_id: age, click: BigInt(random.below(900)) })
        }
      }
    }
  }
  return { publisher_day: publisherDays, publisher_demo_day: demographics }
}

/** Stages and publishes facts as one batch. */
export async function importFacts(
  store: StatsStore,
  batchNo: bigint,
  facts: Facts,
  replacesBatchNos: readonly bigint[] = [],
  months: readonly YearMonth[] = [],
): Promise<void> {
  const tables = Object.entries(facts) as [FactTable, readonly FactRow[]][]
  const scopeMonths = [...new Set([...months, ...tables.flatMap(([, rows]) => monthsOf(rows))])]
  const run = await store.beginImport({ batchNo, replacesBatchNos, months: scopeMonths })
  try {
    for (const [table, rows] of tables) await run.append(table, inColumnOrder(table, rows))
    await run.publish()
  } finally {
    await run.discard()
  }
}
