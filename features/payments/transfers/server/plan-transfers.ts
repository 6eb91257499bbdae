import { createHash } from 'node:crypto'
import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { AgreementFacts, Coverage } from '@pc/domain/agreement/law-rule.ts'
import { lawfulFeePayer } from '@pc/domain/agreement/payment-law.ts'
import { isWaiting } from '@pc/domain/bank/pending-bank-account.ts'
import { writeZenginFile } from '@pc/domain/bank/zengin-record.ts'
import { HolidaysUnknownError, isBusinessDay } from '@pc/domain/month/business-day.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { canonicalText } from '@pc/domain/payment/canonical-text.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { RuleVersion } from '@pc/domain/settlement/settlement-input.ts'
import { type PaymentToTransfer, planTransfers } from '@pc/domain/transfer/transfer.ts'
import type { TransferActionRefusal } from '@pc/domain/transfer/transfer-action-refusal.ts'
import { withheldPayeeOf } from '@pc/domain/transfer/withholding.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { recordsToWrite, zenginFileOf } from '../../core/server/bank-file.ts'
import { readHolidayCalendar } from '../../core/server/holiday-calendar.ts'
import {
  readFeeTable,
  readTransferSource,
  readWithholdingTable,
  type TransferSource,
} from '../../core/server/transfer-settings.ts'
import { lawWarnings } from './transfer-law.ts'
import { type NewTransfer, type PayeeAccount, readPayeeAccounts, readVanishedAccounts } from './transfer-rows.ts'

/** Which finalised payments are to be sent, and when. */
export interface TransferRequest {
  readonly dueOn: Day
  /** The bank's working day on which the money moves. */
  readonly transferOn: Day
  /** Revenue months and media; undefined: all. */
  readonly months?: readonly YearMonth[] | undefined
  readonly mediumIds?: readonly bigint[] | undefined
  readonly excludedPaymentIds: readonly bigint[]
  /** Other accounts for payments that came back, by payment. */
  readonly accounts: ReadonlyMap<bigint, bigint>
  /** The person has acknowledged that transfers are late by law. */
  readonly isLateAcknowledged?: boolean | undefined
}

export interface PayablePayment extends PaymentToTransfer {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly organizationId: bigint
  readonly agreementId: bigint
  readonly agreementName: string
  readonly partnerName: string
  readonly isReturned: boolean
  readonly coverage: Pick<AgreementFacts, 'smallSupplierCoverage' | 'freelanceCoverage'>
  readonly isShiftAgreedInWriting: boolean
  /** Whether the agreement stops payments now, whatever was so when the month was closed. */
  readonly isStopped: boolean
  readonly returnedReason: string | null
}

/** Payments that cannot be sent, and why. */
export interface TransferProblem {
  readonly refusal: Refusal<RefusalCode>
  readonly payee: string
  readonly paymentIds: readonly bigint[]
}

export interface BatchPlan {
  readonly source: TransferSource
  readonly dueOn: Day
  readonly transferOn: Day
  readonly payments: ReadonlyMap<bigint, PayablePayment>
  readonly transfers: readonly NewTransfer[]
  readonly problems: readonly TransferProblem[]
  /** Legal findings that do not prevent the transfers; those that are late have to be acknowledged. */
  readonly warnings: readonly TransferProblem[]
  /** Equal for equal transfers. A person's request names it, so that what is made is what the person saw. */
  readonly hash: string
}

/**
 * Whether a payment (`p`) can be sent: it is final and not in an active transfer, and no recalled transfer of it may
 * still be carried out by the bank or is said to have been.
 */
function isPayable(now: Day) {
  return sql<boolean>`(p.has_been_finalized and p.payment_status in ('scheduled', 'returned')
    and not exists (select from transfer_payments x where x.monthly_payment_id = p.id and x.is_live)
    and (p.payment_status = 'scheduled' or not app.is_recall_pending(p.id, ${now}))
    and not exists (select from transfer_payments x join transfer_recalls r on r.transfer_id = x.transfer_id
      where x.monthly_payment_id = p.id and r.purpose = 'pay' and r.state = 'requested'))`
}

/** A subquery for staff: the number of payments that {@link readPayable} finds. */
export function payableCount(now: Day) {
  return sql<bigint>`(select count(*) from monthly_payments p where ${isPayable(now)})`
}

/** A subquery for staff: the number of those that came back from the bank. */
export function returnedCount(now: Day) {
  return sql<bigint>`(select count(*) from monthly_payments p where ${isPayable(now)} and p.payment_status = 'returned')`
}

