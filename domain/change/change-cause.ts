import { magnitude } from '../money/yen.ts'
import { type ChangePart, isMember } from './change-parts.ts'

/**
 * What a difference is broken down by, the most specific first: where two members explain it alike, the first is named. Missing
 * data comes before all: it is no change of anything.
 */
export const CHANGE_DIMENSIONS = [
  'data',
  'article',
  'video',
  'section',
  'publisher',
  'medium',
  'day',
  'weekday',
] as const
export type ChangeDimension = (typeof CHANGE_DIMENSIONS)[number]

/** A part with the name that people know it by. */
export interface NamedPart extends ChangePart {
  readonly label: string
  /** Its difference in the steps that screens show; the parts of a level sum to the difference that is shown. */
  readonly steps: bigint
}
export interface DimensionParts {
  readonly dimension: ChangeDimension
  readonly parts: readonly NamedPart[]
}

/** One member of one dimension. */
export interface Cause {
  readonly dimension: ChangeDimension
  readonly part: NamedPart
}

/** A cause explains at least so much of the difference … */
const MIN_POWER = 0.5
/** … and so much more than its share of the figure lets expect: the largest medium is no cause of what all media do. */
const MIN_SURPRISE = 0.2
/** Causes that differ by less explain it alike. */
const ALIKE = 0.1

/**
 * Explanatory power: how much of a difference would not be there without the part: 1 all of it, 0 or less nothing. What exceeds
 * its share of the figure is its surprise; both terms as in Bhagwan et al., Adtributor (NSDI 2014).
 */
function powerOf(part: ChangePart, difference: bigint): number {
  if (difference === 0n) return 0
  return 1 - Number(magnitude(difference - part.difference)) / Number(magnitude(difference))
}

/** The member that explains the difference best; undefined where it is spread over all of them. */
export function causeOf(difference: bigint, dimensions: readonly DimensionParts[]): Cause | undefined {
  const candidates = dimensions.flatMap(({ dimension, parts }) =>
    parts
      .filter(isMember)
      .map(part => {
        const power = powerOf(part, difference)
        return { dimension, part, power, surprise: power - expectedShare(part) }
      })
      .filter(({ power, surprise }) => power >= MIN_POWER && surprise >= MIN_SURPRISE),
  )
  const missing = candidates.filter(({ dimension }) => dimension === 'data')
  const eligible = missing.length > 0 ? missing : candidates
  const best = Math.max(...eligible.map(({ surprise }) => surprise))
  const place = ({ dimension }: Cause) => CHANGE_DIMENSIONS.indexOf(dimension)
  return eligible.filter(({ surprise }) => surprise >= best - ALIKE).toSorted((a, b) => place(a) - place(b))[0]
}

/** Whether several members share the difference about as they share the figure: it is nobody's in particular. */
export function isSpread(difference: bigint, { parts }: DimensionParts): boolean {
  const members = parts.filter(isMember)
  const shareOf = (part: ChangePart) => Number(part.difference) / Number(difference)
  return members.length > 1 && members.every(part => Math.abs(shareOf(part) - part.shareBefore) < MIN_SURPRISE)
}

/** A member that is new or gone is never expected. */
function expectedShare({ kind, shareBefore }: ChangePart): number {
  return kind === 'changed' ? shareBefore : 0
}

/** The factor that moved the figure most in the direction of its difference; undefined where there is only one. */
export function leadingFactor(difference: bigint, factors: readonly NamedPart[]): NamedPart | undefined {
  if (factors.length < 2) return undefined
  const leading = factors.toSorted((a, b) => powerOf(b, difference) - powerOf(a, difference))[0]
  return leading && powerOf(leading, difference) > 0 ? leading : undefined
}
