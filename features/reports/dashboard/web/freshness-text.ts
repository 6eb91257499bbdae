import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { dayText, monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { type LateMedia, lateMediaText } from '@pc/domain/report/late-media.ja.ts'

/** Last delivered days (YYYY-MM-DD) by source; null: none. `dataUntil` is that of publishers' sums. */
export interface DataUntil {
  readonly dataUntil: string | null
  readonly articleDataUntil: string | null
  readonly videoDataUntil: string | null
  readonly lateMedia: LateMedia
}

/** For example 「集計済み：11月19日まで」. Names each source when they differ, and media that are late. */
export function freshnessOf({ lateMedia, ...until }: DataUntil, today: Day): string {
  const late = lateMediaText(lateMedia, day => shortText(day, today))
  return `${sourcesText(until, today)}${late ? `（${late}）` : ''}`
}

function sourcesText(
  { dataUntil, articleDataUntil, videoDataUntil }: Omit<DataUntil, 'lateMedia'>,
  today: Day,
): string {
  const sources = [
    ['全体', dataUntil],
    ['記事', articleDataUntil],
    ['動画', videoDataUntil],
  ] as const
  if (sources.every(([, until]) => until === null)) return '集計済みのデータはまだありません'
  if (sources.every(([, until]) => until === dataUntil)) return `集計済み：${untilText(dataUntil, today)}`
  return `集計済み：${sources.map(([name, until]) => `${name} ${untilText(until, today)}`).join('・')}`
}

function untilText(until: string | null, today: Day): string {
  const day = parseDay(until ?? '')
  if (day === undefined) return 'データなし'
  return `${shortText(day, today)}まで`
}

/** Includes the year only when it is not the current one. */
function shortText(day: Day, today: Day): string {
  return day.slice(0, 4) === today.slice(0, 4) ? monthDayText(day) : dayText(day)
}
