import { sumBy } from '../money/yen.ts'
import { compare, floor, type Rational, rational, subtract } from './rational.ts'

/** A part before rounding. Ids must be unique, so that the order of the parts decides nothing. */
export interface ExactPart {
  readonly id: string
  readonly value: Rational
}

/**
 * Whole numbers for the parts of a whole, by largest remainder. Each part is rounded down; the units that are left go,
 * one each, to the parts that lost most (ties: to the smaller id). The results sum to `whole` and do not depend on the
 * order of the parts. `whole` may itself be rounded: where it is one less than the rounded parts, the part that lost
 * least gives the unit back.
 * Tested by `domain/change/change-parts.test.ts`.
 * @throws RangeError when `whole` is not the sum of the parts, apart from its own rounding
 */
export function splitExactly(whole: bigint, parts: readonly ExactPart[]): readonly bigint[] {
  const rounded = parts.map(({ id, value }, place) => {
    const down = floor(value)
    return { id, place, down, lost: subtract(value, rational(down)) }
  })
  const left = whole - sumBy(rounded, part => part.down)
  if (left < -1n || left > BigInt(parts.length)) throw new RangeError(`parts do not sum to ${whole}`)
  const ranked = rounded.toSorted((a, b) => compare(b.lost, a.lost) || (a.id < b.id ? -1 : 1))
  const raised = new Set(ranked.slice(0, Number(left < 0n ? 0n : left)).map(({ place }) => place))
  const lowered = left < 0n ? ranked.at(-1)?.place : undefined
  return rounded.map(({ down, place }) => down + (raised.has(place) ? 1n : 0n) - (place === lowered ? 1n : 0n))
}
