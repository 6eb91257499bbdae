import type { Day } from '@pc/domain/month/day.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import type { FinalizeRefusal } from '@pc/domain/payment/finalize-guard.ts'
import type { ChainLink } from '@pc/domain/payment/snapshot-chain.ts'
import type { SettlementRefusal } from '@pc/domain/settlement/settlement-check.ts'
import type { Violation } from '@pc/domain/settlement/violation.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import type { ShownRevenue } from '../../core/server/revenue-estimate.ts'

export type MonthRefusal = CloseRefusal | FinalizeRefusal | SettlementRefusal

/** The slow part of a close: what was read from one snapshot, then checked and hashed outside of any transaction. */
export interface PreparedClose {
  readonly key: MonthKey
  /** Why the month cannot be computed; empty when it can. */
  readonly refusals: readonly MonthRefusal[]
  /** Whether there is a draft, and whether its inputs have changed since. */
  readonly isStored: boolean
  readonly isDraftStale: boolean
  readonly violations: readonly Violation[]
  readonly missingDays: number
  readonly firstDay: Day | undefined
  /** How many agreements are paid. */
  readonly payments: number
  /** Undefined when the month cannot be closed. */
  readonly link: ChainLink | undefined
  /** What the reports show of the month; undefined when its estimate is kept already. */
  readonly shown: readonly ShownRevenue[] | undefined
  /** Publishers with own-ads days, and the agreement that has them. */
  readonly earners: readonly { readonly agreementId: bigint; readonly publisherId: bigint }[]
  readonly seen: SeenMonth
}

/** The versions of what was checked. The close compares them with the current ones under its locks. */
export interface SeenMonth {
  readonly inputSeq: bigint
  readonly inputHash: string | null
  readonly dataVersion: string | null
  readonly booksVersion: string
  readonly rowsVersion: string
  /** The version of the other rows that they were checked against; empty for a final month. */
  readonly aroundVersion: string
  /** The chain so far: the hash of the last finalised month before. */
  readonly hashBefore: string | null
}
