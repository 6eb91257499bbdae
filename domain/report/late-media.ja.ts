import { type Day, day } from '../month/day.ts'
import { dayText } from '../month/day-text.ja.ts'

/** A medium that is behind the others of a report. */
interface LateMedium {
  readonly mediumId: bigint | string
  /** Null: the reader does not see its name. */
  readonly name: string | null
  /** The last day that it delivered. */
  readonly dataUntil: Day
}

const MOST_NAMES = 3

/** Beside the compared days, where a medium is late: what the reader has to know to trust the difference. */
export const OWN_DAYS = '媒体ごとに、届いている日どうしを比べています'

/** 「媒体「あおい」「みどり」は11月18日まで、媒体「きいろ」は11月17日まで」; undefined: no medium is late. */
export function lateMediaText(
  media: readonly LateMedium[],
  textOf: (day: Day) => string = dayText,
): string | undefined {
  if (media.length === 0) return undefined
  const byDay = [...Map.groupBy(media, ({ dataUntil }) => dataUntil)].sort(([a], [b]) => (a < b ? 1 : -1))
  return byDay.map(([until, own]) => `${namesText(own)}は${textOf(until)}まで`).join('、')
}

function namesText(media: readonly LateMedium[]): string {
  const names = media.slice(0, MOST_NAMES).map(({ mediumId, name }) => `「${name ?? `ID ${mediumId}`}」`)
  const rest = media.length - names.length
  return `媒体${names.join('')}${rest > 0 ? `ほか${rest}媒体` : ''}`
}

/** The same as the server answers them. */
export type LateMedia = readonly {
  readonly mediumId: string
  readonly name: string | null
  readonly dataUntil: string
}[]

/** The text of an answer. */
export function lateText(media: LateMedia, textOf?: (day: Day) => string): string | undefined {
  return lateMediaText(
    media.map(medium => ({ ...medium, dataUntil: day(medium.dataUntil) })),
    textOf,
  )
}
