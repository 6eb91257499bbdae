import type { EntityCondition } from '@pc/domain/condition/entity-filter.ts'
import { filterCountsText } from '@pc/domain/condition/filter-conversions.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthDayText } from '@pc/domain/month/day-text.ja.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import type { WholeReportMailFragment } from './report-email.gen.ts'

type Mail = WholeReportMailFragment

/** 毎週月曜日 8:00 */
export function scheduleText({ cadence, monthDay, hour }: Pick<Mail, 'cadence' | 'monthDay' | 'hour'>): string {
  const day = {
    daily: '毎日',
    weekly: '毎週月曜日',
    monthly: monthDay === 'first' ? '毎月1日' : '毎月の最初の営業日',
  }[cadence]
  return `${day} ${hour}:00`
}

/** 媒体1件・パブリッシャー2件 */
export const filterText = (filter: EntityCondition) => filterCountsText(filter) || '絞り込みなし'

const STATES: Readonly<Record<NonNullable<Mail['last']>['state'], readonly [string, BadgeTone]>> = {
  waiting: ['集計待ち', 'warn'],
  queued: ['送信中', 'mute'],
  sent: ['送信済み', 'ok'],
  not_sent: ['送信なし', 'bad'],
}

/** The state of the last email with its days and time. */
export function lastText({ last }: Mail): { readonly label: string; readonly tone: BadgeTone; readonly note: string } {
  if (!last) return { label: 'まだありません', tone: 'mute', note: '' }
  const [label, tone] = STATES[last.state]
  const [from, to] = [monthDayText(last.from as Day), monthDayText(last.to as Day)]
  const days = from === to ? from : `${from}〜${to}`
  return { label, tone, note: `${days}の分（${formatInstant(last.changedAt)}）` }
}
