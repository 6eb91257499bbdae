import { parseDay } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'
import { NO_VALUE } from '@pc/ui/text/format.ts'
import type { StatementQuery, StatementsQuery } from './statements.gen.ts'

export type StatementRow = NonNullable<StatementsQuery['statements']>['nodes'][number]
export type StatementDetail = NonNullable<StatementQuery['statement']>
export type StatementEvent = NonNullable<StatementDetail['events']>[number]

export const STATE_TONES: Readonly<Record<StatementRow['state'], BadgeTone>> = {
  issued: 'warn',
  confirmed: 'ok',
  objected: 'bad',
  resolved: 'mute',
  replaced: 'mute',
}

/** Silence does not confirm a statement without a notification. */
const UNNOTIFIED = '未通知（通知先がありません）。みなし確認はされません'

/** A short explanation of the state; undefined when the state says enough. */
export function stateNote({
  state,
  deemedOn,
  confirmationMethod,
  isUntold,
}: Pick<StatementRow, 'state' | 'deemedOn' | 'confirmationMethod' | 'isUntold'>): string | undefined {
  if (state === 'issued' && isUntold) return UNNOTIFIED
  if (state === 'issued') return `${givenDayText(deemedOn)}までに連絡がなければ、確認済みになります`
  if (state === 'confirmed') return confirmationMethod === 'deemed' ? 'みなし確認' : '支払先が確認'
  return undefined
}

export const EVENT_WORDS: Readonly<Record<StatementEvent['event'], string>> = {
  confirm: '支払先が内容を確認しました',
  deem: 'ご連絡がないまま期限を過ぎたため、確認済みになりました',
  object: '支払先が照会を送りました',
  withdraw: '支払先が照会を取り下げました',
  resolve: '照会に回答しました',
  replace: '改訂版に差し替えました',
  send: '送付を記録しました',
}

export function givenDayText(value: string): string {
  const day = parseDay(value)
  return day === undefined ? NO_VALUE : dayText(day)
}

const LEGAL_FORM = /^(?:株式会社|有限会社|合同会社|一般社団法人|一般財団法人)|(?:株式会社|有限会社|合同会社)$/g

/** The agreement's name without the payee's name, which is shown beside it; empty when nothing is left. */
export function contractText({ payeeName, agreementName }: Pick<StatementRow, 'payeeName' | 'agreementName'>): string {
  const bare = payeeName.replace(LEGAL_FORM, '').trim()
  const repeated = [payeeName, bare].find(name => name !== '' && agreementName.includes(name))
  if (repeated === undefined) return agreementName
  return agreementName.replace(repeated, '').replace(EMPTY_BRACKETS, '').replace(SEPARATORS, '')
}

const EMPTY_BRACKETS = /（\s*）|\(\s*\)|「\s*」/g
const SEPARATORS = /^[\s/・:：\-–—_]+|[\s/・:：\-–—_]+$/g
