import { type Day, day } from '@pc/domain/month/day.ts'
import { firstDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { FACT_TABLES, type FactTable, ROLL_UP_TABLES, ROLL_UPS, TABLES } from '@pc/platform/stats/tables.ts'
import type { FactRow, Facts, Random } from './stats-rows.ts'

/**
 * Random sequences of publications with the expected content of every table after each, and messages for other
 * processes.
 */

export interface Publication {
  readonly batchNo: bigint
  readonly facts: Facts
  readonly replaces: readonly bigint[]
  /** Months of the replaced batches. */
  readonly months: readonly YearMonth[]
}

export type PublicationRequest =
  | { readonly kind: 'answer' }
  | { readonly kind: 'publish'; readonly publication: Publication }
  | { readonly kind: 'compact'; readonly before: YearMonth }

export interface PublicationSequence {
  readonly publications: readonly Publication[]
  /** `states[n]`: expected content of every month of every table after n publications. */
  readonly states: readonly (readonly string[])[]
}

const FIGURES: Readonly<Partial<Record<FactTable, string>>> = {
  publisher_day: 'article_click',
  publisher_demo_day: 'click',
  article_day: 'click',
  video_day: 'click',
}

/** New deliveries, corrections and withdrawals of three media over three months. */
export function publicationSequence(random: Random, length: number): PublicationSequence {
  const live = new Map<bigint, Facts>()
  const publications: Publication[] = []
  const states = [figuresOf(live)]
  for (let batchNo = 1n; batchNo <= BigInt(length); batchNo += 1n) {
    const isChange = live.size > 2 && random.chance(0.4)
    const replaces = isChange ? [random.pick([...live.keys()])] : []
    const facts = isChange && random.chance(0.3) ? {} : factsOf(random, batchNo)
    const months = replaces
      .flatMap(each => Object.values(live.get(each)!).flat())
      .map(row => monthOfDay(row.date as Day))
    publications.push({ batchNo, facts, replaces, months: [...new Set(months)] })
    for (const each of replaces) live.delete(each)
    live.set(batchNo, facts)
    states.push(figuresOf(live))
  }
  return { publications, states }
}

function factsOf(random: Random, batchNo: bigint): Facts {
  const mediumId = BigInt(1 + random.below(3))
  const first = 1 + random.below(3)
  const months = random.chance(0.2) ? [first, 1 + (first % 3)] : [first]
  const facts: Record<string, FactRow[]> = {}
  for (const [name, figure] of Object.entries(FIGURES) as [FactTable, string][]) {
    if (random.chance(0.3)) continue
    facts[name] = months.flatMap(month =>
      Array.from({ length: 1 + random.below(4) }, () => ({
        ...Object.fromEntries(TABLES[name].columns.map(([column]) => [column, BigInt(random.below(50))])),
        date: day(`2026-0${month}-1${random.below(10)}`),
        medium_id: mediumId,
        publisher_id: BigInt(1 + random.below(5)),
        batch_no: batchNo,
        [figure]: BigInt(1 + random.below(1_000_000_000)),
      })),
    )
  }
  return facts
}

/** Computed from the rows, without SQL. */
function figuresOf(live: ReadonlyMap<bigint, Facts>): readonly string[] {
  const figures: string[] = []
  for (const name of FACT_TABLES) {
    const rows = [...live.values()].flatMap(facts => facts[name] ?? [])
    for (const own of Map.groupBy(rows, row => monthOfDay(row.date as Day)).values()) {
      const bucket = firstDayOf(monthOfDay(own[0]!.date as Day))
      const sum = (column: string) => own.reduce((total, row) => total + (row[column] as bigint), 0n)
      const shown = sum(FIGURES[name]!)
      figures.push(`${name} ${bucket} ${shown} ${sum('batch_no')} ${own.length}`)
      for (const rollUp of ROLL_UP_TABLES) {
        if (ROLL_UPS[rollUp].of === name) figures.push(`${rollUp} ${bucket} ${shown} 0 0`)
      }
    }
  }
  return figures.sort()
}

export const writeMessage = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? { bigint: String(each) } : each))
export const readMessage = (text: string): unknown =>
  JSON.parse(text, (_, each) => (each && typeof each === 'object' && 'bigint' in each ? BigInt(each.bigint) : each))
