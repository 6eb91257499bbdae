import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** Which months of which media are final. */
export class ClosedMonths {
  readonly #known: ReadonlySet<string>
  constructor(closings: readonly { readonly mediumId: bigint; readonly month: number }[]) {
    this.#known = new Set(closings.map(({ mediumId, month }) => `${mediumId} ${month}`))
  }

  has(mediumId: bigint, month: YearMonth): boolean {
    return this.#known.has(`${mediumId} ${month}`)
  }
}

/** The closings of the months that a range touches. */
export async function readClosedMonths(tx: Transaction, { from, to }: DayRange): Promise<ClosedMonths> {
  const rows = await tx
    .selectFrom('monthClosings')
    .select(['mediumId', 'month'])
    .where('month', '>=', monthOfDay(from))
    .where('month', '<=', monthOfDay(to))
    .execute()
  return new ClosedMonths(rows)
}
