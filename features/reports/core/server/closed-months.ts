import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'

/** The finalised months by medium id. */
export type ClosedMonths = ReadonlyMap<bigint, readonly YearMonth[]>

/** Reads the finalised months that overlap a range. */
export async function readClosedMonths(reader: Reader, { from, to }: DayRange): Promise<ClosedMonths> {
  const rows = await reader
    .selectFrom('monthClosings')
    .select(['mediumId', 'month'])
    .where('month', '>=', monthOfDay(from))
    .where('month', '<=', monthOfDay(to))
    .execute()
  return new Map(
    [...Map.groupBy(rows, row => row.mediumId)].map(([mediumId, each]) => [
      mediumId,
      each.map(({ month }) => month as YearMonth),
    ]),
  )
}
