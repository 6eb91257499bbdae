import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import v8 from 'node:v8'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { addMonths } from '@pc/domain/month/year-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import type { MonthKey } from '@pc/features/payments/core/server/month-key.ts'
import { keepEstimateOfCompleteMonth } from '@pc/features/payments/core/server/revenue-estimate.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock, systemClock } from '@pc/platform/clock.ts'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { bookLargePools, LARGE_MONTH, writeLargeFigures, writeLargeMonth } from '@pc/testing/books/large-month.ts'
import { openStores } from '../apps/server/open-stores.ts'
import { type Dependencies, wireDependencies } from '../apps/server/wire-dependencies.ts'
import { benchConfig } from './prepare-store.ts'
import { processorSeconds } from './processor-seconds.ts'

/**
 * A step of a close: duration and processor time of both processes. Other load on the machine changes only the
 * duration.
 */
export interface CloseStep {
  readonly name: string
  readonly seconds: number
  readonly nodeCpuSeconds: number
  /** Undefined on systems that do not report it. */
  readonly postgresCpuSeconds: number | undefined
  /** Longest time in which the event loop was blocked. */
  readonly longestStretchMs: number
  /**
   * Longest processor time of the main thread in one turn of the event loop: the same without the influence of other
   * load.
   */
  readonly longestTurnMs: number
}
export interface CloseFigures {
  readonly agreements: number
  readonly rules: number
  readonly steps: readonly CloseStep[]
  readonly closeSeconds: number
  readonly closeCpuSeconds: number
  readonly longestStretchMs: number
  readonly longestTurnMs: number
  /** Peak memory of this process with the statistics engine during the close. */
  readonly rssMb: number
  /** One-minute load average at the end, which shows the influence of other programs. */
  readonly load: number
}

/**
 * Measures a month of this many agreements with five publisher rules each, from the entry of its two pools to the
 * issued statements, with stores opened as by the server. An earlier month is already closed, as usual.
 */
export async function measureClose(agreements: number, say: (text: string) => void): Promise<CloseFigures> {
  v8.setFlagsFromString('--heap-growing-percent=50') // the server's setting
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-bench-close-'))
  const config = benchConfig(folder, 4_900)
  const log = openLog('warn')
  const stores = await openStores({ config, log })
  try {
    const bookkeepingClock = fixedClock('2026-09-03T12:00:00+09:00')
    const system = await wireDependencies({ config, log, clock: systemClock, bookkeepingClock, stores })
    try {
      const uids = await prepare(system, agreements)
      await analyze(folder)
      say('the month before …')
      await closeMonth(system, LARGE_MONTH, uids, new CloseSteps(system, say))
      const key = { ...LARGE_MONTH, month: addMonths(LARGE_MONTH.month, 1) }
      await writeLargeFigures(system.stats, key.month, agreements)
      await analyze(folder)
      say('the month that counts …')
      const steps = new CloseSteps(system, say)
      await closeMonth(system, key, uids, steps)
      return { agreements, rules: agreements * 5, ...steps.figures() }
    } finally {
      await system.close()
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

interface Staff {
  readonly preparerUid: string
  readonly finalizerUid: string
}

async function prepare({ database, stats }: Dependencies, agreements: number): Promise<Staff> {
  const [preparer, finalizer] = await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('bench'))
    const emails = ['prepares@bench.example', 'finalises@bench.example']
    return tx
      .insertInto('users')
      .values(emails.map(email => ({ email })))
      .returning('uid')
      .execute()
  })
  await writeLargeMonth(database, stats, agreements)
  return { preparerUid: preparer!.uid, finalizerUid: finalizer!.uid }
}

/** Updates PostgreSQL's statistics, which autovacuum does within minutes. */
async function analyze(folder: string): Promise<void> {
  const url = urlOfRunningPostgres(postgresFolder(folder), DATABASE_NAME, 'postgres')!
  await withClient(url, client => client.query('vacuum (analyze)'))
}

const CLOSE_TIMEOUT_MS = 60_000

