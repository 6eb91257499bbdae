import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { AgreementFacts, Coverage } from '@pc/domain/agreement/law-rule.ts'
import { isFeeOfUnknown, lateReason, lawfulFeePayer, statutoryDueOn } from '@pc/domain/agreement/payment-law.ts'
import { isProtectedOn } from '@pc/domain/agreement/protected-payee.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import {
  type WithheldPayeeRow,
  withheldPayeeOf,
  withholdingDecision,
  withholdingYen,
} from '@pc/domain/transfer/withholding.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'
import { readWithholdingTable } from '../../core/server/transfer-settings.ts'
import { readVanishedTransfers } from './transfer-rows.ts'

/** The facts about a payment of a transfer that the rules of law examine. */
interface SentPayment {
  readonly monthlyPaymentId: bigint
  readonly month: YearMonth
  readonly dueOn: Day
  readonly feePaidBy: FeePayer
  readonly partnerName: string
  readonly agreementName: string
  readonly coverage: Pick<AgreementFacts, 'smallSupplierCoverage' | 'freelanceCoverage'>
  readonly isShiftAgreedInWriting: boolean
  /** Whether the agreement stops payments now, although it did not when the month was closed. */
  readonly isStopped: boolean
}

interface SentTransfer {
  readonly feeBorneByPayeeYen: bigint
  readonly parts: readonly { readonly monthlyPaymentId: bigint }[]
}

export interface TransferFinding {
  readonly refusal: Refusal<
    | 'transfer/late-by-law'
    | 'transfer/fee-of-unknown'
    | 'transfer/payment-stopped'
    | 'transfer/fee-now-forbidden'
    | 'transfer/withholding-changed'
    | 'transfer/branch-gone-since'
  >
  readonly payee: string
  readonly paymentIds: readonly bigint[]
}

/**
 * Legal findings about transfers that are about to be made or sent. A late transfer can be sent once it is acknowledged,
 * because paying even later would be worse. A fee charged to a payee of unknown coverage, and a payment that its
 * agreement now stops, are only reported.
 */
export async function lawWarnings(
  tx: Transaction,
  transfers: readonly SentTransfer[],
  payments: ReadonlyMap<bigint, SentPayment>,
  transferOn: Day,
  path: readonly string[] = ['request', 'isLateAcknowledged'],
): Promise<readonly TransferFinding[]> {
  const sent = transfers.flatMap(transfer =>
    transfer.parts.map(part => ({ transfer, payment: payments.get(part.monthlyPaymentId)! })),
  )
  const covered = sent.filter(({ payment }) => Object.values(payment.coverage).includes('covered'))
  const oldest = await readOldestMonths(
    tx,
    covered.map(({ payment }) => payment.monthlyPaymentId),
  )
  const late = covered.flatMap(({ payment }): TransferFinding[] => {
    const oldestMonth = oldest.get(payment.monthlyPaymentId) ?? payment.month
    const lastLegalDay = statutoryDueOn(oldestMonth)
    const { dueOn, isShiftAgreedInWriting } = payment
    const facts = { oldestMonth, dueOn, isShiftAgreedInWriting, state: 'sent', transferOn } as const
    if (!isProtectedOn(payment.coverage, lastLegalDay) || !lateReason(facts, transferOn)) return []
    return [warning('transfer/late-by-law', payment, lastLegalDay, path)]
  })
  const ofUnknown = sent.filter(
    ({ transfer, payment }) => transfer.feeBorneByPayeeYen > 0n && isFeeOfUnknown({ ...payment, ...payment.coverage }),
  )
  const stopped = sent.filter(({ payment }) => payment.isStopped)
  return [
    ...late,
    ...ofUnknown.map(({ payment }) => warning('transfer/fee-of-unknown', payment, transferOn, path)),
    ...stopped.map(({ payment }) => warning('transfer/payment-stopped', payment, transferOn, path)),
  ]
}

/** A payment of a planned transfer, with the current data of its payee. */
interface MadePayment extends SentPayment, WithheldPayeeRow {
  readonly transferId: bigint
  readonly transferOn: Day
  readonly feeBorneByPayeeYen: bigint
  readonly withheldFromYen: bigint
  readonly withholdingYen: bigint
  readonly nonResidentRate: number | null
  readonly hasTreatyForm: boolean
}

/**
 * Findings about a batch whose file is not written yet, by the current data of its payees, which may have changed since
 * it was made. A branch that no longer exists, and a fee or withholding that would differ now, prevent the file.
 * Tested by `scenarios/export-law.test.ts`.
 */
export async function batchFindings(tx: Transaction, batchId: bigint): Promise<readonly TransferFinding[]> {
  const vanished = (await readVanishedTransfers(tx, batchId)).map(({ paymentIds, ...data }) => ({
    refusal: refusal('transfer/branch-gone-since', [], data),
    payee: data.payee,
    paymentIds,
  }))
  return [...vanished, ...(await lawFindingsOf(tx, batchId))]
}

