import type { YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'

/**
 * A hold keeps rows from being deleted, whatever their age: those of an organisation, of some months, or of an
 * organisation in those months.
 */
export interface HoldDraft {
  readonly organizationId: bigint | null
  readonly fromMonth: YearMonth | null
  readonly toMonth: YearMonth | null
  readonly reason: string
}
export const HOLD_BOUNDS = { reason: 500 } as const

type HoldRefusal = Refusal<
  'legal-hold/covers-nothing' | 'legal-hold/months-wrong' | 'legal-hold/reason-missing' | 'legal-hold/reason-too-long'
>

/**
 * What is wrong with a hold, with the path of the form's field.
 * Tested by `domain/retention/retention.test.ts`.
 */
export function checkHold({ organizationId, fromMonth, toMonth, reason }: HoldDraft): readonly HoldRefusal[] {
  const refusals: HoldRefusal[] = []
  if (organizationId === null && fromMonth === null && toMonth === null)
    refusals.push(refusal('legal-hold/covers-nothing', ['input', 'organizationId']))
  if ((fromMonth === null) !== (toMonth === null) || (fromMonth !== null && toMonth !== null && toMonth < fromMonth))
    refusals.push(refusal('legal-hold/months-wrong', ['input', 'toMonth']))
  return [...refusals, ...checkHoldReason(reason, ['input', 'reason'])]
}

/** Refuses a reason that is empty or too long. Empty: it is allowed. */
export function checkHoldReason(reason: string, path: readonly string[]): readonly HoldRefusal[] {
  const max = HOLD_BOUNDS.reason
  if (reason === '') return [refusal('legal-hold/reason-missing', path)]
  return [...reason].length > max ? [refusal('legal-hold/reason-too-long', path, { max })] : []
}