/** Closes the month with the same calls as staff, background job and API. */
async function closeMonth(system: Dependencies, key: MonthKey, staff: Staff, steps: CloseSteps): Promise<void> {
  const { database, money } = system
  const { payments, manualOperations } = money
  await steps.run('pools', () => bookLargePools({ manualOperations, userUid: staff.preparerUid }, key.month))
  await steps.run('estimate', () => keepEstimateOfCompleteMonth(payments, key))
  await steps.run('compute', async () => accepted(await computeMonth(payments, key, staff.preparerUid)))
  await steps.run('check', async () => {
    const found = await auditMonth(payments, key, 'compute')
    if (found.length > 0) throw new Error(JSON.stringify(found.slice(0, 3)))
  })
  const commit = await steps.run('prepare', () =>
    money.prepareOperation({ month: key.month, mediumIds: [key.mediumId] }),
  )
  await steps.run('finalise', () =>
    database.inScope(SYSTEM, async tx => accepted(await commit(tx, staff.finalizerUid)), {
      statementTimeoutMs: CLOSE_TIMEOUT_MS,
    }),
  )
}

class CloseSteps {
  readonly #system: Dependencies
  readonly #say: (text: string) => void
  readonly #steps: CloseStep[] = []
  #rss = 0

  constructor(system: Dependencies, say: (text: string) => void) {
    this.#system = system
    this.#say = say
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { database } = this.#system
    const before = await processorSeconds(database)
    const stretches = monitorEventLoopDelay({ resolution: STRETCH_RESOLUTION_MS })
    const sampling = setInterval(() => {
      this.#rss = Math.max(this.#rss, process.memoryUsage.rss())
    }, RSS_EVERY_MS)
    let longestTurnMs = 0
    let spentMs = threadMs()
    const turns = setInterval(() => {
      const now = threadMs()
      longestTurnMs = Math.max(longestTurnMs, now - spentMs)
      spentMs = now
    }, 1)
    stretches.enable()
    const started = performance.now()
    try {
      const value = await work()
      const seconds = (performance.now() - started) / 1000
      const after = await processorSeconds(database)
      const step = {
        name,
        seconds,
        longestStretchMs: stretches.max / 1e6,
        longestTurnMs,
        nodeCpuSeconds: after.node - before.node,
        postgresCpuSeconds:
          after.postgres === undefined || before.postgres === undefined ? undefined : after.postgres - before.postgres,
      }
      this.#steps.push(step)
      this.#say(printStep(step))
      return value
    } finally {
      stretches.disable()
      clearInterval(sampling)
      clearInterval(turns)
    }
  }

  figures(): Omit<CloseFigures, 'agreements' | 'rules'> {
    const sum = (value: (each: CloseStep) => number) => this.#steps.reduce((total, each) => total + value(each), 0)
    return {
      steps: this.#steps,
      closeSeconds: sum(each => each.seconds),
      closeCpuSeconds: sum(each => each.nodeCpuSeconds + (each.postgresCpuSeconds ?? 0)),
      longestStretchMs: Math.max(...this.#steps.map(each => each.longestStretchMs)),
      longestTurnMs: Math.max(...this.#steps.map(each => each.longestTurnMs)),
      rssMb: this.#rss / 1024 ** 2,
      load: os.loadavg()[0] ?? 0,
    }
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export function printStep(step: CloseStep): string {
  const { name, seconds, nodeCpuSeconds, postgresCpuSeconds } = step
  const postgres = postgresCpuSeconds === undefined ? '–' : postgresCpuSeconds.toFixed(2)
  return `${name.padEnd(12)} ${seconds.toFixed(2)} s, processor: Node ${nodeCpuSeconds.toFixed(2)} s, PostgreSQL ${postgres} s, ${printStretch(step)}`
}

const printStretch = ({ longestStretchMs, longestTurnMs }: Pick<CloseStep, 'longestStretchMs' | 'longestTurnMs'>) =>
  `longest stretch ${Math.round(longestStretchMs)} ms (processor ${Math.round(longestTurnMs)} ms)`

export function printClose(figures: CloseFigures): string {
  const { agreements, rules, closeSeconds, closeCpuSeconds, rssMb, load } = figures
  return `close of a month, ${agreements} agreements, ${rules} rules, from its pools to the issued statements: ${closeSeconds.toFixed(2)} s, processor ${closeCpuSeconds.toFixed(2)} s, ${printStretch(figures)}, memory ${Math.round(rssMb)} MB (load ${load.toFixed(0)})`
}

function accepted<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusals: readonly unknown[] },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusals.slice(0, 3)))
  return result.value
}

/** Resolution of the timer, included in every figure. */
const STRETCH_RESOLUTION_MS = 10
const RSS_EVERY_MS = 50
