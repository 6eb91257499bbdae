import type { PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { OriginMonths } from '@pc/domain/payment/adjustment-csv.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { Result } from '@pc/domain/result.ts'
import type { PoolCandidate, RuleKey } from '@pc/domain/settlement/pool-allocation.ts'
import type { PoolWeight } from '@pc/domain/settlement/settlement-input.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'

export interface MonthKey {
  readonly mediumId: bigint
  readonly month: YearMonth
}

/** What dividends need of the month that they belong to; the feature that keeps the months brings it. */
export interface MonthOfDividends<Rules extends MonthRules = MonthRules> {
  lock(tx: Transaction, key: MonthKey): Promise<{ readonly isFinalized: boolean }>
  /** Why nothing can be entered for the month any more: the medium's books begin with a later one. */
  beforeBooks(
    tx: Transaction,
    key: MonthKey,
    path: readonly string[],
  ): Promise<Refusal<'payment/before-books'> | undefined>
  inputChanged(tx: Transaction, key: MonthKey): Promise<void>
  rules(tx: Transaction, key: MonthKey): Promise<Rules>
  /** The earlier months that a csv row of each of these agreements may name. */
  originMonths(tx: Transaction, key: MonthKey, agreementIds: readonly bigint[]): Promise<OriginMonths>
  /** Corrections of closed months that a reset has turned back, in their order. */
  correctionsTurnedBack(tx: Transaction, resetDividendId: bigint): Promise<readonly bigint[]>
  correctionRebooked(tx: Transaction, turnedBackId: bigint, dividendId: bigint): Promise<void>
  /** Corrections that failed, or were turned back and not booked again, are entered anew; enqueued. */
  enterMissingCorrections(tx: Transaction, key: MonthKey): Promise<void>
  weights(
    tx: Transaction,
    key: MonthKey,
    kind: PoolKind,
    rules: Rules,
  ): Promise<Result<{ readonly weights: readonly PoolWeight[]; readonly dataVersion: string }, CloseRefusal>>
  log(
    tx: Transaction,
    entry: MonthKey & {
      readonly at: Date
      readonly actorUid: string | null
      readonly action: 'job_created' | 'job_finished' | 'job_withdrawn'
      readonly detail: string
    },
  ): Promise<void>
}
export interface MonthRules {
  readonly candidates: readonly PoolCandidate[]
  readonly known: readonly RuleKey[]
}

export interface DividendParts<Rules extends MonthRules = MonthRules> {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  readonly months: MonthOfDividends<Rules>
}
