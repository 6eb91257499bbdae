import type { DayRange } from '../condition/default-range.ts'
import { addDays, type Day } from '../month/day.ts'

/** A medium that has delivered nothing for so many days does not deliver any more: nobody waits for it. */
export const SILENT_DAYS = 7

/** The first and the last day that a medium delivered. */
export interface MediumEnds {
  readonly mediumId: bigint
  readonly first: Day
  readonly last: Day
}
/** Days of a medium; both ends are included. */
export interface MediumDays extends DayRange {
  readonly mediumId: bigint
}

/** Whether a medium is still waited for. @param lastOfAll the last day that any of the media asked for delivered */
export function isAwaited(last: Day, lastOfAll: Day): boolean {
  return last > addDays(lastOfAll, -SILENT_DAYS)
}

/** The first and the last day that any medium delivered; undefined: none has. */
export function knownRange(media: readonly MediumEnds[]): DayRange | undefined {
  if (media.length === 0) return undefined
  return {
    from: media.map(({ first }) => first).reduce((a, b) => (a < b ? a : b)),
    to: media.map(({ last }) => last).reduce((a, b) => (a > b ? a : b)),
  }
}

/**
 * The days of a range that other media have delivered and a medium that still delivers has not: those after its last day.
 * A day without data before that is none of them: of a small medium nothing may have been read on it.
 */
export function missingDays(media: readonly MediumEnds[], range: DayRange): MediumDays[] {
  const known = knownRange(media)
  if (!known) return []
  const to = known.to < range.to ? known.to : range.to
  return media.flatMap(({ mediumId, last }) => {
    const from = last < range.from ? range.from : addDays(last, 1)
    return from <= to && isAwaited(last, known.to) ? [{ mediumId, from, to }] : []
  })
}
