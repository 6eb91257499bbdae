import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Row } from '@pc/platform/stats/port.ts'

/** The first and the last day for which anything of a report's media has arrived, from `data_from` and `data_until`. */
export function knownDays(row: Row | undefined): DayRange | undefined {
  const [from, to] = [row?.data_from ?? null, row?.data_until ?? null]
  return from === null || to === null ? undefined : { from: from as Day, to: to as Day }
}
