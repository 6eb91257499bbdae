import { POOL_KINDS, type PoolKind } from '../agreement/revenue-share.ts'
import { sumBy } from '../money/yen.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { allocatePool, type PoolCandidate } from '../settlement/pool-allocation.ts'
import type { AdjustmentRow, ManualOperationMethod, PoolJobInput } from '../settlement/settlement-input.ts'
import type { JobStatus } from './payment-states.ts'

export const JOB_KINDS = [...POOL_KINDS, 'csv', 'reset'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** In characters. */
export const MAX_MANUAL_OPERATION_NOTES = 1_000

/** A line of the ledger. Lines are never deleted: a reset adds each line again with the opposite sign. */
export interface LedgerEntry {
  /** The job that wrote the line. */
  readonly jobId: bigint
  readonly kind: Exclude<JobKind, 'reset'>
  readonly method: ManualOperationMethod
  readonly agreementId: bigint
  readonly publisherId: bigint
  /** Line of the CSV; 0 for a pool. */
  readonly line: number
  /** The part of the pool before the rate; 0 for CSV. */
  readonly allocatedYen: bigint
  /** The booked amount: the share of a pool, or the amount of a CSV row. */
  readonly amountYen: bigint
  /** The job whose line this one reverses; null for an original line. */
  readonly reversesJobId: bigint | null
}

export interface ManualOperationJob {
  readonly jobId: bigint
  readonly kind: JobKind
  readonly method: ManualOperationMethod
  readonly status: JobStatus
  /** The reset that reversed this job; null when none did. */
  readonly reversedByJobId: bigint | null
  readonly extraRevenueYen: bigint
}

export type ManualOperationRefusal = Refusal<
  'dividend/no-eligible-weight' | 'dividend/month-finalized' | 'dividend/job-running'
>

/**
 * Why a new job cannot start: each medium and month has one running job at most, and none once the month is finalised.
 */
export function checkNewJob(
  isMonthFinalized: boolean,
  statuses: readonly JobStatus[],
): readonly ManualOperationRefusal[] {
  if (isMonthFinalized) return [refusal('dividend/month-finalized')]
  const isBusy = statuses.some(status => status === 'pending' || status === 'running')
  return isBusy ? [refusal('dividend/job-running')] : []
}

/**
 * The lines of a pool job. Without an eligible rule the job fails (`dividend/no-eligible-weight`), and nothing is
 * booked.
 * @internal Tests call it.
 */
export function poolEntries(
  job: PoolJobInput,
  candidates: readonly PoolCandidate[],
): Result<readonly LedgerEntry[], ManualOperationRefusal> {
  const allocated = allocatePool(job, candidates)
  if (!allocated.ok) return refused(refusal('dividend/no-eligible-weight', [], { kind: job.kind }))
  return ok(
    allocated.value.shares.map(({ key, share }) => ({
      jobId: job.jobId,
      kind: job.kind,
      method: job.method,
      ...key,
      line: 0,
      allocatedYen: share.allocatedYen,
      amountYen: share.shareYen,
      reversesJobId: null,
    })),
  )
}

/**
 * The lines of a CSV job.
 * @internal Tests call it.
 */
export function csvEntries(rows: readonly AdjustmentRow[]): readonly LedgerEntry[] {
  return rows.map(row => ({
    jobId: row.jobId,
    kind: 'csv' as const,
    method: row.method,
    agreementId: row.agreementId,
    publisherId: row.publisherId,
    line: row.line,
    allocatedYen: 0n,
    amountYen: row.amountYen,
    reversesJobId: null,
  }))
}

/**
 * The lines that reverse every line which no earlier reset has reversed.
 * @param entries the ledger of one medium and month that is not finalised
 * @internal Tests call it.
 */
export function resetEntries(resetJobId: bigint, entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const reversed = new Set(entries.flatMap(entry => (entry.reversesJobId === null ? [] : [entry.reversesJobId])))
  return entries
    .filter(entry => entry.reversesJobId === null && !reversed.has(entry.jobId))
    .map(entry => ({
      ...entry,
      jobId: resetJobId,
      allocatedYen: -entry.allocatedYen,
      amountYen: -entry.amountYen,
      reversesJobId: entry.jobId,
    }))
}

/** The jobs that a reset reverses: successful, not a reset, not reversed yet. */
export function jobsToReset(jobs: readonly ManualOperationJob[]): readonly ManualOperationJob[] {
  return jobs.filter(job => isEffective(job) && job.kind !== 'reset')
}

/** Whether the computation of the month counts the job: it succeeded and is not reversed. */
export function isEffective(job: Pick<ManualOperationJob, 'status' | 'reversedByJobId'>): boolean {
  return job.status === 'success' && job.reversedByJobId === null
}

/** Whether the job distributes a pool. */
export function isPoolKind(kind: JobKind): kind is PoolKind {
  return POOL_KINDS.some(each => each === kind)
}

/** The sum of a month's successful manual operations that no reset has reversed, split as the screen shows it. */
export function sumExtraRevenue(jobs: readonly ManualOperationJob[]): {
  readonly totalYen: bigint
  readonly paymentYen: bigint
  readonly discardYen: bigint
} {
  const counted = jobsToReset(jobs)
  const paymentYen = sumBy(counted, job => (job.method === 'payment' ? job.extraRevenueYen : 0n))
  const totalYen = sumBy(counted, job => job.extraRevenueYen)
  return { totalYen, paymentYen, discardYen: totalYen - paymentYen }
}

/** What the ledger leaves booked for each agreement and publisher; reversed lines cancel out. */
export function ledgerBalance(entries: readonly LedgerEntry[]): ReadonlyMap<string, bigint> {
  const balance = new Map<string, bigint>()
  for (const entry of entries) {
    const key = `${entry.agreementId}/${entry.publisherId}/${entry.kind}/${entry.method}`
    const sumYen = (balance.get(key) ?? 0n) + entry.amountYen
    if (sumYen === 0n) balance.delete(key)
    else balance.set(key, sumYen)
  }
  return balance
}
