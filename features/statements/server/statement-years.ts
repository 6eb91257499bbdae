import type { PayeeKind } from '@pc/domain/bank/registration-number.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { aboveYearlyLimitYen, STANDARD_YEARLY_LIMIT_YEN } from '@pc/domain/payment/deduction.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
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
  /** Purchases including tax while the payee was not registered, from {@link LIMITED_FROM_MONTH} on. */
  readonly unregisteredYen: bigint
  /** What of them lies above the yearly limit of the transitional deduction; 0 below. */
  readonly aboveLimitYen: bigint
}

/**
 * A record is handed in for an individual who is paid more than this in a year (income tax act, article 225; enforcement
 * ordinance, article 84).
 */
const PAYMENT_RECORD_ABOVE_YEN = 50_000n
/** The limit holds for tax periods that begin on or after 2026-10-01. */
const LIMITED_FROM_MONTH = 202610

/** Individuals, and whoever was not registered for some of the year; as final months froze it. */
export async function readPayeeTaxYear(tx: Transaction, year: number): Promise<readonly PayeeTaxYear[]> {
  const { rows } = await sql<Omit<PayeeTaxYear, 'needsPaymentRecord' | 'aboveLimitYen'>>`
    select s.organization_id, (array_agg(s.payee_name order by s.id desc))[1] as payee_name, a.payee_kind,
      sum(s.total_yen)::bigint as total_yen, sum(s.total_yen - s.total_without_tax_yen)::bigint as total_tax_yen,
      coalesce(sum(t.withholding_yen), 0)::bigint as withholding_yen,
      coalesce(sum(s.total_yen) filter (where p.payment_status <> 'paid'), 0)::bigint as unpaid_yen,
      coalesce(sum(s.total_yen) filter (where not a.qualified_invoice_issuer and s.month >= ${LIMITED_FROM_MONTH}), 0)::bigint
        as unregistered_yen
    from statements s join monthly_payments p on p.id = s.monthly_payment_id
    join monthly_agreement_snapshots a on a.id = p.monthly_agreement_snapshot_id
    left join lateral (select x.* from transfer_payments x join transfers f on f.id = x.transfer_id
      where x.monthly_payment_id = s.monthly_payment_id and f.state = 'paid' order by f.id desc limit 1) t on true
    where s.state <> 'replaced' and s.due_on between make_date(${year}, 1, 1) and make_date(${year}, 12, 31)
    group by s.organization_id, a.payee_kind
    having a.payee_kind = 'individual' or bool_or(not a.qualified_invoice_issuer)
    order by total_yen desc, s.organization_id, a.payee_kind`.execute(tx)
  return rows.map(row => ({
    ...row,
    needsPaymentRecord: row.payeeKind === 'individual' && row.totalYen > PAYMENT_RECORD_ABOVE_YEN,
    aboveLimitYen: aboveYearlyLimitYen(row.unregisteredYen, STANDARD_YEARLY_LIMIT_YEN),
  }))
}
