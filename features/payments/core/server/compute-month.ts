import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import type { FinalizeRefusal } from '@pc/domain/payment/finalize-guard.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { settleSteps } from '@pc/domain/settlement/settle-month.ts'
import type { SettlementRefusal } from '@pc/domain/settlement/settlement-check.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import type { SettledMonth } from '@pc/domain/settlement/settlement-result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { logClose } from './close-log.ts'
import { type LoadedMonth, loadMonth } from './load-month.ts'
import type { MonthKey } from './month-key.ts'
import { draftSteps, type RebookPools, saveMonth } from './save-month.ts'

export interface PaymentDependencies {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly rebookPools: RebookPools
}
export type ComputeRefusal = CloseRefusal | FinalizeRefusal | SettlementRefusal

export interface ComputedMonth {
  readonly loaded: LoadedMonth
  readonly settled: SettledMonth
}

/** Longer than the default, because a large month writes many rows by one statement. */
const SAVE_TIMEOUT_MS = 120_000

/**
 * Loads, settles and saves the draft of a month. Repeatable at any time; the same inputs give the same rows. It runs as
 * SYSTEM, because a month contains every organisation's agreements; callers check the right.
 * @param computedByUid null: the system computes the month
 */
export async function computeMonth(
  dependencies: PaymentDependencies,
  key: MonthKey,
  computedByUid: string | null = null,
): Promise<Result<ComputedMonth, ComputeRefusal>> {
  const previewed = await previewMonth(dependencies, key)
  if (!previewed.ok) return previewed
  const { database, clock, rebookPools } = dependencies
  const { loaded, settled } = previewed.value
  const draft = await runCooperatively(draftSteps(loaded, settled))
  const computedAt = new Date(clock.now())
  const saved = await database.inScope(
    SYSTEM,
    async tx => {
      const outcome = await saveMonth(tx, { draft, computedAt, computedByUid, rebookPools })
      if (outcome.ok) {
        await tx
          .insertInto('dividendOperations')
          .values({ month: key.month })
          .onConflict(conflict => conflict.doNothing())
          .execute()
        const detail = `契約 ${settled.payments.length} 件`
        await logClose(tx, { ...key, at: computedAt, actorUid: computedByUid, action: 'computed', detail })
      }
      return outcome
    },
    { statementTimeoutMs: SAVE_TIMEOUT_MS },
  )
  return saved.ok ? ok({ loaded, settled }) : saved
}

/**
 * Settles a month without saving anything.
 * @param change what a what-if scenario changes in the input before it is settled
 */
export async function previewMonth(
  dependencies: Pick<PaymentDependencies, 'database' | 'stats'>,
  key: MonthKey,
  change: (input: MonthInput) => MonthInput = input => input,
): Promise<Result<ComputedMonth, ComputeRefusal>> {
  const loaded = await loadMonth(dependencies, key)
  if (!loaded.ok) return loaded
  const settled = await runCooperatively(settleSteps(change(loaded.value.input)))
  return settled.ok ? ok({ loaded: loaded.value, settled: settled.value }) : settled
}
