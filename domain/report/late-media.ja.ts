import { type Day, day } from '../month/day.ts'
import { dayText } from '../month/day-text.ja.ts'

/** A medium whose data end before those of the other media of a report. */
interface LateMedium {
  readonly mediumId: bigint | string
  /** Null: the reader may not see its name. */
  readonly name: string | null
  /** The last day with data, `YYYY-MM-DD`. */
  readonly dataUntil: string
}
/** The list as the API returns it. */
export type LateMedia = readonly LateMedium[]

/** Media that are named; the others are only counted. */
const MAX_NAMES = 3

/** Shown beside compared figures when a medium is late. */
export const OWN_DAYS = '媒体ごとに、届いている日どうしを比べています'

/**
 * 「媒体「あおい」「みどり」は11月18日まで、媒体「きいろ」は11月17日まで」; undefined when no medium is late.
 * Tested by `domain/report/late-media.test.ts`.
 */
export function lateMediaText(media: LateMedia, textOf: (day: Day) => string = dayText): string | undefined {
  if (media.length === 0) return undefined
  const byDay = [...Map.groupBy(media, ({ dataUntil }) => dataUntil)].sort(([a], [b]) => (a < b ? 1 : -1))
  return byDay.map(([until, own]) => `${namesText(own)}は${textOf(day(until))}まで`).join('、')
}

function namesText(media: LateMedia): string {
  const names = media.slice(0, MAX_NAMES).map(({ mediumId, name }) => `「${name ?? `ID ${mediumId}`}」`)
  const rest = media.length - names.length
  return `媒体${names.join('')}${rest > 0 ? `ほか${rest}媒体` : ''}`
}
