import type { PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import type { OriginMonths } from '@pc/domain/payment/adjustment-csv.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { Result } from '@pc/domain/result.ts'
import type { PoolCandidate } from '@pc/domain/settlement/pool-allocation.ts'
import type { RuleKey } from '@pc/domain/settlement/rule-map.ts'
import type { PoolWeight } from '@pc/domain/settlement/settlement-input.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { CloseLogEntry } from './close-log.ts'
import type { MonthKey } from './month-key.ts'

/** What manual operations need of their month; the month's close provides it. */
export interface MonthEntryPort<Rules extends MonthRules = MonthRules> {
  /**
   * Locks the month until the transaction ends, and says whether it is finalised. The given agreements are locked first,
   * so that an opening balance whose month a row names cannot be removed meanwhile.
   */
  lock(tx: Transaction, key: MonthKey, agreementIds?: readonly bigint[]): Promise<{ readonly isFinalized: boolean }>
  /** Refuses a month before the medium's books, for which nothing can be entered. */
  beforeBooks(
    tx: Transaction,
    key: MonthKey,
    path: readonly string[],
  ): Promise<Refusal<'payment/before-books'> | undefined>
  /** Marks the draft as outdated: the month is open again, and its computation is enqueued. */
  inputChanged(tx: Transaction, key: MonthKey): Promise<void>
  rules(tx: Transaction, key: MonthKey): Promise<Rules>
  /** The earlier months that a csv row of each of these agreements may name. */
  originMonths(tx: Transaction, key: MonthKey, agreementIds: readonly bigint[]): Promise<OriginMonths>
  /** Automatic corrections of closed months that a reset has reversed, in their order. They have to be booked again. */
  reversedCorrections(tx: Transaction, resetId: bigint): Promise<readonly bigint[]>
  correctionRebooked(tx: Transaction, reversedId: bigint, rebookedId: bigint): Promise<void>
  /** Enqueues the entry of corrections that failed, or were reversed and not booked again. */
  enterMissingCorrections(tx: Transaction, key: MonthKey): Promise<void>
  /** The weights of a kind of pool, from the statistics. A publisher's weight goes to the agreement that earns its figures. */
  weights(tx: Transaction, key: MonthKey, kind: PoolKind, rules: Rules): Promise<Result<MonthWeights, CloseRefusal>>
  log(tx: Transaction, entry: CloseLogEntry): Promise<void>
}
export interface MonthRules {
  /** Rules that may take part in pools. */
  readonly candidates: readonly PoolCandidate[]
  /** Every rule that a correction may name. */
  readonly known: readonly RuleKey[]
}
export interface MonthWeights {
  readonly weights: readonly PoolWeight[]
  readonly dataVersion: string
}
