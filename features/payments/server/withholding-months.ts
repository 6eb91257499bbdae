import { nextBusinessDay } from '@pc/domain/month/business-day.ts'
import { type Day, dayOf } from '@pc/domain/month/day.ts'
import { calendarCovers } from '@pc/domain/month/holiday-calendar.ts'
import {
  addMonths,
  lastDayOf,
  monthOf,
  monthRange,
  type YearMonth,
  yearMonth,
  yearOf,
} from '@pc/domain/month/year-month.ts'
import { withheldTaxesText } from '@pc/domain/payment/withheld-taxes.ja.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { readHolidayCalendar } from './holiday-calendar.ts'

/** What one form of payment to the tax office (所得税徴収高計算書) says of a month in which individuals were paid. Yen. */
export interface WithholdingMonth {
  readonly month: YearMonth
  readonly payees: bigint
  /** Without consumption tax, which the statements show apart. */
  readonly paymentYen: bigint
  readonly withholdingYen: bigint
  /** The 10th of the next month, or the next working day (income tax act, article 204); null: its holidays are unknown. */
  readonly payableOn: Day | null
  /** Japanese: the names of the taxes in it. */
  readonly taxes: string
}

/**
 * The twelve months of a calendar year by the days on which the bank paid. What came back is taken off in the month in which
 * it did, as in the journal.
 */
export async function readWithholdingMonths(tx: Transaction, year: number): Promise<readonly WithholdingMonth[]> {
  const [from, to] = [dayOf(year, 1, 1), dayOf(year, 12, 31)]
  const { rows } = await sql<{ month: number; payees: bigint; paymentYen: bigint; withholdingYen: bigint }>`
    with moved as (
      select paid_on as moved_on, organization_id, payment_yen, withholding_yen from transfers
      where withholding_yen > 0 and paid_on between ${from} and ${to}
      union all
      select returned_on, organization_id, -payment_yen, -withholding_yen from transfers
      where withholding_yen > 0 and paid_on is not null and returned_on between ${from} and ${to}
    ), by_payee as (
      select extract(month from moved_on)::int as month, sum(payment_yen) as payment_yen, sum(withholding_yen) as withholding_yen
      from moved group by 1, organization_id
    )
    select month, count(*) filter (where withholding_yen > 0) as payees, sum(payment_yen)::bigint as payment_yen,
      sum(withholding_yen)::bigint as withholding_yen
    from by_payee group by month`.execute(tx)
  const sums = new Map(rows.map(row => [row.month, row]))
  const calendar = await readHolidayCalendar(tx)
  const payableOn = (month: YearMonth): Day | null => {
    const next = addMonths(month, 1)
    const tenth = dayOf(yearOf(next), monthOf(next), 10)
    return calendarCovers(calendar, tenth) ? nextBusinessDay(calendar, tenth) : null
  }
  return monthRange(yearMonth(year, 1), yearMonth(year, 12)).map(month => {
    const { payees = 0n, paymentYen = 0n, withholdingYen = 0n } = sums.get(monthOf(month)) ?? {}
    return {
      ...{ month, payees, paymentYen, withholdingYen },
      payableOn: payableOn(month),
      taxes: withheldTaxesText(lastDayOf(month)),
    }
  })
}
