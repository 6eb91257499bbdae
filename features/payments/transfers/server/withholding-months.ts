import { type Day, dayOf } from '@pc/domain/month/day.ts'
import { lastDayOf, monthRange, type YearMonth, yearMonth } from '@pc/domain/month/year-month.ts'
import { withholdingPayableOn } from '@pc/domain/transfer/tax-office-rules.ts'
import { withheldTaxesText } from '@pc/domain/transfer/withheld-taxes.ja.ts'
import { RESIDENCES, type Residence } from '@pc/domain/transfer/withholding.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { readHolidayCalendar } from '../../core/server/holiday-calendar.ts'

/**
 * What one form of payment to the tax office (所得税徴収高計算書) says of a month in which payees were withheld from. Yen.
 * Residents and non-residents have a form each.
 */
export interface WithholdingMonth {
  readonly month: YearMonth
  readonly residence: Residence
  readonly payees: bigint
  /** Without consumption tax, which the statements show apart. */
  readonly paymentYen: bigint
  readonly withholdingYen: bigint
  /** Tax of payments that came back in the month after it had been payable: to be claimed back from the tax office. */
  readonly returnedYen: bigint
  /** Transfers of the month without a result. */
  readonly unsettled: bigint
  /** Null: its holidays are unknown. */
  readonly payableOn: Day | null
  /** Japanese: the names of the taxes in it. */
  readonly taxes: string
}

/**
 * The twelve months of a calendar year, those of residents before those of non-residents, by the days on which the
 * bank paid. What came back until the tax was payable is not
 * in them: nothing was paid. What came back later does not make a form smaller, it has to be claimed back. Of two transfers
 * that paid the same, as the bank carried out a recalled one, the one that came back was a mistake and no tax.
 * Tested by `scenarios/split-transfers.test.ts`.
 */
export async function readWithholdingMonths(tx: Transaction, year: number): Promise<readonly WithholdingMonth[]> {
  const calendar = await readHolidayCalendar(tx)
  // The tax of December is payable in this year.
  const months = monthRange(yearMonth(year - 1, 12), yearMonth(year, 12)).map(month => ({
    month,
    ...withholdingPayableOn(month, calendar),
  }))
  const from = dayOf(year - 1, 12, 1)
  const column = (values: readonly (number | string)[]) => sql`${`{${values.join(',')}}`}::text`
  const { rows } = await sql<Omit<WithholdingMonth, 'payableOn' | 'taxes'>>`
    with forms as (
      select month, make_date(month / 100, month % 100, 1) as first, payable_on
      from unnest(${column(months.map(each => each.month))}::int[], ${column(months.map(each => each.day))}::date[])
        f (month, payable_on)
    ), moved as (
      select t.organization_id, t.payee_residence, t.payment_yen, t.withholding_yen, t.paid_on, t.returned_on, b.transfer_on, t.state
      from transfers t join transfer_batches b on b.id = t.batch_id where t.withholding_yen > 0
        and (t.paid_on >= ${from} or t.returned_on >= ${from} or t.state = 'exported')
        and not exists (select from transfer_payments x
          join transfer_payments y on y.monthly_payment_id = x.monthly_payment_id and y.transfer_id <> x.transfer_id
          join transfers o on o.id = y.transfer_id join transfer_recalls r on r.transfer_id = o.id
          where x.transfer_id = t.id and t.returned_on is not null and r.purpose = 'pay' and r.state = 'confirmed'
            and o.paid_on <= t.returned_on and (o.returned_on is null or o.returned_on > t.returned_on))
    )
    select f.month, h.residence, p.payees, p.payment_yen, p.withholding_yen,
      (select coalesce(sum(m.withholding_yen), 0)::bigint from moved m
        left join forms g on m.paid_on >= g.first and m.paid_on < g.first + interval '1 month'
        where m.payee_residence = h.residence and m.paid_on is not null and m.returned_on >= f.first and m.returned_on < f.first + interval '1 month'
          and (g.payable_on is null or m.returned_on > g.payable_on)) as returned_yen,
      (select count(*) from moved m where m.payee_residence = h.residence and m.state = 'exported'
        and m.transfer_on >= f.first and m.transfer_on < f.first + interval '1 month') as unsettled
    from forms f cross join unnest(${column(RESIDENCES)}::text[]) with ordinality h (residence, place) cross join lateral (
      select count(distinct m.organization_id) as payees, coalesce(sum(m.payment_yen), 0)::bigint as payment_yen,
        coalesce(sum(m.withholding_yen), 0)::bigint as withholding_yen
      from moved m where m.payee_residence = h.residence and m.paid_on >= f.first and m.paid_on < f.first + interval '1 month'
        and (m.returned_on is null or m.returned_on > f.payable_on)) p
    where f.month / 100 = ${year} order by h.place, f.month`.execute(tx)
  const dueOf = new Map(months.map(({ month, isKnown, day }) => [month, isKnown ? day : null]))
  return rows.map(row => ({
    ...row,
    payableOn: dueOf.get(row.month) ?? null,
    taxes: withheldTaxesText(lastDayOf(row.month)),
  }))
}
