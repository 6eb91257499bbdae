import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { Coverage } from '@pc/domain/agreement/law-rule.ts'
import { lawfulFeePayer } from '@pc/domain/agreement/payment-law.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { RuleVersion } from '@pc/domain/settlement/settlement-input.ts'
import { STATED_AMOUNTS, type StatedPayment, type StatementAccount } from '@pc/domain/statement/statement.ts'
import { addressLine } from '@pc/domain/text/postal-address.ts'
import type { PaymentToTransfer, TransferPart } from '@pc/domain/transfer/transfer.ts'
import { type WithheldPayee, type WithheldPayeeRow, withheldPayeeOf } from '@pc/domain/transfer/withholding.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { isAmongIds } from '@pc/platform/postgres/is-among.ts'
import { type RawBuilder, sql } from 'kysely'

/** One payment with everything that its statement contains, from the rows of the month's snapshot. */
export interface PaymentToState {
  readonly monthlyPaymentId: bigint
  readonly mediumId: bigint
  readonly organizationId: bigint
  readonly agreementName: string
  readonly agreementCode: string
  readonly payment: StatedPayment
  /** Who bears the transfer fee under the law of the due day, as when the transfer is made. */
  readonly feePaidBy: FeePayer
  /** Kind and residence as frozen with the month; the treaty form as it is recorded now. */
  readonly payee: WithheldPayee
  /** One line with the postal code; empty when it is not known. */
  readonly payeeAddress: string
  readonly bankAccountId: bigint
  /** The version of the rules that the month is settled by. */
  readonly rules: RuleVersion
  /** Undefined when the account is unknown or no longer exists. */
  readonly account: (StatementAccount & { readonly bankCode: string; readonly branchCode: string }) | undefined
  /** The hash of the agreement in the month's chain; null while the month is open. */
  readonly snapshotHash: string | null
}

export type StatementScope =
  /** Every payment of the months, whether or not it has a statement already. */
  | { readonly kind: 'months'; readonly month: YearMonth; readonly mediumIds: readonly bigint[] }
  /** Finalised payments that have no statement yet, of one month or of all. */
  | { readonly kind: 'without-statement'; readonly month: YearMonth | undefined }
  | { readonly kind: 'payment'; readonly monthlyPaymentId: bigint }

const TYPE_NAMES: Readonly<Record<string, string>> = { ordinary: '普通', current: '当座', savings: '貯蓄' }

interface ProtectedBy {
  readonly smallSupplierCoverage: Coverage
  readonly freelanceCoverage: Coverage
}

interface SourceRow
  extends ProtectedBy,
    WithheldPayeeRow,
    Omit<StatedPayment, 'taxLines' | 'paidBuckets'>,
    Pick<
      PaymentToState,
      'mediumId' | 'organizationId' | 'agreementName' | 'agreementCode' | 'feePaidBy' | 'bankAccountId'
    > {
  readonly id: bigint
  readonly postalCode: string
  readonly address: string
  readonly rules: RuleVersion
  readonly snapshotHash: string | null
  readonly bankName: string | null
  readonly bankCode: string | null
  readonly branchName: string | null
  readonly branchCode: string | null
  readonly typeName: string | null
  readonly number: string | null
  readonly holder: string | null
}

/**
 * Reads payments above zero, ordered by month and agreement. Data of a final month come from its snapshot (`s`); for an
 * open month, the payee's kind and residence are those of the agreement now.
 */
