import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { STATEMENT_NOTICE_JOB } from '@pc/features/statements/server/notice-job-kind.ts'
import { fixedClock, systemClock } from '@pc/platform/clock.ts'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { MAIL_JOB, mailJobHandler } from '@pc/platform/mail/mail-job.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import { startListeners } from '../../apps/server/start-listeners.ts'
import { type Dependencies, wireDependencies } from '../../apps/server/wire-dependencies.ts'
import { unfinishedJobs } from '../faults/unfinished-jobs.ts'

/** A close as a person does it, for tests that kill the process. */
export interface TestClose {
  readonly url: string
  /** The statistics, which all closes share, because a close does not write there. */
  readonly statsFile: string
  readonly dataDir: string
  readonly month: YearMonth
  readonly mediumIds: readonly bigint[]
  readonly email: string
}

const SENT = 'sent.jsonl'
/** Recipient and key of every sent email, in order. */
export function sentMails(dataDir: string): readonly { readonly to: string; readonly id: string }[] {
  const file = path.join(dataDir, SENT)
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as { to: string; id: string })
}

/** Opens the system over these stores, runs the work and closes the system. */
export async function inSystem<T>(
  { url, statsFile, dataDir }: Pick<TestClose, 'url' | 'statsFile' | 'dataDir'>,
  work: (dependencies: Dependencies) => Promise<T>,
): Promise<T> {
  const config = readConfig({
    ...{ DATABASE_URL: url, DATA_DIR: dataDir, SECRETS_KEY: '0'.repeat(64), STATS_THREADS: '1' },
    ...{ PORT: '0', INSIGHT_API_PORT: '0', IAM_API_PORT: '0', WEB_ORIGIN: 'http://127.0.0.1:4990' },
  })
  const database = openDatabase({ url, maxConnections: 4 })
  const stats = await openDuckDb({ file: statsFile, memoryLimit: '128MB', threads: 1 })
  const stores = { database, stats, databaseUrl: url, close: async () => {} }
  const bookkeepingClock = fixedClock('2028-01-10T12:00:00+09:00')
  const wiring = { config, log: openLog('silent'), clock: systemClock, stores, ownsDeliveries: false }
  const dependencies = await wireDependencies({ ...wiring, bookkeepingClock })
  try {
    return await work(dependencies)
  } finally {
    await dependencies.close()
    await stats.close()
    await database.close()
  }
}

/**
 * Computes the month of every medium, closes them by one mutation over HTTP (like a form that repeats its submission),
 * and lets the worker notify the payees. What an earlier attempt has done stays as it is.
 */
export async function closeAndNotify(
  dependencies: Dependencies,
  { month, mediumIds, email, dataDir }: TestClose,
  onClosed: () => void = () => {},
): Promise<void> {
  const { database, jobs, money } = dependencies
  for (const mediumId of mediumIds) {
    const computed = await computeMonth(money.payments, { mediumId, month })
    if (!computed.ok && computed.refusals[0]?.code !== 'payment/already-finalized')
      throw new Error(JSON.stringify(computed.refusals))
  }
  const listeners = await startListeners(dependencies, ['api'])
  const { id } = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('dividendOperations').select('id').where('month', '=', month).executeTakeFirstOrThrow(),
  )
  const { body } = await dependencies.identity.mintToken(email)
  const answer = await fetch(`http://127.0.0.1:${listeners[0]!.port}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${'token' in body ? body.token : ''}` },
    body: JSON.stringify({
      query: `mutation { finalizeMonthlyDividendManualOperation(id: "${id}", idempotencyKey: "one-submission") { hasBeenFinalized } }`,
    }),
  })
  const text = await answer.text()
  if (!text.includes('"hasBeenFinalized":true')) throw new Error(text)
  onClosed()
  const file = path.join(dataDir, SENT)
  await jobs.work([
    ...dependencies.jobHandlers.filter(({ kind }) => kind.name === STATEMENT_NOTICE_JOB.name),
    mailJobHandler(async ({ to }, options) => fs.appendFileSync(file, `${JSON.stringify({ to, id: options?.id })}\n`)),
  ])
  while ((await unfinishedJobs(database, [STATEMENT_NOTICE_JOB, MAIL_JOB])) > 0) await sleep(50)
  await Promise.all(listeners.map(listener => listener.close()))
}
