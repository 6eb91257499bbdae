import { type CooperativeSteps, runSync } from '../cooperative.ts'
import { imbalanceYen, type JournalEntry } from '../journal/journal-entry.ts'
import { sumBy } from '../money/yen.ts'
import { addMonths, type YearMonth } from '../month/year-month.ts'
import type { OwnAdsDay } from '../settlement/own-ads.ts'
import { settleSteps } from '../settlement/settle-month.ts'
import type { MonthInput } from '../settlement/settlement-input.ts'
import type { SettledMonth } from '../settlement/settlement-result.ts'
import { type Violation, ViolationList } from '../settlement/violation.ts'
import type { Statement } from '../statement/statement.ts'
import type { PlannedTransfer } from '../transfer/transfer.ts'
import { isResend, type TransferRecord } from '../transfer/transfer-records.ts'
import { isSameValue } from './canonical-text.ts'
import { type LedgerEntry, ledgerBalance } from './manual-operation.ts'
import {
  isActiveTransfer,
  isFinalMonth,
  type JobStatus,
  type MonthState,
  type TransferState,
} from './payment-states.ts'
import { type PaymentTotals, paymentTotals, type TotalledPayment } from './payment-totals.ts'
import type { ChainBreak } from './snapshot-chain.ts'

/**
 * The invariants of the books beyond one settled month; `violation.ts` lists them all.
 *
 * I15: after a reset the books are as if the job had never run, and both sides remain in the ledger.
 * Tested by `domain/payment/invariants.test.ts`.
 */
export function resetViolations(
  entries: readonly LedgerEntry[],
  reversedJobIds: readonly bigint[],
): readonly Violation[] {
  const list = new ViolationList()
  for (const jobId of reversedJobIds) {
    const row = `配分処理 ${jobId}`
    const originals = entries.filter(entry => entry.jobId === jobId && entry.reversesJobId === null)
    const counters = entries.filter(entry => entry.reversesJobId === jobId)
    list.expectEqual('I15', row, '取り消し明細の件数', BigInt(counters.length), BigInt(originals.length))
    const balance = ledgerBalance([...originals, ...counters])
    list.expect('I15', row, balance.size === 0, '取り消し後の残高が 0 ではありません。')
  }
  const known = new Set(reversedJobIds)
  for (const entry of entries) {
    if (entry.reversesJobId === null || known.has(entry.reversesJobId)) continue
    list.expect('I15', `配分処理 ${entry.reversesJobId}`, false, '取り消されていない処理に取り消し明細があります。')
  }
  return list.violations
}

/**
 * I16 and the computed half of I17: settling the frozen input again gives the stored result, byte for byte.
 * @internal Tests call it.
 */
export function recomputationViolations(input: MonthInput, stored: SettledMonth): readonly Violation[] {
  return runSync(recomputationSteps(input, stored))
}

/** {@link recomputationViolations} as a generator that yields between agreements. */
export function* recomputationSteps(input: MonthInput, stored: SettledMonth): CooperativeSteps<readonly Violation[]> {
  const list = new ViolationList()
  const again = yield* settleSteps(input)
  const row = `媒体 ${input.mediumId} / ${input.month}`
  const isSame = again.ok && (yield* isSameMonth(again.value, stored))
  list.expect('I16', row, isSame, '再計算の結果が保存された結果と一致しません。')
  return list.violations
}

function* isSameMonth(a: SettledMonth, b: SettledMonth): CooperativeSteps<boolean> {
  const { payments, ...rest } = a
  const { payments: others, ...otherRest } = b
  if (payments.length !== others.length || !isSameValue(rest, otherRest)) return false
  for (const [index, payment] of payments.entries()) {
    if (!isSameValue(payment, others[index])) return false
    yield
  }
  return true
}

/** I17: the breaks that the check of the hash chain found. */
export function chainViolations(breaks: readonly ChainBreak[]): readonly Violation[] {
  const list = new ViolationList()
  for (const { mediumId, month, agreementId, kind } of breaks) {
    const row = `媒体 ${mediumId} / ${month}${agreementId === null ? '' : ` / 契約 ${agreementId}`}`
    list.expect('I17', row, false, CHAIN_TEXTS[kind])
  }
  return list.violations
}

const CHAIN_TEXTS: Readonly<Record<ChainBreak['kind'], string>> = {
  'link-altered': '確定記録が書き換えられています。',
  'previous-differs': '前月の確定記録とつながっていません。',
  'content-altered': '確定したスナップショットが書き換えられています。',
  'snapshot-missing': '確定したスナップショットがありません。',
}

