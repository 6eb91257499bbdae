import { checkRegistrationNumber, type PayeeKind } from '../bank/registration-number.ts'
import type { Day } from '../month/day.ts'
import type { RegisteredSpan } from './invoice-issuer.ts'

/**
 * The status of a payee's number in the register today.
 * - `ended`: it was registered and no longer is.
 * - `impossible`: the number is not well-formed.
 * - `ending`: it is registered, and the register already names its end.
 * - `unseen`: it has not been looked up yet.
 * - `valid`: it is registered, with no end.
 */
export const REGISTRATION_STATUSES = ['ended', 'impossible', 'ending', 'unseen', 'valid'] as const
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number]

export interface RegisterFinding {
  readonly standing: RegistrationStatus
  /** The first day on which the number is, or was, no longer registered. */
  readonly endedOn: Day | null
}

/** @param spans the registrations that the register has for this number, in any order; empty: it was not looked up */
export function registerFinding(
  number: string,
  payeeKind: PayeeKind,
  spans: readonly RegisteredSpan[],
  today: Day,
): RegisterFinding {
  if (checkRegistrationNumber(number, payeeKind).verdict === 'invalid') return { standing: 'impossible', endedOn: null }
  if (spans.length === 0) return { standing: 'unseen', endedOn: null }
  const current = spans.find(span => span.registeredOn <= today && (span.endedOn === null || today < span.endedOn))
  if (current) return { standing: current.endedOn === null ? 'valid' : 'ending', endedOn: current.endedOn }
  const ends = spans.flatMap(span => (span.endedOn !== null && span.endedOn <= today ? [span.endedOn] : []))
  return { standing: 'ended', endedOn: ends.toSorted().at(-1) ?? null }
}

/** A text that staff can send to the payee themselves; nothing is sent here. */
export function registerMail(payee: {
  readonly name: string
  readonly number: string
  readonly standing: RegistrationStatus
  /** For example `2026年9月30日`; empty when the register names no day. */
  readonly endedText: string
}): { readonly subject: string; readonly body: string } {
  const fact = {
    ended: `国税庁の公表サイトで、貴社の登録番号 ${payee.number} の登録が${payee.endedText ? `${payee.endedText}に` : ''}終了していることを確認しました。`,
    ending: `国税庁の公表サイトで、貴社の登録番号 ${payee.number} の登録が${payee.endedText}に終了する予定であることを確認しました。`,
    impossible: `ご登録いただいている登録番号 ${payee.number} は、番号の形式または検査数字が正しくありません。`,
    unseen: `ご登録いただいている登録番号 ${payee.number} について、確認をお願いいたします。`,
    valid: `ご登録いただいている登録番号 ${payee.number} について、確認をお願いいたします。`,
  }[payee.standing]
  return {
    subject: `【ご確認のお願い】適格請求書発行事業者の登録番号について`,
    body: [
      `${payee.name} ご担当者様`,
      '',
      'いつもお世話になっております。',
      fact,
      '',
      'お手数ですが、次のいずれかをお知らせください。',
      '・新しい登録番号（再登録された場合）',
      '・番号の訂正（入力の誤りの場合）',
      '・登録がないこと（登録をやめられた場合）',
      '',
      'お支払いする金額（消費税を含む）は変わりません。支払通知書の記載のために確認しております。',
    ].join('\n'),
  }
}
