import type { SettlementOutcome } from '../settlement/settlement-result.ts'
import type { TransitionTable } from './transition-table.ts'

/** How far a medium's month is (`month_states`); `open` again when its inputs changed. */
export type MonthState = 'open' | 'computed' | 'finalized' | 'paid'

export type JobStatus = 'pending' | 'running' | 'success' | 'failed'
export type JobEvent = 'start' | 'succeed' | 'fail' | 'take_up_again'
/** `take_up_again`: the worker died, and another one starts the job from the beginning. */
export const JOB_TRANSITIONS: TransitionTable<JobStatus, JobEvent> = {
  pending: { start: 'running' },
  running: { succeed: 'success', fail: 'failed', take_up_again: 'running' },
  success: {},
  failed: {},
}

// `deem`: the statement counts as confirmed because the payee said nothing until the printed day. `replace`: a revision
// was issued. `send`: staff noted how it was sent.
export type StatementState = 'issued' | 'confirmed' | 'objected' | 'resolved' | 'replaced'
export type StatementEvent = 'confirm' | 'deem' | 'object' | 'withdraw' | 'resolve' | 'replace' | 'send'
export const STATEMENT_TRANSITIONS: TransitionTable<StatementState, StatementEvent> = {
  issued: { confirm: 'confirmed', deem: 'confirmed', object: 'objected', replace: 'replaced', send: 'issued' },
  confirmed: { replace: 'replaced' },
  objected: { withdraw: 'issued', resolve: 'resolved', replace: 'replaced' },
  resolved: { replace: 'replaced' },
  replaced: {},
}

export const STATEMENT_STATE_LABELS: Readonly<Record<StatementState, string>> = {
  issued: '確認待ち',
  confirmed: '確認済み',
  objected: '照会中',
  resolved: '回答済み',
  replaced: '差替済み',
}

export type TransferState = 'planned' | 'exported' | 'paid' | 'returned' | 'cancelled'
export type TransferEvent = 'export' | 'pay' | 'return' | 'cancel' | 'pay_recalled'
/**
 * A returned transfer stays returned, except a recalled one that the bank paid after all (`pay_recalled`). Its payments
 * can go into a new transfer, but never automatically. A transfer whose file was never written can be cancelled,
 * because nobody outside knows of it.
 * Tested by `domain/payment/manual-operation.test.ts`.
 */
export const TRANSFER_TRANSITIONS: TransitionTable<TransferState, TransferEvent> = {
  planned: { export: 'exported', cancel: 'cancelled' },
  exported: { pay: 'paid', return: 'returned' },
  paid: { return: 'returned' },
  returned: { pay_recalled: 'paid' },
  cancelled: {},
}

export const TRANSFER_STATE_LABELS: Readonly<Record<TransferState, string>> = {
  planned: '出力待ち',
  exported: '結果待ち',
  paid: '支払済み',
  returned: '組戻し',
  cancelled: '取り消し',
}

/** A request to recall a transfer before its day, or to record that the bank paid it after all. It is decided once. */
export const RECALL_STATES = ['requested', 'confirmed', 'rejected'] as const
export type RecallState = (typeof RECALL_STATES)[number]
/** `return`: the bank is not to carry it out. `pay`: it did so after all. */
export type RecallPurpose = 'return' | 'pay'

/** Whether the month is closed for changes. */
export function isFinalMonth(state: string | undefined): boolean {
  return state === 'finalized' || state === 'paid'
}

/** Whether the transfer's payments are on their way or paid; such a payment is in no other transfer. */
export function isActiveTransfer(state: TransferState): boolean {
  return state !== 'returned' && state !== 'cancelled'
}

export type PaymentStatus =
  | 'accruing'
  | 'computed'
  | 'scheduled'
  | 'carried_over'
  | 'held'
  | 'exported'
  | 'paid'
  | 'returned'
export type PaymentEvent =
  | 'compute'
  | 'input_changed'
  | 'schedule'
  | 'carry_over'
  | 'hold'
  | 'export'
  | 'pay'
  | 'return'
  | 'plan_again'
  | 'pay_recalled'
export const PAYMENT_TRANSITIONS: TransitionTable<PaymentStatus, PaymentEvent> = {
  accruing: { compute: 'computed' },
  computed: {
    compute: 'computed',
    input_changed: 'accruing',
    schedule: 'scheduled',
    carry_over: 'carried_over',
    hold: 'held',
  },
  // `pay`: paid without a bank file, which an administrator marks by hand.
  scheduled: { export: 'exported', pay: 'paid', pay_recalled: 'paid' },
  carried_over: {},
  held: {},
  exported: { pay: 'paid', return: 'returned' },
  paid: { return: 'returned' },
  // `pay_recalled`: the bank carried out a recalled transfer after all.
  returned: { plan_again: 'scheduled', pay_recalled: 'paid' },
}

export const PAYMENT_STATUS_LABELS: Readonly<Record<PaymentStatus, string>> = {
  accruing: '未確定',
  computed: '計算済み',
  scheduled: '支払予定',
  carried_over: '繰越',
  held: '保留',
  exported: '振込データ作成済み',
  paid: '支払済み',
  returned: '組戻し',
}

/** Labels that the payee sees. */
export const PAYEE_STATUS_LABELS: Readonly<Record<PaymentStatus, string>> = {
  ...PAYMENT_STATUS_LABELS,
  exported: 'お振込みの手続き中',
}

/** The event that finalising causes for a payment. */
export function finalizingEvent(outcome: SettlementOutcome): PaymentEvent {
  if (outcome === 'scheduled') return 'schedule'
  return outcome === 'held' ? 'hold' : 'carry_over'
}