export interface MonthOfMedium {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly state: MonthState
  readonly jobStatuses: readonly JobStatus[]
}

/** I18: no unfinished job in a finalised month, and no open month before a finalised one. */
export function closingViolations(months: readonly MonthOfMedium[]): readonly Violation[] {
  const list = new ViolationList()
  const isFinal = (month: MonthOfMedium) => isFinalMonth(month.state)
  for (const ofMedium of Map.groupBy(months, month => month.mediumId).values()) {
    const sorted = ofMedium.toSorted((a, b) => a.month - b.month)
    for (const [index, month] of sorted.entries()) {
      if (!isFinal(month)) continue
      const row = `媒体 ${month.mediumId} / ${month.month}`
      const isQuiet = month.jobStatuses.every(status => status === 'success' || status === 'failed')
      list.expect('I18', row, isQuiet, '確定した月に未完了の処理があります。')
      const previous = sorted[index - 1]
      const isInOrder = !previous || (isFinal(previous) && previous.month === addMonths(month.month, -1))
      list.expect('I18', row, isInOrder, '前の月が確定していません。')
    }
  }
  return list.violations
}

/** A transfer in any state, planned or later. Returned and cancelled transfers are not active. */
export interface TransferWithState extends PlannedTransfer {
  readonly transferId: bigint
  readonly state: TransferState
  /** States of the records of a transfer with several, including records that were sent again. */
  readonly recordStates?: readonly RecordWithState[]
}

export interface RecordWithState extends TransferRecord {
  readonly number: number
  readonly replaces: number | null
  readonly state: TransferState
}

/** I19 without the bank file: a payment whose transfer is not active needs a new one. */
export function transferViolations(
  transfers: readonly TransferWithState[],
  scheduledPaymentIds: readonly bigint[],
): readonly Violation[] {
  const list = new ViolationList()
  const activeCount = new Map<bigint, number>()
  for (const transfer of transfers) {
    const row = `振込 ${transfer.transferId}`
    const amountYen = transfer.paymentIncludingTaxYen - transfer.withholdingYen - transfer.feeBorneByPayeeYen
    list.expectEqual('I19', row, '振込額', transfer.transferAmountYen, amountYen)
    list.expect('I19', row, transfer.transferAmountYen > 0n, '振込額が正の値ではありません。')
    const feeYen = transfer.feePaidBy === 'publisher' ? (transfer.records[0]?.feeYen ?? 0n) : 0n
    list.expectEqual('I19', row, 'パブリッシャー負担の手数料', transfer.feeBorneByPayeeYen, feeYen)
    const totals = [
      ['税込支払額', 'paymentIncludingTaxYen'],
      ['源泉徴収税額', 'withholdingYen'],
      ['手数料', 'feeBorneByPayeeYen'],
      ['振込額', 'transferAmountYen'],
    ] as const
    for (const [label, field] of totals) {
      list.expectEqual(
        'I19',
        row,
        `${label}の明細の合計`,
        sumBy(transfer.parts, part => part[field]),
        transfer[field],
      )
    }
    checkRecords(list, transfer)
    if (!isActiveTransfer(transfer.state)) continue
    for (const { monthlyPaymentId } of transfer.parts) {
      activeCount.set(monthlyPaymentId, (activeCount.get(monthlyPaymentId) ?? 0) + 1)
    }
  }
  for (const id of scheduledPaymentIds) {
    const count = activeCount.get(id) ?? 0
    list.expect('I19', `支払 ${id}`, count === 1, `有効な振込が ${count} 件あります。1 件でなければなりません。`)
  }
  const scheduled = new Set(scheduledPaymentIds)
  for (const id of activeCount.keys()) {
    list.expect('I19', `支払 ${id}`, scheduled.has(id), '支払予定でない支払が振込に含まれています。')
  }
  return list.violations
}

/**
 * Records sum to their transfer, a returned record is sent again at most once, and the transfer's state follows from
 * its records.
 */
