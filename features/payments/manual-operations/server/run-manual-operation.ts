import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { isPoolKind, type JobKind } from '@pc/domain/payment/manual-operation.ts'
import { JOB_TRANSITIONS, type JobStatus } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { allocatePoolSteps } from '@pc/domain/settlement/pool-allocation.ts'
import type { ManualOperationMethod, PoolWeight } from '@pc/domain/settlement/settlement-input.ts'
import { type BulkTable, bulkRowSteps, insertBulk } from '@pc/platform/postgres/bulk-rows.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'
import { bookNewPool, bookRows, resetMonth } from './manual-operation-ledger.ts'
import { rebookCorrections } from './rebook-corrections.ts'

interface RunningManualOperation {
  readonly id: bigint
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly kind: JobKind
  readonly method: ManualOperationMethod
  readonly extraRevenueYen: bigint
  /** The number of this attempt. Only the latest attempt may end the job; an earlier worker then gives up. */
  readonly attempt: number
}

const WORK_TIMEOUT_MS = 120_000

/**
 * Books a manual operation. The booking and the end of the job are one transaction, so that it is booked once, even when
 * a worker dies or a second one takes the job over. A job that has ended is left alone.
 */
export async function runManualOperation(dependencies: ManualOperationDependencies, dividendId: bigint): Promise<void> {
  const running = await dependencies.database.inScope(SYSTEM, tx => takeUp(tx, dependencies, dividendId))
  if (!running) return
  const outcome = await dependencies.database.inScope(
    SYSTEM,
    async tx => {
      const isFinalized = await lockBoth(tx, dependencies, running)
      if (isFinalized === undefined) return undefined
      if (isFinalized) return refused(refusal('dividend/month-finalized'))
      const booked = await book(tx, dependencies, running)
      if (booked.ok) await end(tx, dependencies, running, { jobStatus: 'success', progress: 100, ...booked.value })
      return booked
    },
    { statementTimeoutMs: WORK_TIMEOUT_MS },
  )
  if (outcome && !outcome.ok) await failManualOperation(dependencies, dividendId, outcome.refusals[0]!)
}

/** Starts a pending job, or starts one again whose worker died. Undefined when the job has ended. */
async function takeUp(
  tx: Transaction,
  { clock }: ManualOperationDependencies,
  id: bigint,
): Promise<RunningManualOperation | undefined> {
  const row = await tx.selectFrom('dividends').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) return undefined
  const event = row.jobStatus === 'pending' ? 'start' : 'take_up_again'
  const next = JOB_TRANSITIONS[row.jobStatus as JobStatus][event]
  if (next === undefined) return undefined
  const attempt = row.attempts + 1
  await tx
    .updateTable('dividends')
    .set({ jobStatus: next, attempts: attempt, startedAt: new Date(clock.now()), progress: 10 })
    .where('id', '=', id)
    .execute()
  return {
    id,
    mediumId: row.mediumId,
    month: row.month as YearMonth,
    kind: row.kind as JobKind,
    method: row.method as ManualOperationMethod,
    extraRevenueYen: row.extraRevenueYen,
    attempt,
  }
}

/**
 * Locks the month, then the job, and says whether the month is finalised. Undefined: another worker has taken the job
 * over meanwhile, or ended it.
 */
async function lockBoth(
  tx: Transaction,
  dependencies: ManualOperationDependencies,
  running: RunningManualOperation,
): Promise<boolean | undefined> {
  const { isFinalized } = await dependencies.months.lock(tx, running)
  const row = await tx
    .selectFrom('dividends')
    .select(['jobStatus', 'attempts'])
    .where('id', '=', running.id)
    .forUpdate()
    .executeTakeFirst()
  return row?.jobStatus === 'running' && row.attempts === running.attempt ? isFinalized : undefined
}

type BookedValue = { readonly dataVersion: string | null }

