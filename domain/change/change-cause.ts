import { magnitude } from '../money/yen.ts'
import { type ChangePart, isMember } from './change-parts.ts'

/**
 * What a difference is broken down by, most specific first: of two members that explain it alike, the first in this
 * order is named. Missing data comes first, because it is not a change of the figure at all.
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

/** The id of the part of articles that carry no section. */
const NO_SECTION_ID = '0'

/** A part with its Japanese name. */
export interface NamedPart extends ChangePart {
  readonly label: string
  /**
   * Its difference in steps, the smallest amounts that screens show (`exact-unit.ts`). The parts of a level sum to the
   * difference that is shown.
   */
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

/** The part of the difference that a cause must explain. */
const MIN_POWER = 0.5
/**
 * By how much its power must exceed its own share of the figure. Without this, the largest medium would be the cause of
 * what all media do.
 */
const MIN_SURPRISE = 0.2
/** Causes whose surprise differs by less than this are considered equal. */
const ALIKE = 0.1

/**
 * Explanatory power: the part of the difference that would vanish without this member; 1 is all of it, 0 or less is
 * none. Surprise is the power beyond the member's share of the figure. Both terms follow Bhagwan et al., Adtributor
 * (NSDI 2014).
 */
function powerOf(part: ChangePart, difference: bigint): number {
  if (difference === 0n) return 0
  return 1 - Number(magnitude(difference - part.difference)) / Number(magnitude(difference))
}

/**
 * The member that explains the difference best; undefined when the difference is spread over all members.
 * Tested by `domain/change/change-sentence.test.ts`.
 */
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
  // Articles without a section are no cause: any other member that explains as much comes before them.
  const place = ({ dimension, part }: Cause) =>
    dimension === 'section' && part.id === NO_SECTION_ID
      ? CHANGE_DIMENSIONS.length
      : CHANGE_DIMENSIONS.indexOf(dimension)
  return eligible.filter(({ surprise }) => surprise >= best - ALIKE).toSorted((a, b) => place(a) - place(b))[0]
}

/** Whether several members share the difference about as they share the figure, so that none is its cause. */
export function isSpread(difference: bigint, { parts }: DimensionParts): boolean {
  const members = parts.filter(isMember)
  const shareOf = (part: ChangePart) => Number(part.difference) / Number(difference)
  return members.length > 1 && members.every(part => Math.abs(shareOf(part) - part.shareBefore) < MIN_SURPRISE)
}

/** The share expected of a member; 0 for one that is new or gone. */
function expectedShare({ kind, shareBefore }: ChangePart): number {
  return kind === 'changed' ? shareBefore : 0
}

/**
 * The factor that moved the figure most in the direction of the difference; undefined when there is only one factor.
 */
export function leadingFactor(difference: bigint, factors: readonly NamedPart[]): NamedPart | undefined {
  if (factors.length < 2) return undefined
  const leading = factors.toSorted((a, b) => powerOf(b, difference) - powerOf(a, difference))[0]
  return leading && powerOf(leading, difference) > 0 ? leading : undefined
}
