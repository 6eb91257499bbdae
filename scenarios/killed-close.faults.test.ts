import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { randomMonth, randomSource } from '@pc/domain/payment/random-month.ts'
import { rebookPools } from '@pc/features/dividends/server/dividend-ledger.ts'
import { monthViolations } from '@pc/features/payments/server/check-month.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { finalizeMonth } from '@pc/features/payments/server/finalize-month.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { launchPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import {
  ensureClusterRoles,
  LOGIN_ROLE,
  OWNER_ROLE,
  restrictDatabase,
  withClient,
} from '@pc/platform/postgres/roles.ts'
import { makeMigratedDatabase } from '@pc/platform/postgres/throwaway-postgres.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import {
  bookDividends,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
  writeSettings,
} from '@pc/testing/settlement-books.ts'
import { SpareProcess } from '@pc/testing/spare-process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * A close is killed again and again: its process at random moments and at every single statement, and PostgreSQL under
 * it. Each time the month is not closed, or closed whole; and closing it once more gives the same rows and hashes, byte
 * for byte, as the close that nobody disturbed. Every kill has its own copy of the same books, on a server that syncs.
 */
const KILLS = Number(process.env.CLOSE_KILLS ?? 100)
const SERVER_KILLS = Number(process.env.CLOSE_SERVER_KILLS ?? 100)
const SEED = Number(process.env.KILL_SEED ?? 20_261_120)
const MONTH = 202601 as YearMonth
const KEY = { mediumId: 1n, month: MONTH }
const BOOKS = 'books'

const folder = fs.mkdtempSync(path.join(memoryFolder(), 'close-'))
const file = path.join(folder, 'stats.duckdb')
const server = await launchPostgres({ folder: path.join(folder, 'postgres'), restartsPerMinute: 10_000 })
const closers = new SpareProcess(path.resolve(import.meta.dirname, '../testing/close-until-killed.ts'))
afterAll(async () => {
  closers.end()
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

let uid = ''
let undisturbed: { readonly content: string; readonly statements: number; readonly ms: number }

beforeAll(async () => {
  await ensureClusterRoles(server.url('postgres', 'postgres'))
  await makeMigratedDatabase(server, BOOKS)
  await writeBooks()
  undisturbed = await inCopy('undisturbed', async url => {
    const run = await close(url)
    return { content: await content('undisturbed'), statements: run.statements, ms: run.ms }
  })
  expect(undisturbed.content).toContain('finalized')
}, 300_000)

/** A month with guarantees, pools and corrections, booked and not yet computed. */
async function writeBooks(): Promise<void> {
  const sample = randomMonth(4711, { agreements: 12, rulesPerAgreement: 4, poolJobs: 2, adjustments: 4 }, true)
  const input = {
    ...sample,
    ...KEY,
    agreements: sample.agreements.map(agreement => ({
      ...agreement,
      mediumId: KEY.mediumId,
      rules: agreement.rules.map(rule => ({ ...rule, mediumId: KEY.mediumId })),
    })),
    poolJobs: sample.poolJobs.filter(job => job.weights.some(weight => weight.weight > 0n)),
    adjustments: sample.adjustments.filter(row => row.amountYen !== 0n).map(row => ({ ...row, originMonth: null })),
  }
  const store = await openDuckDb({ file, memoryLimit: '256MB', threads: 1 })
  const database = openDatabase({ url: server.url(BOOKS, LOGIN_ROLE), maxConnections: 2 })
  const books = await settlementBooks(database, store)
  uid = books.userUid
  await database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, input)
    await writeAgreements(tx, [input])
  })
  await writeOwnAds(store, [input], 1n)
  await bookDividends(books, input)
  await store.close()
  await database.close()
}