/** Legal findings about the payments of a transfer when its returned records are sent again on that day. */
export async function resentWarnings(
  tx: Transaction,
  transferId: bigint,
  transferOn: Day,
): Promise<readonly TransferFinding[]> {
  const rows = await readMade(tx, sql`t.id = ${transferId}`)
  // The payer bears the fees of what is sent again.
  const transfer = { feeBorneByPayeeYen: 0n, parts: rows }
  return lawWarnings(tx, [transfer], new Map(rows.map(row => [row.monthlyPaymentId, row])), transferOn, [
    'isLateAcknowledged',
  ])
}

async function lawFindingsOf(tx: Transaction, batchId: bigint): Promise<readonly TransferFinding[]> {
  const rows = await readMade(tx, sql`t.batch_id = ${batchId} and t.state = 'planned' and b.kind = 'bank_file'`)
  if (rows.length === 0) return []
  const { transferOn } = rows[0]!
  const table = await readWithholdingTable(tx)
  const isForbidden = ({ feeBorneByPayeeYen, coverage }: MadePayment) =>
    feeBorneByPayeeYen > 0n && lawfulFeePayer('publisher', coverage, transferOn) !== 'publisher'
  const isWithheldOtherwise = (row: MadePayment) => {
    const payee = withheldPayeeOf(row)
    const now = withholdingDecision(payee, transferOn, table)
    return (
      now.nonResidentRate !== row.nonResidentRate ||
      now.hasTreatyForm !== row.hasTreatyForm ||
      withholdingYen(row.withheldFromYen, payee, transferOn, table) !== row.withholdingYen
    )
  }
  const transfers = [...Map.groupBy(rows, row => row.transferId).values()].map(parts => ({ ...parts[0]!, parts }))
  return [
    ...rows.filter(isForbidden).map(row => warning('transfer/fee-now-forbidden', row, transferOn)),
    ...rows.filter(isWithheldOtherwise).map(row => warning('transfer/withholding-changed', row, transferOn)),
    ...(await lawWarnings(tx, transfers, new Map(rows.map(row => [row.monthlyPaymentId, row])), transferOn, [
      'isLateAcknowledged',
    ])),
  ]
}

async function readMade(tx: Transaction, condition: RawBuilder<unknown>): Promise<readonly MadePayment[]> {
  const rows = await tx
    .selectFrom('transfers as t')
    .innerJoin('transferBatches as b', 'b.id', 't.batchId')
    .innerJoin('transferPayments as x', 'x.transferId', 't.id')
    .innerJoin('monthlyPayments as p', 'p.id', 'x.monthlyPaymentId')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
    .innerJoin('agreements as a', 'a.id', 'p.agreementId')
    .select(['t.id as transferId', 'b.transferOn', 't.feeBorneByPayeeYen', 't.withholdingYen', 't.feePaidBy'])
    .select(['t.paymentYen as withheldFromYen', 't.nonResidentRate', 't.hasTreatyForm'])
    .select(['t.payeeKind', 't.payeeResidence', 'a.treatyFormFrom', 'a.treatyFormTo', 'a.treatyFormRate'])
    .select(['p.id as monthlyPaymentId', 'p.month', 'p.dueOn', 's.partnerName', 's.agreementName'])
    .select([
      'a.smallSupplierCoverage',
      'a.freelanceCoverage',
      'a.isShiftAgreedInWriting',
      'a.isPaymentDisabled as isStopped',
    ])
    .where(sql<boolean>`${condition}`)
    .orderBy('t.id')
    .orderBy('p.id')
    .execute()
  return rows.map(({ smallSupplierCoverage, freelanceCoverage, ...row }) => ({
    ...row,
    transferOn: row.transferOn as Day,
    dueOn: row.dueOn as Day,
    month: row.month as YearMonth,
    feePaidBy: row.feePaidBy as FeePayer,
    coverage: {
      smallSupplierCoverage: smallSupplierCoverage as Coverage,
      freelanceCoverage: freelanceCoverage as Coverage,
    },
  }))
}

function warning(
  code: TransferFinding['refusal']['code'],
  { monthlyPaymentId, partnerName, agreementName }: SentPayment,
  day: Day,
  path: readonly string[] = [],
): TransferFinding {
  const data = { payee: partnerName, agreement: agreementName, day }
  return {
    refusal: refusal(code, path, data),
    payee: partnerName,
    paymentIds: [monthlyPaymentId],
  }
}

/** The oldest revenue month that each payment pays. */
async function readOldestMonths(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, YearMonth>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; month: YearMonth }>`
    select b.monthly_payment_id as id, min(b.generated_month) as month from monthly_paid_buckets b
    where b.monthly_payment_id = any(${ids.map(String)}::bigint[]) and b.amount_yen > 0 group by 1`.execute(tx)
  return new Map(rows.map(row => [row.id, row.month]))
}
