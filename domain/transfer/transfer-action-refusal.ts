import type { Refusal } from '../refusal.ts'

/** Why transfers cannot be made, exported or given a result; refusals about a single transfer come in addition. */
export type TransferActionRefusal = Refusal<
  | 'transfer/nothing-to-pay'
  | 'transfer/source-missing'
  | 'transfer/day-past'
  | 'transfer/day-not-business'
  | 'transfer/preview-outdated'
  | 'transfer/late-by-law'
  | 'transfer/fee-of-unknown'
  | 'transfer/payment-stopped'
  | 'transfer/fee-now-forbidden'
  | 'transfer/withholding-changed'
  | 'transfer/account-not-usable'
  | 'transfer/account-waiting'
  | 'transfer/branch-gone'
  | 'transfer/branch-gone-since'
  | 'transfer/batch-not-found'
  | 'transfer/not-found'
  | 'transfer/state-not-allowed'
  | 'transfer/reason-missing'
  | 'transfer/settled-on-future'
  | 'transfer/not-due-yet'
  | 'transfer/returned-before-paid'
  | 'transfer/returned-too-early'
  | 'transfer/paid-too-early'
  | 'transfer/recall-needed'
  | 'transfer/recall-open'
  | 'transfer/recall-not-open'
  | 'transfer/recall-own'
  | 'transfer/recall-too-late'
  | 'transfer/recall-not-confirmed'
  | 'transfer/bank-recall-noted'
  | 'transfer/return-fee-out-of-range'
  | 'transfer/return-not-named'
  | 'transfer/not-recalled'
  | 'transfer/recalled-payment-open'
  | 'transfer/recalled-may-be-paid'
  | 'transfer/recalled-payment-waits'
  | 'transfer/day-over'
  | 'transfer/recalled-payment-not-open'
  | 'transfer/recalled-sent-again'
  | 'transfer/bank-reference-missing'
  | 'transfer/record-returned'
  | 'transfer/record-planned'
  | 'transfer/record-not-due'
  | 'transfer/record-above-limit'
  | 'transfer/record-branch-gone'
  | 'transfer/nothing-returned'
  | 'transfer/file-differs'
  | 'transfer/not-exported'
  | 'transfer/result-layout-missing'
  | 'transfer/result-unreadable'
  | 'transfer/result-not-bookable'
  | 'transfer/payment-in-transfer'
  | 'transfer/returned-with-others'
  | 'transfer/too-many'
  | 'journal/month-not-final'
  | 'journal/no-entries'
  | 'journal/not-encodable'
>

/** Findings that only warn; the person who sends the money decides. */
const REPORTED: readonly string[] = [
  'transfer/fee-of-unknown',
  'transfer/payment-stopped',
] satisfies TransferActionRefusal['code'][]

/**
 * Whether a finding about a payment keeps its bank file from being written. A late payment can be sent once it is
 * acknowledged. A fee of a payee of unknown coverage, and a payment stopped after its month was closed, only warn. Any
 * other finding means that the transfer would be a different one today.
 * Tested by `scenarios/export-law.test.ts`.
 */
export function isExportRefused(code: string, isLateAcknowledged: boolean): boolean {
  if (code === 'transfer/late-by-law') return !isLateAcknowledged
  return !REPORTED.includes(code)
}
