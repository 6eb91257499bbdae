import { type Refusal, refusal } from '../refusal.ts'
import type { Violation } from '../settlement/violation.ts'
import type { JobStatus, MonthState } from './payment-states.ts'
import { isFinalMonth } from './payment-states.ts'

/** The people who determined the amounts of a month. */
export interface Preparers {
  /**
   * Who entered, computed or changed the data behind the amounts; empty when the system computed a month without
   * entries.
   */
  readonly preparerUids: readonly string[]
  /** Who removed entries of others. Nothing of the month is theirs, so they do not count as a second person. */
  readonly removerUids: readonly string[]
}

/** Whether one person alone determined the amounts; false for everybody when nobody did. */
export function isSolePreparer({ preparerUids, removerUids }: Preparers, uid: string): boolean {
  return [...preparerUids, ...removerUids].includes(uid) && preparerUids.every(each => each === uid)
}

export interface FinalizeFacts extends Preparers {
  readonly state: MonthState
  readonly isMonthOver: boolean
  /** Days of the month without statistics. */
  readonly missingDays: number
  readonly jobStatuses: readonly JobStatus[]
  /** Failed jobs without a later successful job of the same kind. */
  readonly unresolvedFailedJobs: number
  readonly isDraftStale: boolean
  readonly isPreviousMonthFinalized: boolean
  readonly violations: readonly Violation[]
  /** A setting, off by default. */
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
 * The reasons against finalising that have a text of their own; empty when there is none. All others are red findings
 * of `close-checks.ts`, which are refused with `payment/check-red`.
 * Tested by `domain/payment/manual-operation.test.ts`.
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