/** Works with a copy of the books under a name of its own. */
async function inCopy<T>(name: string, work: (url: string) => Promise<T>): Promise<T> {
  const admin = server.url('postgres', 'postgres')
  await withClient(admin, async client => {
    // By files, which ends with a checkpoint: otherwise a crash may set the copied sequences back.
    await client.query(`create database ${name} template ${BOOKS} owner ${OWNER_ROLE} strategy file_copy`)
    await restrictDatabase(client, name)
  })
  try {
    return await work(server.url(name, LOGIN_ROLE))
  } finally {
    await withClient(admin, client => client.query(`drop database if exists ${name} with (force)`))
  }
}

interface Run {
  readonly ended: boolean
  readonly statements: number
  readonly ms: number
}

/** Computes and closes the month in a process of its own; `disturb` is told when it begins. */
function close(url: string, disturb?: (kill: () => void) => void, killAtStatement = 0): Promise<Run> {
  const child = closers.take([url, file, `${KEY.mediumId}`, `${MONTH}`, uid, `${killAtStatement}`])
  let begun = 0
  let said = ''
  let errors = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  child.stdout!.on('data', (chunk: Buffer) => {
    said += chunk
    if (begun === 0 && said.includes('begin')) {
      begun = performance.now()
      disturb?.(() => child.kill('SIGKILL'))
    }
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      const end = /end (\d+)/.exec(said)
      const isDisturbed = disturb !== undefined || killAtStatement > 0
      if (code !== 0 && signal !== 'SIGKILL' && !isDisturbed) reject(new Error(errors))
      else resolve({ ended: end !== null, statements: Number(end?.[1] ?? 0), ms: performance.now() - begun })
    })
  })
}

/** The same in this process, which starts faster than one of its own. */
async function closeHere(url: string): Promise<void> {
  const store = await openDuckDb({ file, memoryLimit: '256MB', threads: 1 })
  const database = openDatabase({ url, maxConnections: 2 })
  try {
    const parts = { database, stats: store, clock: fixedClock('2028-01-10T12:00:00+09:00'), rebookPools }
    const closed = (await computeMonth(parts, KEY)).ok
    const final = await finalizeMonth(parts, KEY, uid)
    if (closed) expect(final.ok).toBe(true)
    else expect(!final.ok && final.refusals[0]?.code).toBe('payment/already-finalized')
  } finally {
    await database.close()
    await store.close()
  }
}

const TABLES = [
  'month_states',
  'month_closings',
  'monthly_agreement_snapshots',
  'monthly_snapshot_inputs',
  'monthly_payments',
  'monthly_publisher_payments',
  'monthly_rule_snapshots',
  'monthly_carried_buckets',
  'monthly_adjustments',
  'monthly_tax_lines',
  'monthly_paid_buckets',
  'monthly_pools',
  'dividends',
  'dividend_rows',
  'dividend_weights',
  'dividend_ledger_lines',
  'invariant_runs',
]
/** Numbers that a transaction takes even when it is rolled back, what refers to them, and the server's own clock. */
const NOT_COMPARED =
  '{id,snapshot_id,monthly_agreement_snapshot_id,monthly_payment_id,monthly_publisher_payment_id,created_at,updated_at,books_version}'

/** Every row of the books, in one text. */
async function content(name: string): Promise<string> {
  return withClient(server.url(name, 'postgres'), async client => {
    const texts: string[] = []
    for (const table of TABLES) {
      const { rows } = await client.query<{ text: string }>(
        `select string_agg(x::text, E'\\n' order by x::text) as text
         from (select to_jsonb(t) - '${NOT_COMPARED}'::text[] as x from ${table} t) s`,
      )
      texts.push(`${table}\n${rows[0]?.text ?? ''}`)
    }
    return texts.join('\n\n')
  })
}

type Outcome = 'untouched' | 'draft' | 'closed'

