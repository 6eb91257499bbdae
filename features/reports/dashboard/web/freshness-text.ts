import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { dayText, monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { type LateMedia, lateMediaText } from '@pc/domain/report/late-media.ja.ts'

/** Last days (YYYY-MM-DD) that have arrived, by source; null: nothing has. */
export interface DataUntil {
  readonly dataUntil: string | null
  readonly articleDataUntil: string | null
  readonly videoDataUntil: string | null
  readonly lateMedia: LateMedia
}

/** 「集計済み：11月19日まで」, each source where they differ, and the media that are behind. */
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

/** With the year only when it is another. */
function shortText(day: Day, today: Day): string {
  return day.slice(0, 4) === today.slice(0, 4) ? monthDayText(day) : dayText(day)
}