/** The payments of finalised months that are still to be sent, also those that are not due yet. */
export async function readPayable(
  tx: Transaction,
  now: Day,
  filter: Partial<Pick<TransferRequest, 'dueOn' | 'months' | 'mediumIds'>>,
): Promise<readonly PayablePayment[]> {
  let query = tx
    .selectFrom('monthlyPayments as p')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
    .innerJoin('agreements as a', 'a.id', 'p.agreementId')
    .select(['p.id', 'p.mediumId', 'p.month', 'p.organizationId', 'p.agreementId', 'p.bankAccountId', 'p.dueOn'])
    .select(sql<RuleVersion>`app.rule_version(p.month)`.as('rules'))
    .select(['p.feePaidBy', 'p.paymentYen', 'p.paymentIncludingTaxYen', 'p.paymentStatus', 'p.returnedReason'])
    .select(['s.partnerName', 's.payeeKind', 's.payeeResidence', 's.agreementName'])
    .select(['a.treatyFormFrom', 'a.treatyFormTo', 'a.treatyFormRate'])
    .select(['a.smallSupplierCoverage', 'a.freelanceCoverage', 'a.isShiftAgreedInWriting', 'a.isPaymentDisabled'])
    .where(isPayable(now))
    .orderBy('p.id')
  if (filter.dueOn) query = query.where('p.dueOn', '=', filter.dueOn)
  if (filter.months) query = query.where('p.month', 'in', [...filter.months, -1])
  // -1, which is no id, keeps the list from being empty: SQL has no `in ()`.
  if (filter.mediumIds) query = query.where('p.mediumId', 'in', [...filter.mediumIds, -1n])
  return (await query.execute()).map(row => ({
    monthlyPaymentId: row.id,
    mediumId: row.mediumId,
    month: row.month as YearMonth,
    organizationId: row.organizationId,
    agreementId: row.agreementId,
    agreementName: row.agreementName,
    partnerName: row.partnerName,
    bankAccountId: row.bankAccountId!,
    dueOn: row.dueOn as Day,
    feePaidBy: row.feePaidBy as FeePayer,
    ...withheldPayeeOf(row),
    paymentYen: row.paymentYen,
    rules: row.rules,
    paymentIncludingTaxYen: row.paymentIncludingTaxYen,
    isReturned: row.paymentStatus === 'returned',
    isShiftAgreedInWriting: row.isShiftAgreedInWriting,
    isStopped: row.isPaymentDisabled,
    returnedReason: row.returnedReason,
    coverage: {
      smallSupplierCoverage: row.smallSupplierCoverage as Coverage,
      freelanceCoverage: row.freelanceCoverage as Coverage,
    },
  }))
}

/**
 * The transfers of a request as they would be made now, and why the others cannot be made.
 * Tested by `scenarios/transfers.test.ts`.
 */
export async function planBatch(
  tx: Transaction,
  clock: Clock,
  request: TransferRequest,
): Promise<Result<BatchPlan, TransferActionRefusal | CloseRefusal>> {
  const { dueOn, transferOn } = request
  const dayRefusal = await transferDayRefusal(tx, clock, transferOn)
  if (dayRefusal) return refused(dayRefusal)
  const source = await readTransferSource(tx, transferOn)
  if (!source.ok) return source
  const feeTable = await readFeeTable(tx)
  const withholdingTable = await readWithholdingTable(tx)
  const excluded = new Set(request.excludedPaymentIds)
  const payable = (await readPayable(tx, today(clock), request))
    .filter(each => !excluded.has(each.monthlyPaymentId))
    // The law on the day of the transfer decides who bears the fee: the payee may be protected only since the close.
    .map(each => ({ ...each, feePaidBy: lawfulFeePayer(each.feePaidBy, each.coverage, transferOn) }))
  if (payable.length === 0) return refused(refusal('transfer/nothing-to-pay'))
  const accounts = await readPayeeAccounts(tx, [
    ...payable.map(each => each.bankAccountId),
    ...request.accounts.values(),
  ])
  const vanished = await readVanishedAccounts(tx, [...accounts.keys()])
  const redirected = await redirect(tx, payable, request.accounts, { accounts, vanished, today: today(clock) })
  if (!redirected.ok) return redirected
  const rules = {
    source: source.value,
    branchOf: (id: bigint) => accounts.get(id),
    feeTable,
    withholdingTable,
    transferOn,
    limitYen: source.value.transferLimitYen,
  }
  const problems: TransferProblem[] = []
  const transfers: NewTransfer[] = []
  const payments = new Map(redirected.value.map(each => [each.monthlyPaymentId, each]))
  for (const group of Map.groupBy(redirected.value, each => `${each.bankAccountId}/${each.feePaidBy}`).values()) {
    const payee = [...new Set(group.map(each => each.partnerName))].join('、')
    const paymentIds = group.map(each => each.monthlyPaymentId)
    const fail = (found: Refusal<RefusalCode>) => problems.push({ refusal: found, payee, paymentIds })
    const { bankAccountId: id } = group[0]!
    if (vanished.has(id)) {
      const { bankName: bank = '', branchName: branch = '' } = accounts.get(id) ?? {}
      fail(refusal('transfer/branch-gone', ['accounts'], { payee, bank, branch }))
      continue
    }
    const planned = planTransfers(group, rules)
    if (!planned.ok) {
      for (const each of planned.refusals) fail({ ...each, data: { ...each.data, payee } })
      continue
    }
    for (const { bankAccountId, ...transfer } of planned.value) {
      const { organizationId } = group[0]!
      const next: NewTransfer = {
        ...transfer,
        account: accounts.get(bankAccountId)!,
        organizationId,
        partnerName: payee,
      }
      const records = recordsToWrite({ ...next, ...next.account, id: 1n })
      const written = writeZenginFile(...zenginFileOf(source.value, transferOn, records))
      if (written.ok) transfers.push(next)
      else for (const each of written.refusals) fail(each)
    }
  }
  transfers.sort((a, b) => (a.account.bankAccountId < b.account.bankAccountId ? -1 : 1))
  const warnings = await lawWarnings(tx, transfers, payments, transferOn)
  const warned = warnings.map(each => [each.refusal.code, ...each.paymentIds].join(' '))
  const hash = createHash('sha256').update(canonicalText({ transferOn, transfers, warned })).digest('hex')
  return ok({ source: source.value, dueOn, transferOn, payments, transfers, problems, warnings, hash })
}