/** Not closed, and then no row is final; or closed, and then as the undisturbed one. Closed once more, all are the same. */
async function afterwards(name: string, url: string): Promise<Outcome> {
  const { state, finals } = await withClient(server.url(name, 'postgres'), async client => {
    const states = await client.query<{ state: string }>('select state from month_states')
    const rows = await client.query<{ is_final: boolean }>(
      `select has_been_finalized as is_final from monthly_payments union select has_been_finalized from monthly_publisher_payments
       union select has_been_finalized from monthly_rule_snapshots union select has_been_finalized from monthly_agreement_snapshots`,
    )
    return { state: states.rows[0]?.state, finals: rows.rows.map(row => row.is_final) }
  })
  const isClosed = state === 'finalized'
  expect(finals.every(isFinal => isFinal === isClosed)).toBe(true)
  if (isClosed) expect(await content(name)).toBe(undisturbed.content)
  await closeHere(url)
  expect(await content(name)).toBe(undisturbed.content)
  return isClosed ? 'closed' : state === 'computed' ? 'draft' : 'untouched'
}

function counted(outcomes: readonly Outcome[]): string {
  const of = (outcome: Outcome) => outcomes.filter(each => each === outcome).length
  return `${of('untouched')} not computed, ${of('draft')} computed, ${of('closed')} closed whole`
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

test(
  `the process is killed ${KILLS} times at a random moment`,
  async () => {
    const random = randomSource(SEED)
    const outcomes: Outcome[] = []
    for (let number = 1; number <= KILLS; number += 1) {
      const name = `process_${number}`
      const afterMs = random.below(Math.ceil(undisturbed.ms * 1.1))
      outcomes.push(
        await inCopy(name, async url => {
          await close(url, kill => void setTimeout(kill, afterMs))
          return afterwards(name, url)
        }),
      )
    }
    say(`process killed ${KILLS} times (seed ${SEED}): ${counted(outcomes)}; all closed alike afterwards`)
  },
  KILLS * 60_000,
)

test(
  `PostgreSQL is killed ${SERVER_KILLS} times at a random moment`,
  async () => {
    const random = randomSource(SEED + 1)
    const outcomes: Outcome[] = []
    for (let number = 1; number <= SERVER_KILLS; number += 1) {
      const name = `server_${number}`
      const afterMs = random.below(Math.ceil(undisturbed.ms * 1.1))
      outcomes.push(
        await inCopy(name, async url => {
          const { pid } = server
          await close(url, () => void setTimeout(() => process.kill(pid, 'SIGKILL'), afterMs))
          await until(() => server.pid !== pid)
          return afterwards(name, url)
        }),
      )
    }
    say(`PostgreSQL killed ${SERVER_KILLS} times (seed ${SEED + 1}): ${counted(outcomes)}; all closed alike afterwards`)
  },
  SERVER_KILLS * 90_000,
)

test(
  'the process is killed once at every statement of a close',
  async () => {
    const outcomes: Outcome[] = []
    for (let number = 1; number <= undisturbed.statements; number += 1) {
      const name = `statement_${number}`
      outcomes.push(
        await inCopy(name, async url => {
          const run = await close(url, undefined, number)
          expect(run.ended).toBe(false)
          return afterwards(name, url)
        }),
      )
    }
    say(`killed at each of ${undisturbed.statements} statements: ${counted(outcomes)}; all closed alike afterwards`)
  },
  600 * 60_000,
)

test('the books of an undisturbed close hold', async () => {
  await inCopy('checked', async url => {
    await closeHere(url)
    const store = await openDuckDb({ file, memoryLimit: '256MB', threads: 1 })
    const database = openDatabase({ url, maxConnections: 2 })
    expect(await monthViolations({ database, stats: store }, KEY)).toEqual([])
    await database.close()
    await store.close()
  })
}, 60_000)

/**
 * A folder in memory where there is room: a kill of a process takes nothing from the system's own caches, so the disk adds
 * nothing but time. (What a power cut takes is tried in platform/power-cut.faults.test.ts.)
 */
function memoryFolder(): string {
  const shared = '/dev/shm'
  if (!fs.existsSync(shared)) return os.tmpdir()
  const { bavail, bsize } = fs.statfsSync(shared)
  return bavail * bsize > 3 * 1024 ** 3 ? shared : os.tmpdir()
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited a minute in vain')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
