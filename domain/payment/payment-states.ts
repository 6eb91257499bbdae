import type { SettlementOutcome } from '../settlement/settlement-result.ts'
import type { TransitionTable } from './transition-table.ts'

/** The states of payments, transfers, statements, months and jobs, and the steps between them, as tables. */

export type MonthState = 'open' | 'computed' | 'finalized' | 'paid'

export type JobStatus = 'pending' | 'running' | 'success' | 'failed'
export type JobEvent = 'start' | 'succeed' | 'fail' | 'take_up_again'
/** `take_up_again`: the worker died and another one starts the job from its beginning. */
export const JOB_TRANSITIONS: TransitionTable<JobStatus, JobEvent> = {
  pending: { start: 'running' },
  running: { succeed: 'success', fail: 'failed', take_up_again: 'running' },
  success: {},
  failed: {},
}

export type StatementState = 'issued' | 'confirmed' | 'objected' | 'resolved' | 'replaced'
export type StatementEvent = 'confirm' | 'deem' | 'object' | 'resolve' | 'replace' | 'send'
export const STATEMENT_TRANSITIONS: TransitionTable<StatementState, StatementEvent> = {
  issued: { confirm: 'confirmed', deem: 'confirmed', object: 'objected', replace: 'replaced', send: 'issued' },
  confirmed: { replace: 'replaced' },
  objected: { resolve: 'resolved', replace: 'replaced' },
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
 * A returned transfer stays returned, but for a recalled one that the bank paid all the same (`pay_recalled`); its
 * payments
 * go into a new one, never automatically. One whose file was never written may be cancelled: nobody outside knows of
 * it.
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
  cancelled: '取消',
}

/** Of a request to take a transfer back before its day, or to record that the bank paid it all the same; it is decided once. */
export const RECALL_STATES = ['requested', 'confirmed', 'rejected'] as const
export type RecallState = (typeof RECALL_STATES)[number]
/** `return`: the bank shall not carry it out. `pay`: it did so all the same. */
export type RecallPurpose = 'return' | 'pay'

/** Whether nothing of a month changes any more. */
export function isFinalMonth(state: string | undefined): boolean {
  return state === 'finalized' || state === 'paid'
}

/** Whether its payments are on their way or paid: such a payment is in no other transfer. */
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
  // Paid without a bank file: an administrator marks it by hand.
  scheduled: { export: 'exported', pay: 'paid', pay_recalled: 'paid' },
  carried_over: {},
  held: {},
  exported: { pay: 'paid', return: 'returned' },
  paid: { return: 'returned' },
  // The bank carried out a recalled transfer: its payment waits to be sent again, or for a batch that was given up since.
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

/** What it is called to whom it is paid. */
export const PAYEE_STATUS_LABELS: Readonly<Record<PaymentStatus, string>> = {
  ...PAYMENT_STATUS_LABELS,
  exported: 'お振込みの手続き中',
}

/** What finalising does to a row. */
export function finalizingEvent(outcome: SettlementOutcome): PaymentEvent {
  if (outcome === 'scheduled') return 'schedule'
  return outcome === 'held' ? 'hold' : 'carry_over'
}
