import type { PayeeKind } from '@pc/domain/bank/registration-number.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { yearMonth } from '@pc/domain/month/year-month.ts'
import { aboveYearlyLimitYen, type TaxPeriod, taxPeriodFrom } from '@pc/domain/payment/deduction.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { paymentSettingsOf } from '@pc/platform/postgres/payment-settings.ts'
import { sql } from 'kysely'
import { inScope, type StatementPermit } from './statement-store.ts'

/** What one payee's statements of a calendar year come to. Their days are those on which they are due. Yen. */
export interface YearOfPayee {
  readonly organizationId: bigint
  readonly payeeName: string
  readonly statements: bigint
  readonly totalWithoutTaxYen: bigint
  readonly totalTaxYen: bigint
  readonly totalYen: bigint
  /** Of what the bank has paid: what was withheld, the fee that the payee bore, and what arrived. */
  readonly withholdingYen: bigint
  readonly feeYen: bigint
  readonly transferredYen: bigint
  /** Totals of statements that are not paid yet. */
  readonly unpaidYen: bigint
}

export interface StatementYear {
  readonly year: number
  readonly statements: bigint
  readonly totalWithoutTaxYen: bigint
  readonly totalTaxYen: bigint
  readonly totalYen: bigint
  readonly withholdingYen: bigint
  readonly unpaidYen: bigint
  readonly nodes: readonly YearOfPayee[]
}

/** The statements that count, by payee: those of the viewer's scope only. */
export async function readStatementYear(
  tx: Transaction,
  year: number,
  permit: StatementPermit,
): Promise<StatementYear> {
  const { rows: nodes } = await sql<YearOfPayee>`
    select s.organization_id, (array_agg(s.payee_name order by s.id desc))[1] as payee_name, count(*) as statements,
      sum(s.total_without_tax_yen)::bigint as total_without_tax_yen,
      sum(s.total_yen - s.total_without_tax_yen)::bigint as total_tax_yen, sum(s.total_yen)::bigint as total_yen,
      coalesce(sum(t.withholding_yen), 0)::bigint as withholding_yen,
      coalesce(sum(t.fee_borne_by_payee_yen), 0)::bigint as fee_yen,
      coalesce(sum(t.transfer_amount_yen), 0)::bigint as transferred_yen,
      coalesce(sum(s.total_yen) filter (where p.payment_status <> 'paid'), 0)::bigint as unpaid_yen
    from statements s join monthly_payments p on p.id = s.monthly_payment_id
    left join lateral (select x.* from transfer_payments x join transfers f on f.id = x.transfer_id
      where x.monthly_payment_id = s.monthly_payment_id and f.state = 'paid' order by f.id desc limit 1) t on true
    where s.state <> 'replaced' and s.due_on between make_date(${year}, 1, 1) and make_date(${year}, 12, 31)
      and ${inScope(permit)}
    group by s.organization_id order by total_yen desc, s.organization_id`.execute(tx)
  return {
    year,
    statements: sumBy(nodes, row => row.statements),
    totalWithoutTaxYen: sumBy(nodes, row => row.totalWithoutTaxYen),
    totalTaxYen: sumBy(nodes, row => row.totalTaxYen),
    totalYen: sumBy(nodes, row => row.totalYen),
    withholdingYen: sumBy(nodes, row => row.withholdingYen),
    unpaidYen: sumBy(nodes, row => row.unpaidYen),
    nodes,
  }
}

/** What staff has to know of a payee's year besides: for the tax office. */
export interface PayeeTaxYear {
  readonly organizationId: bigint
  readonly payeeName: string
  readonly payeeKind: PayeeKind
  readonly totalYen: bigint
  readonly totalTaxYen: bigint
  readonly withholdingYen: bigint
  readonly unpaidYen: bigint
  /** Whether a payment record (支払調書) is handed in for the payee. */
  readonly needsPaymentRecord: boolean
  /** Of the revenue months of the payer's tax period: including tax, while the payee was not registered. */
  readonly unregisteredYen: bigint
  /** What of them lies above the yearly limit of the transitional deduction; 0 below. */
  readonly aboveLimitYen: bigint
}

/**
 * A record is handed in for an individual who is paid more than this in a year (income tax act, article 225; enforcement
 * ordinance, article 84).
 */
const PAYMENT_RECORD_ABOVE_YEN = 50_000n

/**
 * Individuals with payments due in the calendar year, and payees that were unregistered at some time in the tax period that
 * begins in it. All as final months recorded it.
 */
export async function readPayeeTaxYear(tx: Transaction, year: number): Promise<readonly PayeeTaxYear[]> {
  const period = await taxPeriodIn(tx, year)
  const { rows } = await sql<Omit<PayeeTaxYear, 'needsPaymentRecord' | 'aboveLimitYen'>>`
    with counted as (
      select s.*, a.payee_kind, not a.qualified_invoice_issuer as is_unregistered, p.payment_status,
        s.due_on between make_date(${year}, 1, 1) and make_date(${year}, 12, 31) as is_of_year,
        s.month between ${period.first} and ${period.last} as is_of_period
      from statements s join monthly_payments p on p.id = s.monthly_payment_id
      join monthly_agreement_snapshots a on a.id = p.monthly_agreement_snapshot_id
      where s.state <> 'replaced'
    )
    select s.organization_id, (array_agg(s.payee_name order by s.id desc))[1] as payee_name, s.payee_kind,
      coalesce(sum(s.total_yen) filter (where is_of_year), 0)::bigint as total_yen,
      coalesce(sum(s.total_yen - s.total_without_tax_yen) filter (where is_of_year), 0)::bigint as total_tax_yen,
      coalesce(sum(t.withholding_yen) filter (where is_of_year), 0)::bigint as withholding_yen,
      coalesce(sum(s.total_yen) filter (where is_of_year and s.payment_status <> 'paid'), 0)::bigint as unpaid_yen,
      coalesce(sum(s.total_yen) filter (where is_of_period and s.is_unregistered), 0)::bigint as unregistered_yen
    from counted s
    left join lateral (select x.* from transfer_payments x join transfers f on f.id = x.transfer_id
      where x.monthly_payment_id = s.monthly_payment_id and f.state = 'paid' order by f.id desc limit 1) t on true
    where s.is_of_year or s.is_of_period
    group by s.organization_id, s.payee_kind
    having bool_or(s.is_of_year) and s.payee_kind = 'individual' or bool_or(s.is_unregistered)
    order by total_yen desc, s.organization_id, s.payee_kind`.execute(tx)
  return rows.map(row => ({
    ...row,
    needsPaymentRecord: row.payeeKind === 'individual' && row.totalYen > PAYMENT_RECORD_ABOVE_YEN,
    aboveLimitYen: aboveYearlyLimitYen(row.unregisteredYen, period),
  }))
}

/** The one that begins in the year, by the setting in force at its end. */
async function taxPeriodIn(tx: Transaction, year: number): Promise<TaxPeriod> {
  const { taxPeriodStartMonth } = await paymentSettingsOf(tx, yearMonth(year, 12)).executeTakeFirstOrThrow()
  return taxPeriodFrom(yearMonth(year, taxPeriodStartMonth))
}