/**
 * Why a transfer cannot have this day: it is over, it is not a business day, or the holidays of its year are unknown.
 * Undefined: it can.
 */
export async function transferDayRefusal(
  tx: Transaction,
  clock: Clock,
  transferOn: Day,
): Promise<TransferActionRefusal | CloseRefusal | undefined> {
  if (transferOn < today(clock)) return refusal('transfer/day-past', ['transferOn'])
  try {
    const isOpen = isBusinessDay(await readHolidayCalendar(tx), transferOn)
    return isOpen ? undefined : refusal('transfer/day-not-business', ['transferOn'], { day: transferOn })
  } catch (error) {
    if (!(error instanceof HolidaysUnknownError)) throw error
    return refusal('payment/holidays-unknown', ['transferOn'], { year: Number(transferOn.slice(0, 4)) })
  }
}

/**
 * A returned payment, or one whose branch no longer exists, may go to another approved account of its organisation whose
 * waiting period is over; any other keeps the frozen one.
 */
async function redirect(
  tx: Transaction,
  payable: readonly PayablePayment[],
  to: ReadonlyMap<bigint, bigint>,
  known: {
    readonly accounts: ReadonlyMap<bigint, PayeeAccount>
    readonly vanished: ReadonlySet<bigint>
    readonly today: Day
  },
): Promise<Result<readonly PayablePayment[], TransferActionRefusal>> {
  const { accounts, vanished } = known
  if (to.size === 0) return ok(payable)
  const approved = await tx
    .selectFrom('bankAccounts')
    .select(['id', 'usableFrom'])
    .where('id', 'in', [...to.values()])
    .where('state', '=', 'approved')
    .where('enabled', '=', true)
    .execute()
  const usableFrom = new Map(approved.map(row => [row.id, row.usableFrom as Day | null]))
  const wrong = [...to].filter(([paymentId, accountId]) => {
    const payment = payable.find(each => each.monthlyPaymentId === paymentId)
    const isOwn = accounts.get(accountId)?.organizationId === payment?.organizationId
    const mayChange = payment !== undefined && (payment.isReturned || vanished.has(payment.bankAccountId))
    return !mayChange || !isOwn || !usableFrom.has(accountId) || vanished.has(accountId)
  })
  if (wrong.length > 0) {
    return refused(...wrong.map(([id]) => refusal('transfer/account-not-usable', ['accounts'], { id: id.toString() })))
  }
  const waiting = [...new Set(to.values())].flatMap(id => {
    const from = usableFrom.get(id) ?? null
    return isWaiting(from, known.today) ? [refusal('transfer/account-waiting', ['accounts'], { day: from! })] : []
  })
  if (waiting.length > 0) return refused(...waiting)
  return ok(payable.map(each => ({ ...each, bankAccountId: to.get(each.monthlyPaymentId) ?? each.bankAccountId })))
}
