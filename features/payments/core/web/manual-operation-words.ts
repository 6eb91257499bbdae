import { jobKindLabel } from '@pc/domain/payment/job-text.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'
import { formatChange, formatInteger, formatSigned } from '@pc/ui/text/format.ts'
import type { MonthCloseQuery } from './month-close.gen.ts'

export type BoardRow = NonNullable<MonthCloseQuery['monthCloseBoard']>[number]
/** The number of payments. The amount beside it covers paid ones only, so unpaid ones are named when there are any. */
export function paymentsText({ payments, unpaidPayments }: Pick<BoardRow, 'payments' | 'unpaidPayments'>): string {
  const unpaid = unpaidPayments === 0 ? '' : `（うち繰越・保留 ${formatInteger(unpaidPayments)}件）`
  return `${formatInteger(payments)}件${unpaid}`
}

export type MonthOperation = NonNullable<MonthCloseQuery['monthlyDividendManualOperations']>['nodes'][number]
export type LogEntry = NonNullable<MonthCloseQuery['monthCloseLog']>[number]
export type FoundViolation = NonNullable<MonthCloseQuery['invariantViolations']>[number]
export type ManualOperation = MonthOperation['dividends'][number]

const KIND_VALUES = ['ssp', 'ssp_video', 'ssp_live', 'csv', 'reset'] as const
export const KINDS = KIND_VALUES.map(value => ({ value, label: jobKindLabel(value) }))
export const METHODS = [
  { value: 'payment', label: '支払' },
  { value: 'discard', label: '破棄' },
] as const

export function kindLabel(kind: ManualOperation['kind']): string {
  return KINDS.find(each => each.value === kind)?.label ?? kind
}

export function methodLabel(method: ManualOperation['dividendMethod']): string {
  return METHODS.find(each => each.value === method)?.label ?? method
}

export const JOB_STATES: Readonly<Record<ManualOperation['jobStatus'], { label: string; tone: BadgeTone }>> = {
  pending: { label: '待機中', tone: 'mute' },
  running: { label: '処理中', tone: 'warn' },
  success: { label: '完了', tone: 'ok' },
  failed: { label: '失敗', tone: 'bad' },
}

export const MONTH_STATES: Readonly<Record<BoardRow['state'], { label: string; tone: BadgeTone }>> = {
  open: { label: '未計算', tone: 'mute' },
  computed: { label: '計算済み', tone: 'warn' },
  finalized: { label: '確定済み', tone: 'ok' },
  paid: { label: '支払済み', tone: 'ok' },
}

export const CHECK_TONES: Readonly<Record<BoardRow['checks'][number]['state'], BadgeTone>> = {
  green: 'ok',
  amber: 'warn',
  red: 'bad',
  waiting: 'mute',
}
/** The text of a check's link where a person can resolve it; links of other checks only lead to what they found. */
const CURES: Partial<Record<BoardRow['checks'][number]['kind'], string>> = {
  previous_month: '前月の締めを開く',
  statistics: '取り込み履歴を開く',
  accounts: '振込口座を確認する',
  registrations: '登録番号を照合する',
  agreements: '返還の計算を確認する',
  law: '支払の条件を確認する',
  amounts: '支払の一覧で確かめる',
  statements: '足りない項目を登録する',
  transfer_fees: '料金表を登録する',
  second_person: '二者確認の設定を確認する',
}
export const cureText = ({ kind, label }: Pick<BoardRow['checks'][number], 'kind' | 'label'>) =>
  CURES[kind] ?? `${label}を確認する`

const CHECK_WORDS: Readonly<Record<BoardRow['checks'][number]['state'], string>> = {
  green: '問題なし',
  amber: '注意',
  red: '要対応',
  waiting: '確認待ち',
}

/** The word for a check. In a final month it says only whether acknowledgements with reasons can be read. */
export function checkWord(
  { state, acknowledgements }: Pick<BoardRow['checks'][number], 'state' | 'acknowledgements'>,
  isFinal: boolean,
): string {
  const hasReason = acknowledgements.length > 0
  if (isFinal) return hasReason ? '確定済み（理由あり）' : '確定済み'
  return hasReason ? '確認済み' : CHECK_WORDS[state]
}

/** The total of the month before and the difference to it; undefined where that month is not final. */
export function comparedText(nowYen: number, beforeYen: number | null): string | undefined {
  if (beforeYen === null) return undefined
  const change = formatChange(nowYen, beforeYen)
  const percent = change ? `、${change.text}` : ''
  return `前月 ${formatInteger(beforeYen)}円（${formatSigned(nowYen - beforeYen)}円${percent}）`
}

/** {@link comparedText} for the total of several media; undefined when one of them has no final month before. */
export function comparedTotalText(
  rows: readonly Pick<BoardRow, 'paymentIncludingTax' | 'previousPaymentIncludingTax'>[],
): string | undefined {
  let [now, before] = [0, 0]
  for (const { paymentIncludingTax, previousPaymentIncludingTax } of rows) {
    if (previousPaymentIncludingTax === null) return undefined
    now += paymentIncludingTax
    before += previousPaymentIncludingTax
  }
  return comparedText(now, before)
}

/** A short text of how many checks of a medium need attention or were acknowledged. */
export function checksText({ checks, finalizedAt }: Pick<BoardRow, 'checks' | 'finalizedAt'>): string {
  const reasons = checks.filter(check => check.acknowledgements.length > 0).length
  const said = reasons === 0 ? [] : [`確認済み ${formatInteger(reasons)}件`]
  const counts = finalizedAt
    ? said
    : [
        ...(['red', 'waiting', 'amber'] as const).flatMap(state => {
          const count = checks.filter(check => check.state === state).length
          return count === 0 ? [] : [`${CHECK_WORDS[state]} ${formatInteger(count)}件`]
        }),
        ...said,
      ]
  return counts.length === 0 ? '問題なし' : counts.join('・')
}
