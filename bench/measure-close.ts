import { monitorEventLoopDelay } from 'node:perf_hooks'
import { settleSteps } from '@pc/domain/settlement/settle-month.ts'
import { loadMonth } from '@pc/features/payments/core/server/load-month.ts'
import { draftSteps, saveMonth } from '@pc/features/payments/core/server/save-month.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { bookLargePools, LARGE_MONTH, writeLargeMonth } from '@pc/testing/books/large-month.ts'
import { type SettlementBooks, settlementBooks } from '@pc/testing/books/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { processorSeconds } from './processor-seconds.ts'

/** One step of a close: how long it took, and the processor time of both processes, which a busy machine does not change. */
export interface CloseStep {
  readonly name: string
  readonly seconds: number
  readonly nodeCpuSeconds: number
  /** Undefined where the system does not tell. */
  readonly postgresCpuSeconds: number | undefined
  /** The longest stretch during which the process could answer nobody. */
  readonly longestStretchMs: number
}
export interface CloseFigures {
  readonly agreements: number
  readonly rules: number
  readonly steps: readonly CloseStep[]
  /** The steps of the close itself: load, settle, save, finalise with all its checks. */
  readonly closeSeconds: number
  readonly closeCpuSeconds: number
  readonly longestStretchMs: number
  readonly rssMb: number
}

/** A month of so many agreements with five publisher rules each and two pools, from its books to its finalised rows. */
export async function measureClose(agreements: number, say: (text: string) => void): Promise<CloseFigures> {
  const stretches = monitorEventLoopDelay({ resolution: STRETCH_RESOLUTION_MS })
  stretches.enable()
  const tested = await testDatabase()
  const stats = await openTestDuckDb()
  try {
    const { database } = tested
    const books = await settlementBooks(database, stats.store)
    const steps: CloseStep[] = []
    const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const before = await processorSeconds(database)
      stretches.reset()
      const started = performance.now()
      const value = await work()
      const seconds = (performance.now() - started) / 1000
      const longestStretchMs = stretches.max / 1e6
      const after = await processorSeconds(database)
      const measured = {
        name,
        seconds,
        longestStretchMs,
        nodeCpuSeconds: after.node - before.node,
        postgresCpuSeconds:
          after.postgres === undefined || before.postgres === undefined ? undefined : after.postgres - before.postgres,
      }
      steps.push(measured)
      say(printStep(measured))
      return value
    }
    await step('(prepare)', () => writeLargeMonth(database, stats.store, agreements))
    await step('(two pools)', () => bookLargePools(books))
    await computeByStep(books, step)
    await step('(check)', async () => {
      const found = await monthViolations(books.payments, LARGE_MONTH)
      if (found.length > 0) throw new Error(JSON.stringify(found.slice(0, 3)))
    })
    await step('finalise', async () => accepted(await closeMonth(books, LARGE_MONTH, books.userUid)))
    const ofClose = steps.filter(each => !each.name.startsWith('('))
    const sum = (value: (each: CloseStep) => number) => ofClose.reduce((total, each) => total + value(each), 0)
    return {
      agreements,
      rules: agreements * 5,
      steps,
      closeSeconds: sum(each => each.seconds),
      closeCpuSeconds: sum(each => each.nodeCpuSeconds + (each.postgresCpuSeconds ?? 0)),
      longestStretchMs: Math.max(...ofClose.map(each => each.longestStretchMs)),
      rssMb: process.memoryUsage.rss() / 1024 ** 2,
    }
  } finally {
    stretches.disable()
    await stats.drop()
    await tested.drop()
  }
}

type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** As `computeMonth` does it. */
async function computeByStep({ payments }: SettlementBooks, step: Step): Promise<void> {
  const { database, rebookPools, clock } = payments
  const loaded = await step('load', async () => accepted(await loadMonth(payments, LARGE_MONTH)))
  const settled = await step('settle', async () => accepted(await runCooperatively(settleSteps(loaded.input))))
  await step('save', async () => {
    const draft = await runCooperatively(draftSteps(loaded, settled))
    const save = { draft, computedAt: new Date(clock.now()), computedByUid: null, rebookPools }
    accepted(await database.inScope(SYSTEM, tx => saveMonth(tx, save), { statementTimeoutMs: 120_000 }))
  })
}

export function printStep({ name, seconds, nodeCpuSeconds, postgresCpuSeconds, longestStretchMs }: CloseStep): string {
  const postgres = postgresCpuSeconds === undefined ? '–' : postgresCpuSeconds.toFixed(2)
  return `${name.padEnd(12)} ${seconds.toFixed(2)} s, processor: Node ${nodeCpuSeconds.toFixed(2)} s, PostgreSQL ${postgres} s, longest stretch ${Math.round(longestStretchMs)} ms`
}

export function printClose(figures: CloseFigures): string {
  const { agreements, rules, closeSeconds, closeCpuSeconds, longestStretchMs, rssMb } = figures
  return `close of a month, ${agreements} agreements, ${rules} rules: ${closeSeconds.toFixed(2)} s, processor ${closeCpuSeconds.toFixed(2)} s, longest stretch ${Math.round(longestStretchMs)} ms, memory ${Math.round(rssMb)} MB`
}

function accepted<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusals: readonly unknown[] },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusals.slice(0, 3)))
  return result.value
}

/** The timer's own step, which every figure includes. */
const STRETCH_RESOLUTION_MS = 10
