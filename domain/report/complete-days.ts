import type { Day } from '../month/day.ts'
import { isAwaited } from './arrival.ts'

/**
 * The days that every medium has delivered. A medium counts from its first day on, and no longer once it has been
 * silent for `SILENT_DAYS` of `arrival.ts`.
 * Tested by `domain/report/month-forecast.test.ts`.
 * @param delivered the days that each medium delivered
 */
export function completeDays(delivered: Iterable<ReadonlySet<Day>>): ReadonlySet<Day> {
  const media = [...delivered].filter(days => days.size > 0).map(days => ({ days, ...endsOf(days) }))
  const last = media.map(medium => medium.last).reduce((a, b) => (a > b ? a : b), '' as Day)
  const awaited = media.filter(medium => isAwaited(medium.last, last))
  const all = new Set(media.flatMap(({ days }) => [...days]))
  return new Set([...all].filter(day => awaited.every(({ days, first }) => day < first || days.has(day))))
}

function endsOf(days: ReadonlySet<Day>): { readonly first: Day; readonly last: Day } {
  const sorted = [...days].sort()
  return { first: sorted[0]!, last: sorted.at(-1)! }
}
