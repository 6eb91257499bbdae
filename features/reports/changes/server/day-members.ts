import type { Member } from '@pc/domain/change/change-parts.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { addDays, type Day, dayOfWeek } from '@pc/domain/month/day.ts'
import { monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { type MediumEnds, SILENT_DAYS } from '@pc/domain/report/arrival.ts'
import type { BaseSums } from '@pc/domain/report/metric-identity.ts'
import { daysOf } from '@pc/domain/report/period.ts'

/** The sums of a medium on a day. */
export interface MediumDay {
  readonly mediumId: bigint
  readonly date: Day
  readonly sums: BaseSums
}
export interface BothRanges {
  readonly now: readonly MediumDay[]
  readonly before: readonly MediumDay[]
}

/** A day of the range with the days that it is compared with. */
export interface ComparedDay {
  readonly date: Day
  readonly before: DayRange | undefined
}

export function comparedDays(range: DayRange, comparedOf: (part: DayRange) => DayRange | undefined): ComparedDay[] {
  return daysIn(range).map(date => ({ date, before: comparedOf({ from: date, to: date }) }))
}

function daysIn(range: DayRange): Day[] {
  return Array.from({ length: daysOf(range) }, (_, index) => addDays(range.from, index))
}

/** Groups rows into members of a dimension. @param keyOf undefined leaves the row out */
export function membersBy(
  { now, before }: BothRanges,
  keyOf: (row: MediumDay, side: 'now' | 'before') => string | undefined,
): readonly Member[] {
  const found = new Map<string, { before: BaseSums; now: BaseSums }>()
  for (const [side, rows] of [
    ['now', now],
    ['before', before],
  ] as const) {
    for (const row of rows) {
      const key = keyOf(row, side)
      if (key === undefined) continue
      const own = found.get(key) ?? { before: {}, now: {} }
      found.set(key, { ...own, [side]: plus(own[side], row.sums) })
    }
  }
  return [...found].map(([id, sides]) => ({ id, ...sides }))
}

export function plus(a: BaseSums, b: BaseSums): BaseSums {
  const figures = Object.keys({ ...a, ...b }) as (keyof BaseSums)[]
  return Object.fromEntries(figures.map(figure => [figure, (a[figure] ?? 0n) + (b[figure] ?? 0n)]))
}

/** Members by day of the range; rows of compared days count for the day that they are compared with. */
export function dayMembers(rows: BothRanges, days: readonly ComparedDay[]): readonly Member[] {
  const dayOf = new Map(days.flatMap(({ date, before }) => (before ? daysIn(before) : []).map(each => [each, date])))
  return membersBy(rows, ({ date }, side) => (side === 'now' ? date : dayOf.get(date)))
}

/** From four weeks on, weekdays are comparable anyway. Shorter ranges must contain the same weekdays on both sides. */
const DAYS_OF_ANY_WEEKDAYS = 28

export function areWeekdaysComparable(days: readonly ComparedDay[]): boolean {
  if (days.length >= DAYS_OF_ANY_WEEKDAYS) return true
  const weekdays = (dates: readonly Day[]) => dates.map(dayOfWeek).toSorted().join()
  const earlier = days.flatMap(({ before }) => (before ? daysIn(before) : []))
  return weekdays(days.map(({ date }) => date)) === weekdays(earlier)
}

export function weekdayMembers(rows: BothRanges): readonly Member[] {
  return membersBy(rows, ({ date }) => String(dayOfWeek(date)))
}

/** Keys by {@link deliveredKey} of the days that media have delivered. */
export type DeliveredDays = ReadonlySet<string>
export const deliveredKey = (mediumId: bigint, date: Day) => `${mediumId} ${date}`

/** Days of a medium without any delivery on one side only: missing data that would look like a change. */
export interface MissingMember extends Member {
  readonly mediumId: bigint
  readonly side: 'now' | 'before'
  readonly days: readonly Day[]
}

/**
 * Gaps in a medium's deliveries whose compared day was delivered, so that the difference is missing data and not a change
 * of the figure. Seven days in a row without a delivery are no gap: the medium had stopped.
 * @param delivered must cover {@link withDaysAround} of both ranges
 */
export function missingMembers(
  rows: BothRanges,
  days: readonly ComparedDay[],
  delivered: DeliveredDays,
  media: readonly MediumEnds[],
): readonly MissingMember[] {
  const sumsOf = (side: readonly MediumDay[]) =>
    new Map(side.map(({ mediumId, date, sums }) => [deliveredKey(mediumId, date), sums]))
  const [now, before] = [sumsOf(rows.now), sumsOf(rows.before)]
  return media.flatMap(({ mediumId, first, last }) => {
    const lacks = (date: Day) => date > first && date < last && !delivered.has(deliveredKey(mediumId, date))
    const pairs = days.flatMap(({ date, before: compared }) =>
      compared && compared.from === compared.to ? [{ date, earlier: compared.from }] : [],
    )
    const missingOn = (side: 'now' | 'before'): readonly MissingMember[] => {
      const isGap = (date: Day) => lacks(date) && runAround(date, lacks) < SILENT_DAYS
      const found = pairs.flatMap(({ date, earlier }) => {
        const [missing, other] = side === 'now' ? [date, earlier] : [earlier, date]
        const sums = (side === 'now' ? before : now).get(deliveredKey(mediumId, other))
        return sums && isGap(missing) && !lacks(other) ? [{ missing, sums }] : []
      })
      if (found.length === 0) return []
      const sums = found.map(each => each.sums).reduce(plus)
      const sides = side === 'now' ? { before: sums, now: {} } : { before: {}, now: sums }
      return [{ id: `${side}:${mediumId}`, mediumId, side, days: found.map(({ missing }) => missing), ...sides }]
    }
    return [...missingOn('now'), ...missingOn('before')]
  })
}

/** The number of consecutive lacking days around `date`, itself included; counts no further than `SILENT_DAYS`. */
function runAround(date: Day, lacks: (date: Day) => boolean): number {
  let run = 1
  for (const step of [-1, 1])
    for (let at = addDays(date, step); run < SILENT_DAYS && lacks(at); at = addDays(at, step)) run += 1
  return run
}

/** The range with enough days around it to tell whether a gap at its edge is a week long. */
export function withDaysAround({ from, to }: DayRange): DayRange {
  return { from: addDays(from, 1 - SILENT_DAYS), to: addDays(to, SILENT_DAYS - 1) }
}

/** 媒体「あおい」の11月3日ほか2日のデータがないこと */
export function missingLabel({ side, days }: MissingMember, mediumName: string): string {
  const more = days.length > 1 ? `ほか${days.length - 1}日` : ''
  const which = `媒体「${mediumName}」の${monthDayText(days[0]!)}${more}のデータがない`
  return side === 'now' ? `${which}こと` : `比較する期間に、${which}こと`
}

/** 11月8日（10月11日との比較） */
export function comparedDayLabel(date: Day, days: readonly ComparedDay[]): string {
  const before = days.find(each => each.date === date)?.before
  const than = before && before.from === before.to ? `（${monthDayText(before.from)}との比較）` : ''
  return `${monthDayText(date)}${than}`
}