export async function readPaymentsToState(tx: Transaction, scope: StatementScope): Promise<readonly PaymentToState[]> {
  const { rows } = await sql<SourceRow>`
    select p.id, p.medium_id, p.agreement_id, p.organization_id, p.month as revenue_generated_at_month,
      ${sql.join(STATED_AMOUNTS.map(amount => sql.ref(`p.${amount}`)))}, p.payment_yen, p.payment_tax_yen,
      p.payment_including_tax_yen, p.fee_paid_by, p.due_on, p.bank_account_id, s.partner_name, s.agreement_name,
      s.agreement_code, s.qualified_invoice_issuer, s.invoice_registration_number,
      a.small_supplier_coverage, a.freelance_coverage,
      case when s.has_been_finalized then s.payee_kind else a.payee_kind end as payee_kind,
      case when s.has_been_finalized then s.payee_residence else a.payee_residence end as payee_residence,
      a.treaty_form_from, a.treaty_form_to, a.treaty_form_rate, o.postal_code, o.address,
      app.rule_version(p.month) as rules, i.hash as snapshot_hash, bank.name as bank_name, bank.code as bank_code, branch.name as branch_name,
      branch.code as branch_code, b.type_name, b.number, b.holder
    from monthly_payments p
    join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
    join agreements a on a.id = p.agreement_id
    join organizations o on o.id = p.organization_id
    left join monthly_snapshot_inputs i on i.snapshot_id = s.id
    left join bank_accounts b on b.id = p.bank_account_id
    left join banks bank on bank.id = b.bank_id
    left join bank_branches branch on branch.id = b.bank_branch_id
    where p.payment_yen > 0 and ${conditionOf(scope)}
    order by p.month, p.agreement_id`.execute(tx)
  const ids = rows.map(row => row.id)
  const taxLines = await readTaxLines(tx, ids)
  const paidMonths = await readPaidMonths(tx, ids)
  return rows.map(row => paymentOf(row, taxLines.get(row.id) ?? [], paidMonths.get(row.id) ?? []))
}

function conditionOf(scope: StatementScope): RawBuilder<boolean> {
  switch (scope.kind) {
    case 'months':
      return sql<boolean>`(p.month = ${scope.month} and ${isAmongIds(sql`p.medium_id`, scope.mediumIds)})`
    case 'without-statement': {
      const ofMonth = scope.month === undefined ? sql<boolean>`true` : sql<boolean>`p.month = ${scope.month}`
      return sql<boolean>`(p.has_been_finalized and ${ofMonth}
        and not exists (select from statements t where t.monthly_payment_id = p.id))`
    }
    case 'payment':
      return sql<boolean>`p.id = ${scope.monthlyPaymentId}`
  }
}

function idsText(ids: readonly bigint[]): string {
  return `{${ids.join(',')}}`
}

async function readTaxLines(tx: Transaction, ids: readonly bigint[]) {
  const { rows } = await sql<{ monthlyPaymentId: bigint; ratePercent: number; amountYen: bigint; taxYen: bigint }>`
    select monthly_payment_id, rate_percent, amount_yen, tax_yen from monthly_tax_lines
    join unnest(${idsText(ids)}::text::bigint[]) wanted (id) on wanted.id = monthly_payment_id
    order by monthly_payment_id, rate_percent desc`.execute(tx)
  return Map.groupBy(rows, row => row.monthlyPaymentId)
}

interface PaidMonthRow {
  readonly monthlyPaymentId: bigint
  readonly generatedMonth: YearMonth
  readonly amountYen: bigint
  readonly ratePercent: number
  readonly taxYen: bigint
}

async function readPaidMonths(tx: Transaction, ids: readonly bigint[]) {
  const { rows } = await sql<PaidMonthRow>`
    select monthly_payment_id, generated_month, amount_yen, rate_percent, tax_yen from monthly_paid_buckets
    join unnest(${idsText(ids)}::text::bigint[]) wanted (id) on wanted.id = monthly_payment_id
    order by monthly_payment_id, generated_month`.execute(tx)
  return Map.groupBy(rows, row => row.monthlyPaymentId)
}

