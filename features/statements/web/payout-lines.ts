import type { Day } from '@pc/domain/month/day.ts'
import { dayText, isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { formatInteger, formatSigned } from '@pc/ui/text/format.ts'
import type { PayoutTimelineQuery } from './payout-timeline.gen.ts'

export type PayoutMonth = PayoutTimelineQuery['payoutMonths'][number]
export type UnconfirmedStatement = NonNullable<PayoutTimelineQuery['statements']>['nodes'][number]

/** How far a month has come: earning, confirmed by the close, in transfer, paid. */
export type PayoutStage = 1 | 2 | 3 | 4
export const PAYOUT_STAGES = ['集計中', '確定', 'お手続き中', 'お支払い済み'] as const

/** One month of the way from earning to paid. */
export interface PayoutLine {
  /** YYYY-MM */
  readonly month: string
  readonly stage: PayoutStage
  readonly amountYen: number
  /** Earned: before tax and not final. */
  readonly isEstimate: boolean
  readonly text: string
  readonly isBad: boolean
}

/** Earning months first, then the final ones, the newest first. */
export function payoutLines({ payoutMonths, summaryStats }: PayoutTimelineQuery): readonly PayoutLine[] {
  const latest = payoutMonths[0]?.month ?? ''
  const earning = summaryStats.nodes
    .map(node => ({ month: node.date.slice(0, 7), yen: node.publisherTotalRevenue }))
    .filter(({ month }) => month > latest)
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
  const newest = earning[0]?.month
  return [
    ...earning.map(({ month, yen }) => ({
      ...{ month, stage: 1 as const, amountYen: yen, isEstimate: true, isBad: false },
      text: month === newest ? '集計中の見込み額（税抜）' : '月次の確定を待っています（見込み・税抜）',
    })),
    ...payoutMonths.map(finalLine),
  ]
}

function finalLine(row: PayoutMonth): PayoutLine {
  const line = { month: row.month, amountYen: row.total, isEstimate: false, isBad: false }
  const due = row.dueOn === null ? '' : dayText(row.dueOn as Day)
  if (row.payments === 0) {
    const carried = row.carriedOver > 0 ? `翌月以降に${formatInteger(row.carriedOver)}円（税抜）を繰り越しました` : ''
    return { ...line, stage: 4, text: carried || 'お支払いはありません' }
  }
  if (row.returned > 0)
    return {
      ...line,
      ...{ stage: 3, isBad: true },
      text: `${formatInteger(row.returned)}円が振込先に届きませんでした。口座をご確認ください`,
    }
  const paid = row.paid > 0 ? `${formatInteger(row.paid)}円はお支払い済み。残りは` : ''
  if (row.exported > 0) return { ...line, stage: 3, text: `${paid}お振込みの手続き中（期日 ${due}）` }
  if (row.scheduled > 0) return { ...line, stage: 2, text: `${paid}${due}にお支払い予定` }
  return {
    ...line,
    stage: 4,
    text: row.paidOn === null ? 'お支払い済み' : `${dayText(row.paidOn as Day)}にお支払い済み`,
  }
}

/** The next day on which money comes; null: none is known yet. */
export interface NextPayout {
  readonly dueOn: Day
  readonly amountYen: number
  /** 「2026年9月分」; more than one where several months are due on the day. */
  readonly months: string
  readonly isUnderWay: boolean
  /** Against the last payment; undefined: there was none, or only the rest of a month is due. */
  readonly compared: string | undefined
  /** Where it goes, as the statements say; undefined: the reader does not see accounts, or nothing says it. */
  readonly account: string | undefined
}

export function nextPayout(data: PayoutTimelineQuery): NextPayout | null {
  const next = data.cashForecast.dueDates.find(due => due.confirmed > 0)
  if (!next) return null
  const due = data.payoutMonths.filter(row => row.dueOn === next.dueOn)
  const paid = data.payoutMonths.filter(row => row.paidOn !== null)
  const lastDay = paid
    .map(row => row.paidOn!)
    .toSorted()
    .at(-1)
  const last = paid.filter(row => row.paidOn === lastDay).reduce((sum, row) => sum + row.paid, 0)
  const isWhole = due.reduce((sum, row) => sum + row.total, 0) === next.confirmed
  const accounts = new Set(
    (data.statements?.nodes ?? [])
      .filter(({ month }) => due.some(row => row.month === month))
      .map(({ account }) => accountText(account)),
  )
  const [account] = accounts
  return {
    dueOn: next.dueOn as Day,
    amountYen: next.confirmed,
    months: due.map(row => `${isoMonthText(row.month)}分`).join('・'),
    isUnderWay: due.length > 0 && due.every(row => row.scheduled === 0 && row.exported > 0),
    compared:
      lastDay === undefined || !isWhole
        ? undefined
        : `前回（${dayText(lastDay as Day)}、${formatInteger(last)}円）より${formatSigned(next.confirmed - last)}円`,
    account: accounts.size > 1 ? `${account}ほか` : account,
  }
}

/** The number as people recognise it, without showing it to whoever looks over a shoulder. */
function accountText({ bankName, branchName, typeName, number }: UnconfirmedStatement['account']): string {
  return `${bankName} ${branchName} ${typeName} ＊＊＊${number.slice(-3)}`
}
