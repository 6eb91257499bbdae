import type { PayeeKind } from '@pc/domain/bank/registration-number.ts'
import { compareBigints } from '@pc/domain/money/allocate.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { aboveYearlyLimitYen, type TaxPeriod, taxPeriodsIn } from '@pc/domain/settlement/deduction.ts'
import { addressLine, type PostalAddress } from '@pc/domain/text/postal-address.ts'
import { needsPaymentRecord } from '@pc/domain/transfer/tax-office-rules.ts'
import { isWithheldFrom, type Residence } from '@pc/domain/transfer/withholding.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readTaxPeriodStarts } from '@pc/platform/postgres/payment-settings.ts'
import { sql } from 'kysely'
import { inScope, type StatementPermit } from './statement-store.ts'

/** The sums of one payee's statements of a calendar year, in yen. The year of the due day decides, not the revenue month. */
export interface YearOfPayee {
  readonly organizationId: bigint
  readonly payeeName: string
  readonly statements: bigint
  readonly totalWithoutTaxYen: bigint
  readonly totalTaxYen: bigint
  readonly totalYen: bigint
  /** Sums of what the bank has paid: tax withheld, fees that the payee bore, and what arrived. */
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

/** Sums of the current statements by payee, within the permit. `t` is the payment's part of its latest paid transfer. */
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

/** For staff: a payee's year as the tax office needs it. */
export interface PayeeTaxYear {
  readonly organizationId: bigint
  readonly payeeName: string
  readonly payeeKind: PayeeKind
  readonly payeeResidence: Residence
  /** One line; empty when it is not known. */
  readonly address: string
  readonly totalYen: bigint
  readonly totalTaxYen: bigint
  readonly withholdingYen: bigint
  readonly unpaidYen: bigint
  /** Whether a payment record (支払調書) must be filed for the payee; for non-residents an adviser decides. */
  readonly needsPaymentRecord: boolean
  /** Payments with tax for unregistered months of the tax periods that begin in the year. */
  readonly unregisteredYen: bigint
  /** The part of them above the yearly limit of the transitional deduction; 0 below it. */
  readonly aboveLimitYen: bigint
}

/**
 * Individuals and non-residents with payments due in the calendar year, and payees that were unregistered in it or in
 * months of a tax period that begins in it. All data are those that final months recorded.
 */
export async function readPayeeTaxYear(tx: Transaction, year: number): Promise<readonly PayeeTaxYear[]> {
  const payees = new Map<string, PayeeTaxYear>()
  for (const { wasUnregistered, ...row } of await readDueInYear(tx, year)) {
    if (isWithheldFrom(row) || wasUnregistered) {
      const forOffice = { needsPaymentRecord: needsPaymentRecord(row, row.totalYen) }
      payees.set(keyOf(row), { ...row, ...forOffice, unregisteredYen: 0n, aboveLimitYen: 0n })
    }
  }
  for (const period of taxPeriodsIn(year, await readTaxPeriodStarts(tx))) {
    for (const { unregisteredYen, ...payee } of await readUnregistered(tx, period)) {
      const before = payees.get(keyOf(payee)) ?? { ...payee, ...NOTHING_DUE }
      payees.set(keyOf(payee), {
        ...before,
        unregisteredYen: before.unregisteredYen + unregisteredYen,
        aboveLimitYen: before.aboveLimitYen + aboveYearlyLimitYen(unregisteredYen, period),
      })
    }
  }
  return [...payees.values()].toSorted(
    (a, b) =>
      compareBigints(b.totalYen, a.totalYen) ||
      compareBigints(a.organizationId, b.organizationId) ||
      (keyOf(a) < keyOf(b) ? -1 : 1),
  )
}

type Payee = Pick<PayeeTaxYear, 'organizationId' | 'payeeName' | 'payeeKind' | 'payeeResidence' | 'address'>
const keyOf = ({ organizationId, payeeKind, payeeResidence }: Payee) =>
  `${organizationId}/${payeeKind}/${payeeResidence}`
const NOTHING_DUE = {
  ...{ totalYen: 0n, totalTaxYen: 0n, withholdingYen: 0n, unpaidYen: 0n, needsPaymentRecord: false },
  ...{ unregisteredYen: 0n, aboveLimitYen: 0n },
}

/** The sums of statements due in the year, by payee and tax treatment. `t` as in {@link readStatementYear}. */
async function readDueInYear(tx: Transaction, year: number) {
  const { rows } = await sql<
    Omit<PayeeTaxYear, 'address' | 'needsPaymentRecord' | 'unregisteredYen' | 'aboveLimitYen'> &
      PostalAddress & { readonly wasUnregistered: boolean }
  >`
    select s.organization_id, (array_agg(s.payee_name order by s.id desc))[1] as payee_name, a.payee_kind, a.payee_residence,
      o.postal_code, o.address,
      sum(s.total_yen)::bigint as total_yen, sum(s.total_yen - s.total_without_tax_yen)::bigint as total_tax_yen,
      coalesce(sum(t.withholding_yen), 0)::bigint as withholding_yen,
      coalesce(sum(s.total_yen) filter (where p.payment_status <> 'paid'), 0)::bigint as unpaid_yen,
      bool_or(not a.qualified_invoice_issuer) as was_unregistered
    from statements s join monthly_payments p on p.id = s.monthly_payment_id
    join monthly_agreement_snapshots a on a.id = p.monthly_agreement_snapshot_id
    join organizations o on o.id = s.organization_id
    left join lateral (select x.* from transfer_payments x join transfers f on f.id = x.transfer_id
      where x.monthly_payment_id = s.monthly_payment_id and f.state = 'paid' order by f.id desc limit 1) t on true
    where s.state <> 'replaced' and s.due_on between make_date(${year}, 1, 1) and make_date(${year}, 12, 31)
    group by s.organization_id, a.payee_kind, a.payee_residence, o.postal_code, o.address`.execute(tx)
  return rows.map(({ postalCode, address, ...row }) => ({ ...row, address: addressLine({ postalCode, address }) }))
}

/** Payments for unregistered months of the period, whenever they are paid, because the month of the revenue decides tax. */
async function readUnregistered(tx: Transaction, period: TaxPeriod) {
  const { rows } = await sql<Omit<Payee, 'address'> & PostalAddress & { readonly unregisteredYen: bigint }>`
    select s.organization_id, (array_agg(s.payee_name order by s.id desc))[1] as payee_name, a.payee_kind, a.payee_residence,
      o.postal_code, o.address,
      sum(b.amount_yen + b.tax_yen)::bigint as unregistered_yen
    from monthly_paid_buckets b join statements s on s.monthly_payment_id = b.monthly_payment_id and s.state <> 'replaced'
    join monthly_payments p on p.id = b.monthly_payment_id
    join monthly_agreement_snapshots a on a.id = p.monthly_agreement_snapshot_id
    join organizations o on o.id = s.organization_id
    where b.generated_month between ${period.first} and ${period.last} and not b.is_qualified
    group by s.organization_id, a.payee_kind, a.payee_residence, o.postal_code, o.address`.execute(tx)
  return rows.map(({ postalCode, address, ...row }) => ({ ...row, address: addressLine({ postalCode, address }) }))
}
