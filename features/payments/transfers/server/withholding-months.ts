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
  /**
   * Tax of payments that came back in this month, after their tax had been payable. It has to be claimed back from the
   * tax office.
   */
  readonly returnedYen: bigint
  /** Transfers of the month without a result. */
  readonly unsettled: bigint
  /** Null: the holidays of its year are unknown. */
  readonly payableOn: Day | null
  /** Japanese: the names of the taxes in it. */
  readonly taxes: string
}

/**
 * The twelve months of a calendar year, residents before non-residents. The day on which the bank paid decides the month.
 * A payment that came back before its tax was payable is left out, as nothing was paid. One that came back later stays
 * in its form and counts as `returnedYen` of the month in which it came back.
 * Tested by `scenarios/split-transfers.test.ts`.
 */
export async function readWithholdingMonths(tx: Transaction, year: number): Promise<readonly WithholdingMonth[]> {
  const calendar = await readHolidayCalendar(tx)
  // With December of the year before, because its tax is payable in this year, which decides when a return is late.
  const months = monthRange(yearMonth(year - 1, 12), yearMonth(year, 12)).map(month => ({
    month,
    ...withholdingPayableOn(month, calendar),
  }))
  const from = dayOf(year - 1, 12, 1)
  const column = (values: readonly (number | string)[]) => sql`${`{${values.join(',')}}`}::text`
  const { rows } = await sql<Omit<WithholdingMonth, 'payableOn' | 'taxes'>>`
    with forms as (
      select month, make_date(month / 100, month % 100, 1) as first_day,
        make_date(month / 100, month % 100, 1) + interval '1 month' as next_first_day, payable_on
      from unnest(${column(months.map(each => each.month))}::int[], ${column(months.map(each => each.day))}::date[])
        form (month, payable_on)
    ),
    -- Transfers that came back although the bank had also carried out a recalled transfer of the same payment, and that one
    -- stayed paid: the second one was a mistake and no tax.
    paid_twice as (
      select second.id from transfers second
        join transfer_payments of_second on of_second.transfer_id = second.id
        join transfer_payments of_recalled on of_recalled.monthly_payment_id = of_second.monthly_payment_id
          and of_recalled.transfer_id <> second.id
        join transfers recalled on recalled.id = of_recalled.transfer_id
        join transfer_recalls recall on recall.transfer_id = recalled.id
      where second.returned_on is not null and recall.purpose = 'pay' and recall.state = 'confirmed'
        and recalled.paid_on <= second.returned_on
        and (recalled.returned_on is null or recalled.returned_on > second.returned_on)
    ), withheld as (
      select transfer.organization_id, transfer.payee_residence, transfer.payment_yen, transfer.withholding_yen,
        transfer.paid_on, transfer.returned_on, transfer.state, batch.transfer_on
      from transfers transfer join transfer_batches batch on batch.id = transfer.batch_id
      where transfer.withholding_yen > 0
        and (transfer.paid_on >= ${from} or transfer.returned_on >= ${from} or transfer.state = 'exported')
        and transfer.id not in (select id from paid_twice)
    )
    select form.month, kind.residence, paid.payees, paid.payment_yen, paid.withholding_yen,
      -- The form of the payment is unknown where it was paid before December of the year before: its tax was payable long ago.
      (select coalesce(sum(withheld.withholding_yen), 0)::bigint from withheld
        left join forms paid_form on withheld.paid_on >= paid_form.first_day and withheld.paid_on < paid_form.next_first_day
        where withheld.payee_residence = kind.residence and withheld.paid_on is not null
          and withheld.returned_on >= form.first_day and withheld.returned_on < form.next_first_day
          and (paid_form.payable_on is null or withheld.returned_on > paid_form.payable_on)) as returned_yen,
      (select count(*) from withheld where withheld.payee_residence = kind.residence and withheld.state = 'exported'
        and withheld.transfer_on >= form.first_day and withheld.transfer_on < form.next_first_day) as unsettled
    from forms form cross join unnest(${column(RESIDENCES)}::text[]) with ordinality kind (residence, place)
      cross join lateral (
        select count(distinct withheld.organization_id) as payees,
          coalesce(sum(withheld.payment_yen), 0)::bigint as payment_yen,
          coalesce(sum(withheld.withholding_yen), 0)::bigint as withholding_yen
        from withheld where withheld.payee_residence = kind.residence
          and withheld.paid_on >= form.first_day and withheld.paid_on < form.next_first_day
          and (withheld.returned_on is null or withheld.returned_on > form.payable_on)) paid
    where form.month / 100 = ${year} order by kind.place, form.month`.execute(tx)
  const dueOf = new Map(months.map(({ month, isKnown, day }) => [month, isKnown ? day : null]))
  return rows.map(row => ({
    ...row,
    payableOn: dueOf.get(row.month) ?? null,
    taxes: withheldTaxesText(lastDayOf(row.month)),
  }))
}
