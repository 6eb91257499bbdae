import { type Refusal, refusal } from '../refusal.ts'
import type { Violation } from '../settlement/violation.ts'
import type { JobStatus, MonthState } from './payment-states.ts'
import { isFinalMonth } from './payment-states.ts'

/** Whose doing the amounts of a month are. */
export interface Preparers {
  /** Who entered, computed or changed what they are computed from. Nobody, when the system computed a month without entries. */
  readonly preparerUids: readonly string[]
  /** Who took back what others had entered. Nothing of the month is theirs, so they are no second person to anybody. */
  readonly removerUids: readonly string[]
}

/** Whether a person alone has decided about the amounts; where nobody has, nobody is. */
export function isSolePreparer({ preparerUids, removerUids }: Preparers, uid: string): boolean {
  return [...preparerUids, ...removerUids].includes(uid) && preparerUids.every(each => each === uid)
}

export interface FinalizeFacts extends Preparers {
  readonly state: MonthState
  readonly isMonthOver: boolean
  /** Days of the month whose statistics have not come in. */
  readonly missingDays: number
  readonly jobStatuses: readonly JobStatus[]
  /** Failed jobs that a later job of the same kind has made good do not count. */
  readonly unresolvedFailedJobs: number
  readonly isDraftStale: boolean
  readonly isPreviousMonthFinalized: boolean
  readonly violations: readonly Violation[]
  /** The setting is off by default. */
  readonly needsTwoPersons: boolean
  readonly finalizerUid: string
}

export type FinalizeRefusal = Refusal<
  | 'payment/already-finalized'
  | 'payment/not-computed'
  | 'payment/month-not-over'
  | 'payment/statistics-missing'
  | 'payment/job-running'
  | 'payment/job-failed'
  | 'payment/draft-stale'
  | 'payment/previous-month-open'
  | 'payment/invariant-violated'
  | 'payment/second-person-needed'
>

/**
 * The reasons against finalising that have a text of their own; all others are red findings of `close-checks.ts`, which come as
 * `payment/check-red`. Empty when there is none.
 */
export function finalizeRefusals(facts: FinalizeFacts): readonly FinalizeRefusal[] {
  if (isFinalMonth(facts.state)) return [refusal('payment/already-finalized')]
  const refusals: FinalizeRefusal[] = []
  if (facts.state !== 'computed') refusals.push(refusal('payment/not-computed'))
  if (!facts.isMonthOver) refusals.push(refusal('payment/month-not-over'))
  if (facts.missingDays > 0) refusals.push(refusal('payment/statistics-missing', [], { days: facts.missingDays }))
  const unfinished = facts.jobStatuses.filter(status => status === 'pending' || status === 'running').length
  if (unfinished > 0) refusals.push(refusal('payment/job-running', [], { jobs: unfinished }))
  if (facts.unresolvedFailedJobs > 0) {
    refusals.push(refusal('payment/job-failed', [], { jobs: facts.unresolvedFailedJobs }))
  }
  if (facts.isDraftStale) refusals.push(refusal('payment/draft-stale'))
  if (!facts.isPreviousMonthFinalized) refusals.push(refusal('payment/previous-month-open'))
  if (facts.violations.length > 0) {
    const first = facts.violations[0]!
    refusals.push(
      refusal('payment/invariant-violated', [], {
        count: facts.violations.length,
        invariant: first.invariant,
        row: first.row,
      }),
    )
  }
  if (facts.needsTwoPersons && isSolePreparer(facts, facts.finalizerUid))
    refusals.push(refusal('payment/second-person-needed'))
  return refusals
}