function checkRecords(list: ViolationList, transfer: TransferWithState): void {
  const row = `振込 ${transfer.transferId}`
  const { records, recordStates, transferAmountYen, state } = transfer
  const sumOf = (some: readonly TransferRecord[]) => sumBy(some, record => record.amountYen)
  list.expectEqual('I19', row, '分けた振込額の合計', sumOf(records), transferAmountYen)
  list.expectEqual(
    'I19',
    row,
    '分けた手数料の合計',
    sumBy(records, record => record.feeYen),
    transfer.feeYen,
  )
  if (!recordStates) return
  const active = recordStates.filter(record => isActiveTransfer(record.state))
  list.expect('I19', row, sumOf(active) <= transferAmountYen, '組戻しになっていない件の合計が振込額を超えています。')
  const replaced = recordStates.filter(isResend)
  for (const { number, replaces, amountYen } of replaced) {
    const before = recordStates.find(record => record.number === replaces)
    const isSame = before?.state === 'returned' && before.amountYen === amountYen
    const isOnce = replaced.filter(record => record.replaces === replaces).length === 1
    list.expect('I19', `${row}-${number}`, isSame && isOnce, '送り直した件が、組戻しになった件と一致しません。')
  }
  const isPaid = sumOf(recordStates.filter(record => record.state === 'paid')) === transferAmountYen
  list.expect('I19', row, (state === 'paid') === isPaid, '振込と分けた件の支払状態が一致しません。')
  list.expect('I19', row, isActiveTransfer(state) === active.length > 0, '振込と分けた件の組戻しの状態が一致しません。')
}

/** I19 for the bank file: its trailer agrees with the transfers. */
export function bankFileViolations(
  file: { readonly count: number; readonly totalYen: bigint; readonly amountsYen: readonly bigint[] },
  transfers: readonly Pick<TransferRecord, 'amountYen'>[],
): readonly Violation[] {
  const list = new ViolationList()
  const totalYen = sumBy(transfers, record => record.amountYen)
  list.expectEqual('I19', '総合振込ファイル', '合計金額', file.totalYen, totalYen)
  list.expectEqual(
    'I19',
    '総合振込ファイル',
    '明細の合計金額',
    sumBy(file.amountsYen, each => each),
    totalYen,
  )
  list.expectEqual('I19', '総合振込ファイル', '合計件数', BigInt(file.count), BigInt(transfers.length))
  return list.violations
}

/** I20: every entry balances, and the payables equal the totals of the statements. */
export function journalViolations(
  entries: readonly JournalEntry[],
  statements: readonly Pick<Statement, 'totalYen'>[],
): readonly Violation[] {
  const list = new ViolationList()
  for (const entry of entries) {
    list.expectEqual('I20', `仕訳 ${entry.reference}`, '貸借の差額', imbalanceYen(entry), 0n)
  }
  const payableYen = sumBy(entries, entry =>
    entry.stage === 'payable'
      ? sumBy(entry.lines, line => (line.side === 'credit' && line.account === 'payable' ? line.amountYen : 0n))
      : 0n,
  )
  const statementsYen = sumBy(statements, statement => statement.totalYen)
  list.expectEqual('I20', '仕訳', '未払金の合計', payableYen, statementsYen)
  return list.violations
}

/** I21: totals cover all rows of the filter, not only a page. */
export function totalsViolations(totals: PaymentTotals, rows: readonly TotalledPayment[]): readonly Violation[] {
  const list = new ViolationList()
  const expected = paymentTotals(rows)
  for (const field of Object.keys(expected) as (keyof PaymentTotals)[]) {
    list.expectEqual('I21', '支払一覧', `合計 ${field} `, totals[field], expected[field])
  }
  return list.violations
}

/**
 * I22: the days sum to the own ads that the month was settled with, and each day is its articles and the rest without
 * an article.
 */
export function ownAdsViolations(
  row: string,
  usedMicroYen: bigint,
  days: readonly (OwnAdsDay & { readonly articlesMicroYen: bigint; readonly restMicroYen: bigint })[],
): readonly Violation[] {
  const list = new ViolationList()
  list.expectEqual(
    'I22',
    row,
    '日別広告収益の合計',
    sumBy(days, day => day.amountMicroYen),
    usedMicroYen,
  )
  for (const day of days) {
    const partsMicroYen = day.articlesMicroYen + day.restMicroYen
    list.expectEqual('I22', `${row} / ${day.day}`, '記事別の合計', partsMicroYen, day.amountMicroYen)
  }
  return list.violations
}

/** I24: an organisation receives only its own, finalised rows. */
export function exposureViolations(
  viewerOrganizationId: bigint,
  rows: readonly {
    readonly agreementId: bigint
    readonly organizationId: bigint
    readonly hasBeenFinalized: boolean
  }[],
): readonly Violation[] {
  const list = new ViolationList()
  for (const row of rows) {
    const name = `契約 ${row.agreementId}`
    list.expect('I24', name, row.organizationId === viewerOrganizationId, 'ほかの組織の行が含まれています。')
    list.expect('I24', name, row.hasBeenFinalized, '確定していない支払が含まれています。')
  }
  return list.violations
}