function paymentOf(
  row: SourceRow,
  taxLines: readonly { readonly ratePercent: number; readonly amountYen: bigint; readonly taxYen: bigint }[],
  paidMonths: readonly Omit<PaidMonthRow, 'monthlyPaymentId'>[],
): PaymentToState {
  const hasAccount = row.number !== null && row.bankCode !== null && row.branchCode !== null
  return {
    monthlyPaymentId: row.id,
    mediumId: row.mediumId,
    organizationId: row.organizationId,
    agreementName: row.agreementName,
    agreementCode: row.agreementCode,
    feePaidBy: lawfulFeePayer(row.feePaidBy, row, row.dueOn),
    payee: withheldPayeeOf(row),
    payeeAddress: addressLine(row),
    bankAccountId: row.bankAccountId,
    rules: row.rules,
    snapshotHash: row.snapshotHash,
    account: hasAccount
      ? {
          bankName: row.bankName ?? '',
          bankCode: row.bankCode ?? '',
          branchName: row.branchName ?? '',
          branchCode: row.branchCode ?? '',
          typeName: TYPE_NAMES[row.typeName ?? ''] ?? '',
          number: row.number ?? '',
          holder: row.holder ?? '',
        }
      : undefined,
    payment: {
      ...row,
      taxLines: taxLines.map(({ ratePercent, amountYen, taxYen }) => ({ ratePercent, amountYen, taxYen })),
      paidBuckets: paidMonths.map(({ generatedMonth, amountYen, ratePercent, taxYen }) => ({
        ...{ generatedMonth, amountYen, ratePercent, taxYen },
      })),
    },
  }
}

/**
 * Other final payments that the transfers of `reduced` will also pay: of the same accounts and days, and not sent yet.
 * @param sources the payments whose statements are being made, which are left out
 */
export async function readJoiningPayments(
  tx: Transaction,
  reduced: readonly PaymentToState[],
  sources: readonly PaymentToState[],
): Promise<readonly PaymentToTransfer[]> {
  if (reduced.length === 0) return []
  const { rows } = await sql<Omit<PaymentToTransfer, keyof WithheldPayee> & WithheldPayeeRow & ProtectedBy>`
    select a.small_supplier_coverage, a.freelance_coverage, p.id as monthly_payment_id, p.bank_account_id, p.due_on, p.fee_paid_by, s.payee_kind, s.payee_residence,
      a.treaty_form_from, a.treaty_form_to, a.treaty_form_rate, p.payment_yen,
      p.payment_including_tax_yen, app.rule_version(p.month) as rules
    from monthly_payments p
    join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
    join agreements a on a.id = p.agreement_id
    where p.has_been_finalized and p.payment_yen > 0 and p.payment_status in ('scheduled', 'returned')
      and ${isAmongIds(
        sql`p.bank_account_id`,
        reduced.map(each => each.bankAccountId),
      )}
      and p.due_on = any (${`{${[...new Set(reduced.map(each => each.payment.dueOn))].join(',')}}`}::date[])
      and p.id <> all (${idsText(sources.map(each => each.monthlyPaymentId))}::bigint[])
      and not exists (select from transfer_payments x where x.monthly_payment_id = p.id and x.is_live)
    order by p.id`.execute(tx)
  return rows.map(row => ({
    ...row,
    ...withheldPayeeOf(row),
    feePaidBy: lawfulFeePayer(row.feePaidBy, row, row.dueOn),
  }))
}

/** The parts of payments that are in a transfer already. `isMade`: its bank file was written. */
export async function readMadeParts(
  tx: Transaction,
  sources: readonly PaymentToState[],
): Promise<readonly (TransferPart & { readonly isMade: boolean })[]> {
  if (sources.length === 0) return []
  const { rows } = await sql<TransferPart & { readonly isMade: boolean }>`
    select x.monthly_payment_id, x.payment_yen, x.payment_including_tax_yen, x.withholding_yen, x.fee_borne_by_payee_yen,
      x.transfer_amount_yen, t.state <> 'planned' as is_made
    from transfer_payments x join transfers t on t.id = x.transfer_id
    where x.is_live and ${isAmongIds(
      sql`x.monthly_payment_id`,
      sources.map(each => each.monthlyPaymentId),
    )}`.execute(tx)
  return rows
}
