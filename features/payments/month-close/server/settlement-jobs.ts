import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import { thisMonth } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { computeMonth, type PaymentDependencies } from '../../core/server/compute-month.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { keepEstimateOfCompleteMonth } from '../../core/server/revenue-estimate.ts'
import { type AuditDependencies, auditMonth } from './audit-month.ts'
import { COMPUTE_JOB } from './compute-job.ts'
import { bookLateFigures, type LateFiguresDependencies } from './late-figures.ts'
import { LATE_FIGURES_JOB } from './late-figures-job.ts'

const NIGHTLY_JOB = defineJob('settlement-nightly', { cron: '30 3 * * *', retryLimit: 2, timeoutSeconds: 3_000 })

type SettlementJobDependencies = PaymentDependencies & AuditDependencies & LateFiguresDependencies

/**
 * The jobs of the settlement. After every entry, the month is computed and checked again. Every night, open months are
 * computed and checked, and finalised ones are checked.
 */
export function settlementJobHandlers(parts: SettlementJobDependencies, log: Log): readonly JobHandler[] {
  return [
    handleJob(COMPUTE_JOB, async ({ mediumId, month, actorUid }) => {
      await computeAndAudit(parts, { mediumId: BigInt(mediumId), month: month as YearMonth }, log, actorUid)
    }),
    handleJob(LATE_FIGURES_JOB, ({ months }, job) =>
      takeFigures(parts, months as readonly YearMonth[], log, job.signal),
    ),
    handleJob(NIGHTLY_JOB, (_data, job) => nightly(parts, log, job.signal)),
  ]
}

async function computeAndAudit(
  parts: SettlementJobDependencies,
  key: MonthKey,
  log: Log,
  actorUid?: string,
): Promise<void> {
  await keepEstimateOfCompleteMonth(parts, key)
  const computed = await computeMonth(parts, key, actorUid)
  if (!computed.ok) {
    // The board shows the reason. If another job is in the way, its end enqueues the computation again.
    const codes = computed.refusals.map(each => each.code).slice(0, 10)
    log.info({ mediumId: key.mediumId.toString(), month: key.month, codes }, 'a month could not be computed')
    return
  }
  await auditMonth(parts, key, 'compute')
}

/** Computes and checks open months, so that changed terms are noticed; corrects and checks finalised ones. */
async function nightly(parts: SettlementJobDependencies, log: Log, signal?: AbortSignal): Promise<void> {
  await eachMonth(await monthsToWatch(parts), log, signal, async ({ isFinal, ...key }) => {
    if (isFinal) {
      await correctLater(parts, key, log)
      await auditMonth(parts, key, 'nightly')
    } else await computeAndAudit(parts, key, log)
  })
}

/** Works on every month, also after one has failed. @throws all failures, at the end */
async function eachMonth<Month extends MonthKey>(
  months: readonly Month[],
  log: Log,
  signal: AbortSignal | undefined,
  work: (month: Month) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const month of months) {
    if (signal?.aborted) return
    try {
      await work(month)
    } catch (error) {
      if (signal?.aborted) throw error
      log.error({ mediumId: month.mediumId.toString(), month: month.month, err: error }, 'a month failed')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${months.length} months failed`)
}

/** The statistics of months have changed: computed ones are computed again, finalised ones are corrected in a later one. */
async function takeFigures(
  parts: SettlementJobDependencies,
  months: readonly YearMonth[],
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  await recordEstimates(parts, months, log, signal)
  const states = await parts.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('monthStates')
      .select(['mediumId', 'month', 'state', 'head'])
      .where('month', 'in', [...months])
      .orderBy('month')
      .orderBy('mediumId')
      .execute(),
  )
  const affected = states.map(row => ({ ...row, month: row.month as YearMonth }))
  await eachMonth(affected, log, signal, async ({ mediumId, month, state, head }) => {
    const key = { mediumId, month }
    if (isFinalMonth(state)) {
      const entered = await bookLateFigures(parts, key)
      if (entered !== undefined)
        log.info({ mediumId: `${mediumId}`, month, entry: `${entered}` }, 'late figures were booked')
    } else if (state === 'open' && head !== null) await computeAndAudit(parts, key, log)
  })
}

/** Keeps the estimate of months whose last missing figures have just arrived. */
async function recordEstimates(
  parts: SettlementJobDependencies,
  months: readonly YearMonth[],
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const media = await parts.database.inScope(SYSTEM, tx =>
    tx.selectFrom('agreements').select('mediumId').distinct().orderBy('mediumId').execute(),
  )
  const keys = months.flatMap(month => media.map(({ mediumId }) => ({ mediumId, month })))
  await eachMonth(keys, log, signal, key => keepEstimateOfCompleteMonth(parts, key))
}

/** Books late figures that could not be booked when they arrived, because a job was running. */
async function correctLater(parts: SettlementJobDependencies, key: MonthKey, log: Log): Promise<void> {
  try {
    await bookLateFigures(parts, key)
  } catch (error) {
    log.warn({ err: error, mediumId: `${key.mediumId}`, month: key.month }, 'late figures are not booked yet')
  }
}

/** Every month that was ever computed, and the current and the previous month of each medium with agreements. */
async function monthsToWatch({
  database,
  clock,
}: PaymentDependencies): Promise<readonly (MonthKey & { isFinal: boolean })[]> {
  const running = thisMonth(clock)
  return database.inScope(SYSTEM, async tx => {
    const states = await tx
      .selectFrom('monthStates')
      .select(['mediumId', 'month', 'state'])
      .orderBy('mediumId')
      .orderBy('month')
      .execute()
    const media = await tx.selectFrom('agreements').select('mediumId').distinct().orderBy('mediumId').execute()
    const isKnown = new Set(states.map(state => `${state.mediumId}/${state.month}`))
    const closed = await tx.selectFrom('monthClosings').select(['mediumId', 'month']).execute()
    for (const { mediumId, month } of closed) isKnown.add(`${mediumId}/${month}`)
    const recent = media.flatMap(({ mediumId }) =>
      [addMonths(running, -1), running]
        .filter(month => !isKnown.has(`${mediumId}/${month}`))
        .map(month => ({ mediumId, month, isFinal: false })),
    )
    return [
      ...states.map(({ mediumId, month, state }) => ({
        mediumId,
        month: month as YearMonth,
        isFinal: isFinalMonth(state),
      })),
      ...recent,
    ]
  })
}
