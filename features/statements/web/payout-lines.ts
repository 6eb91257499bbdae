import type { Day } from '@pc/domain/month/day.ts'
import { dayText, isoMonthText, monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { formatInteger, formatSigned } from '@pc/ui/text/format.ts'
import type { PayoutTimelineQuery } from './payout-timeline.gen.ts'

export type PayoutMonth = PayoutTimelineQuery['payoutMonths'][number]
export type UnconfirmedStatement = NonNullable<PayoutTimelineQuery['statements']>['nodes'][number]
type Account = NonNullable<PayoutTimelineQuery['printed']>['nodes'][number]['account']

/** How far a month has come, from 1: earning, final, in transfer, paid. See {@link PAYOUT_STAGES}. */
export type PayoutStage = 1 | 2 | 3 | 4
export const PAYOUT_STAGES = ['集計中', '確定', 'お手続き中', 'お支払い済み'] as const

/** One month of the way from earning to paid. */
export interface PayoutLine {
  /** YYYY-MM */
  readonly month: string
  /** Null: the month pays nothing. */
  readonly stage: PayoutStage | null
  readonly amountYen: number
  readonly text: string
  readonly isBad: boolean
  /** The bank returned the money, so the account has to be checked. */
  readonly isReturned?: boolean
}

/** The months that still earn first, then the final ones, newest first. */
export function payoutLines({ payoutMonths, summaryStats }: PayoutTimelineQuery, today: Day): readonly PayoutLine[] {
  const latest = payoutMonths[0]?.month ?? ''
  const earning = summaryStats.nodes
    .map(node => ({ month: monthOf(node.date), yen: node.publisherTotalRevenue }))
    .filter(({ month }) => month > latest)
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
  const newest = earning[0]?.month
  const { dataUntil } = summaryStats
  const until = dataUntil === null ? '' : `${monthDayText(dataUntil as Day)}までの`
  const inPart = partlyFinal(summaryStats)
  return [
    ...earning.map(({ month, yen }) => ({
      ...{ month, stage: 1 as const, amountYen: yen, isBad: false },
      text: month === newest ? `集計中です（${until}速報・税抜）` : '月次の確定を待っています（速報・税抜）',
    })),
    ...payoutMonths.map(row => {
      const line = finalLine(row, today)
      return inPart.has(row.month) ? { ...line, text: `${line.text}（ほかの媒体は月次の確定を待っています）` } : line
    }),
  ]
}

const monthOf = (day: string) => day.slice(0, 7)

/** Months that a medium has not closed yet, so that their final payments are not all. */
function partlyFinal({ nodes }: PayoutTimelineQuery['summaryStats']): ReadonlySet<string> {
  return new Set(nodes.filter(node => !node.hasBeenFinalized).map(node => monthOf(node.date)))
}

function finalLine(row: PayoutMonth, today: Day): PayoutLine {
  const line = { month: row.month, amountYen: row.total, isBad: false }
  const due = row.dueOn === null ? '' : dayText(row.dueOn as Day)
  if (row.payments === 0) {
    const carried = row.carriedOver > 0 ? `翌月以降に${formatInteger(row.carriedOver)}円（税抜）を繰り越しました` : ''
    return { ...line, stage: null, text: carried || 'お支払いはありません' }
  }
  if (row.returned > 0)
    return {
      ...line,
      ...{ stage: 3, isBad: true, isReturned: true },
      text: `${formatInteger(row.returned)}円が振込先に届きませんでした。口座をご確認ください`,
    }
  const paid = row.paid > 0 ? `${formatInteger(row.paid)}円はお支払い済み。残りは` : ''
  if (row.scheduled > 0 && isPast(row, today))
    return { ...line, stage: 2, isBad: true, text: `${paid}支払期日（${due}）を過ぎています` }
  if (row.exported > 0) {
    const text = isPast(row, today) ? 'お振込みの結果を確認中' : 'お振込みの手続き中'
    return { ...line, stage: 3, text: `${paid}${text}（期日 ${due}）` }
  }
  if (row.scheduled > 0) return { ...line, stage: 2, text: `${paid}${due}にお支払い予定` }
  return {
    ...line,
    stage: 4,
    text: row.paidOn === null ? 'お支払い済み' : `${dayText(row.paidOn as Day)}にお支払い済み`,
  }
}

const isPast = ({ dueOn }: PayoutMonth, today: Day) => dueOn !== null && dueOn < today

/** What was due before today and is not recorded as paid; null: nothing. */
export interface OverduePayout {
  readonly amountYen: number
  readonly months: string
  readonly text: string
  readonly isBad: boolean
}

export function overduePayout({ cashForecast, payoutMonths }: PayoutTimelineQuery, today: Day): OverduePayout | null {
  if (cashForecast.overdue === 0) return null
  const rows = payoutMonths.filter(row => isPast(row, today))
  const of = { amountYen: cashForecast.overdue, months: monthsText(rows) }
  if (rows.some(row => row.returned > 0))
    return {
      ...of,
      isBad: true,
      text: 'のお支払いが済んでいません。振込先に届かなかった分があります。口座をご確認ください',
    }
  if (rows.some(row => row.scheduled > 0))
    return { ...of, isBad: true, text: 'のお支払いが支払期日を過ぎています。お手続きをお待ちください' }
  return { ...of, isBad: false, text: 'のお振込みの結果を確認しています' }
}

const monthsText = (rows: readonly PayoutMonth[]) => rows.map(row => `${isoMonthText(row.month)}分`).join('・')

/** The next day with a payment; null: none is known yet. */
export interface NextPayout {
  readonly dueOn: Day
  readonly amountYen: number
  /** 「2026年9月分」; more than one where several months are due on the day. */
  readonly months: string
  readonly isUnderWay: boolean
  /** The part of it that came back from the bank and waits for a correct account. */
  readonly returnedYen: number
  /** The comparison with the last payment; undefined: there was none, or only the rest of a month is due. */
  readonly compared: string | undefined
  /** The account on the statements; undefined: the reader may not see accounts, or there is no statement. */
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
  const inPart = partlyFinal(data.summaryStats)
  const isWhole =
    due.reduce((sum, row) => sum + row.total, 0) === next.confirmed && !due.some(row => inPart.has(row.month))
  const accounts = new Set(
    (data.printed?.nodes ?? [])
      .filter(({ month }) => due.some(row => row.month === month))
      .map(({ account }) => accountText(account)),
  )
  const [account] = accounts
  return {
    dueOn: next.dueOn as Day,
    amountYen: next.confirmed,
    months: monthsText(due),
    isUnderWay: due.length > 0 && due.every(row => row.scheduled === 0 && row.returned === 0 && row.exported > 0),
    returnedYen: due.reduce((sum, row) => sum + row.returned, 0),
    compared:
      lastDay === undefined || !isWhole
        ? undefined
        : `前回（${dayText(lastDay as Day)}、${formatInteger(last)}円）より${formatSigned(next.confirmed - last)}円`,
    account: accounts.size > 1 ? `${account}ほか` : account,
  }
}

/** The account with only the last three digits of its number, in case somebody looks over the reader's shoulder. */
function accountText({ bankName, branchName, typeName, number }: Account): string {
  return `${bankName} ${branchName} ${typeName} ＊＊＊${number.slice(-3)}`
}
