import type { DayRange } from '../condition/default-range.ts'
import { addDays, type Day } from '../month/day.ts'

/** Days without a delivery after which a medium is no longer awaited. */
export const SILENT_DAYS = 7

/** The first and the last day with a delivery of a medium. */
export interface MediumEnds {
  readonly mediumId: bigint
  readonly first: Day
  readonly last: Day
}
/** Days of a medium; both ends are included. */
export interface MediumDays extends DayRange {
  readonly mediumId: bigint
}

/**
 * Whether a medium is still expected to deliver.
 * @param lastOfAll the last day that any of the requested media delivered
 */
export function isAwaited(last: Day, lastOfAll: Day): boolean {
  return last > addDays(lastOfAll, -SILENT_DAYS)
}

/** The first and the last day that any medium delivered; undefined when none has. */
export function knownRange(media: readonly MediumEnds[]): DayRange | undefined {
  if (media.length === 0) return undefined
  return {
    from: media.map(({ first }) => first).reduce((a, b) => (a < b ? a : b)),
    to: media.map(({ last }) => last).reduce((a, b) => (a > b ? a : b)),
  }
}

/**
 * Days of the range after a medium's last delivery that other media have delivered already, while the medium is still
 * awaited. Earlier days without data are not missing: a small medium may have had no readers.
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
