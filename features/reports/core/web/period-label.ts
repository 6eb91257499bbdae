import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { dayText, dayTextWithWeekday, monthDayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import type { Period } from '@pc/domain/report/period.ts'

/**
 * The state of a period's figures.
 * - `final`       every day with data belongs to a finalised month
 * - `estimate`    over, but its month is not finalised
 * - `running`     the period is not over
 * - `awaited`     its data has not arrived yet
 * - `none`        the data of later days has arrived, but nothing for this period: no data, which is not zero
 */
export type FigureState = 'final' | 'estimate' | 'running' | 'awaited' | 'none'

/** 2026年11月8日（日） · 2026年11月8日〜14日 · 2026年11月 */
export function periodLabel(period: Period, granularity: Granularity): string {
  const { startsOn, endsOn, covered } = period
  if (granularity === 'daily') return dayTextWithWeekday(covered.from)
  if (granularity === 'weekly') return rangeLabel(covered)
  const month = monthText(monthOfDay(startsOn))
  const isWhole = covered.from === startsOn && covered.to === endsOn
  return isWhole ? month : `${month}（${Number(covered.from.slice(8))}日〜${Number(covered.to.slice(8))}日）`
}

export function rangeLabel({ from, to }: DayRange): string {
  if (from === to) return dayText(from)
  if (from.slice(0, 7) === to.slice(0, 7)) return `${dayText(from)}〜${Number(to.slice(8))}日`
  return `${dayText(from)}〜${from.slice(0, 4) === to.slice(0, 4) ? monthDayText(to) : dayText(to)}`
}
