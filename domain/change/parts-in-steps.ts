import type { ChangeUnit } from '../report/metric-identity.ts'
import type { NamedPart } from './change-cause.ts'
import type { ChangePart } from './change-parts.ts'
import { inSteps, shownSteps } from './exact-unit.ts'
import { splitExactly } from './split-exactly.ts'

/** A figure before and now, in exact units (`exact-unit.ts`). */
export interface BeforeAndNow {
  readonly unit: ChangeUnit
  readonly before: bigint
  readonly now: bigint
}

/**
 * The difference between what screens show of both sides, in steps: the least that a screen shows (1 yen, 0.01 points).
 * Each side is rounded down once.
 */
export function shownDifference({ unit, before, now }: BeforeAndNow): bigint {
  return shownSteps(unit, now) - shownSteps(unit, before)
}

/** The parts of one level with their names and with steps that sum to the shown difference. */
export function namedParts(
  change: BeforeAndNow,
  parts: readonly ChangePart[],
  labelOf: (part: ChangePart) => string,
): readonly NamedPart[] {
  if (parts.length === 0) return []
  const exact = parts.map(({ id, difference }) => ({ id, value: inSteps(change.unit, difference) }))
  const steps = splitExactly(shownDifference(change), exact)
  return parts.map((part, place) => ({ ...part, label: labelOf(part), steps: steps[place]! }))
}