async function book(
  tx: Transaction,
  dependencies: ManualOperationDependencies,
  running: RunningManualOperation,
): Promise<Result<BookedValue, Refusal<RefusalCode>>> {
  const { id, mediumId, month, kind, method } = running
  if (kind === 'reset') {
    await resetMonth(tx, { dividendId: id, mediumId, month })
    await rebookCorrections(tx, dependencies, { dividendId: id, mediumId, month })
    await dependencies.months.enterMissingCorrections(tx, running)
    return ok({ dataVersion: null })
  }
  if (!isPoolKind(kind)) {
    await bookRows(tx, { dividendId: id, mediumId, month, kind, method })
    return ok({ dataVersion: null })
  }
  const rules = await dependencies.months.rules(tx, running)
  const own = await tx
    .selectFrom('dividendRows')
    .select(['agreementId', 'publisherId', 'weight'])
    .where('dividendId', '=', id)
    .orderBy('line')
    .execute()
  const read =
    own.length > 0
      ? ok({ weights: own.map(row => ({ ...row, weight: row.weight ?? 0n })), dataVersion: null })
      : await dependencies.months.weights(tx, running, kind, rules)
  if (!read.ok) return read
  const { weights, dataVersion } = read.value
  const job = { jobId: id, kind, method, poolYen: running.extraRevenueYen, weights }
  const allocated = await runCooperatively(allocatePoolSteps(job, rules.candidates))
  if (!allocated.ok) return refused(refusal('dividend/no-eligible-weight', [], { kind }))
  await insertWeights(tx, id, weights)
  await bookNewPool(tx, { dividendId: id, mediumId, month, kind, method }, allocated.value.shares)
  return ok({ dataVersion })
}

async function insertWeights(tx: Transaction, dividendId: bigint, weights: readonly PoolWeight[]): Promise<void> {
  const table: BulkTable<PoolWeight> = {
    table: 'dividend_weights',
    columns: [
      ['agreement_id', 'bigint', one => one.agreementId],
      ['publisher_id', 'bigint', one => one.publisherId],
      ['weight', 'bigint', one => one.weight],
      ['dividend_id', 'bigint', () => dividendId],
    ],
  }
  await insertBulk(tx, await runCooperatively(bulkRowSteps(table, weights)))
}

async function end(
  tx: Transaction,
  dependencies: ManualOperationDependencies,
  { id, mediumId, month, kind }: Pick<RunningManualOperation, 'id' | 'mediumId' | 'month' | 'kind'>,
  result: {
    readonly jobStatus: 'success' | 'failed'
    readonly progress: number
    readonly dataVersion?: string | null
    readonly failureCode?: string
    readonly failureText?: string
  },
): Promise<void> {
  const at = new Date(dependencies.clock.now())
  await tx
    .updateTable('dividends')
    .set({ ...result, completedAt: at })
    .where('id', '=', id)
    .execute()
  await dependencies.months.inputChanged(tx, { mediumId, month })
  const word = result.jobStatus === 'success' ? '成功' : '失敗'
  const detail = `処理 ${id}（${kind}）${word}`
  await dependencies.months.log(tx, { mediumId, month, at, actorUid: null, action: 'job_finished', detail })
}

/** Ends the job as failed, with the reason in Japanese. Nothing is booked. */
export async function failManualOperation(
  dependencies: ManualOperationDependencies,
  dividendId: bigint,
  reason: Refusal<RefusalCode> | 'dividend/unexpected-failure',
): Promise<void> {
  const why = typeof reason === 'string' ? refusal(reason) : reason
  await dependencies.database.inScope(SYSTEM, async tx => {
    const found = await tx
      .selectFrom('dividends')
      .select(['id', 'mediumId', 'month', 'kind'])
      .where('id', '=', dividendId)
      .executeTakeFirst()
    if (!found) return
    const key = { mediumId: found.mediumId, month: found.month as YearMonth }
    const { isFinalized } = await dependencies.months.lock(tx, key)
    const row = await tx
      .selectFrom('dividends')
      .select('jobStatus')
      .where('id', '=', dividendId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (isFinalized || row.jobStatus === 'success' || row.jobStatus === 'failed') return
    const job = { id: dividendId, ...key, kind: found.kind as JobKind }
    await end(tx, dependencies, job, {
      jobStatus: 'failed',
      progress: 0,
      failureCode: why.code,
      failureText: refusalMessageJa(why),
    })
  })
}
