import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { inMonths } from '@pc/platform/stats/publication.ts'
import { joined, type Sql, sql } from '@pc/platform/stats/sql.ts'

/** The months of each medium that are final. */
export type ClosedMonths = ReadonlyMap<bigint, readonly YearMonth[]>

/** `is_closed`: 1 when all rows of a group belong to closed months of their media, else 0. */
export function allClosed(closed: ClosedMonths): Sql {
  return closed.size === 0 ? sql`0 as is_closed` : sql`min(${isRowClosed(closed)}) as is_closed`
}

/** 1 when a row belongs to a closed month of its medium, else 0. */
export function isRowClosed(closed: ClosedMonths): Sql {
  // Media are mostly closed together: one condition for those that are is planned in half of the time.
  const together = Map.groupBy(closed, ([, months]) => [...months].sort((a, b) => a - b).join())
  const conditions = [...together.values()].map(media => {
    const isOfThem = joined(
      media.map(([mediumId]) => sql`medium_id = ${mediumId}`),
      sql` or `,
    )
    return sql`(${isOfThem}) and ${inMonths(media[0]![1])}`
  })
  if (conditions.length === 0) return sql`0`
  return sql`case when (${joined(conditions, sql`) or (`)}) then 1 else 0 end`
}

/** The closings of the months that a range touches. */
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
