import fs from 'node:fs'
import path from 'node:path'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { chainViolations } from '@pc/domain/payment/books-invariants.ts'
import { randomSource } from '@pc/domain/settlement/random-month.ts'
import { verifyMediumChain } from '@pc/features/payments/month-close/server/finalized-chain.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { launchPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import {
  ensureClusterRoles,
  LOGIN_ROLE,
  OWNER_ROLE,
  restrictDatabase,
  withClient,
} from '@pc/platform/postgres/roles.ts'
import { makeMigratedDatabase } from '@pc/platform/postgres/throwaway-postgres.ts'
import {
  bookManualOperations,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
  writeSettings,
  writeTransferFees,
} from '@pc/testing/books/settlement-books.ts'
import { WarmProcess } from '@pc/testing/faults/warm-process.ts'
import { memoryFolder } from '@pc/testing/memory-folder.ts'
import { closeAndNotify, inSystem, sentMails, type TestClose } from '@pc/testing/system/close-fixture.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enterable, monthOfMedium } from './random-media.ts'

/**
 * A close is killed again and again, from the computing of two media to the last mail: its process at random moments and
 * at every statement, and PostgreSQL under it. Each time the month is closed whole with all of its statements, or not at
 * all; and the same submission sent once more gives the rows, statements and hashes of the close that nobody disturbed.
 * Every kill has its own copy of the same books, on a server that syncs.
 */
const KILLS = Number(process.env.CLOSE_KILLS ?? 60)
const SERVER_KILLS = Number(process.env.CLOSE_SERVER_KILLS ?? 60)
const SEED = Number(process.env.KILL_SEED ?? 20_261_120)
const MONTH = 202601 as YearMonth
const BOOKS = 'books'
const EMAIL = 'keiri@example.jp'
const BOOKS_SEED = 4_711
const EVERY_NTH_OF_WORKER = 9

// A kill takes nothing from the system's caches: a disk would add time only (power cuts: platform/power-cut.faults.test.ts).
const folder = fs.mkdtempSync(path.join(memoryFolder(), 'close-'))
const statsFile = path.join(folder, 'stats.duckdb')
const server = await launchPostgres({ folder: path.join(folder, 'postgres'), restartsPerMinute: 10_000 })
const closers = new WarmProcess(path.resolve(import.meta.dirname, '../testing/system/close-test-process.ts'))
afterAll(async () => {
  closers.end()
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

const inputs = [0, 1].map(index => enterable(monthOfMedium(BOOKS_SEED, index)))
const mediumIds = inputs.map(input => input.mediumId)
let undisturbed: Run & { readonly content: string; readonly closedContent: string }
/** Every payee has one administrator, who gets one mail. */
let payees: readonly string[] = []

beforeAll(async () => {
  await ensureClusterRoles(server.url('postgres', 'postgres'))
  await makeMigratedDatabase(server, BOOKS)
  await writeBooks()
  undisturbed = await inCopy('undisturbed', async of => {
    const run = await close(of)
    payees = await withClient(server.url(of.name, 'postgres'), async client => {
      const { rows } = await client.query<{ id: string }>('select distinct organization_id as id from statements')
      return rows.map(({ id }) => `payee-${id}@example.jp`).toSorted()
    })
    expect(await notifiedPayees(of)).toEqual(payees)
    return { ...run, content: await content(of.name), closedContent: await content(of.name, CLOSED_TABLES) }
  })
  expect(undisturbed.content).toContain('finalized')
  expect(payees.length).toBeGreaterThan(2)
}, 300_000)

/** Two media with guarantees, pools and corrections, booked and not yet computed. */
async function writeBooks(): Promise<void> {
  const dataDir = path.join(folder, BOOKS)
  await inSystem({ url: server.url(BOOKS, LOGIN_ROLE), statsFile, dataDir }, async ({ database, stats }) => {
    const books = await settlementBooks(database, stats)
    await database.inScope(SYSTEM, async tx => {
      await writeSettings(tx, inputs[0]!)
      await writeAgreements(tx, inputs)
      await writeTransferFees(tx)
      await tx.insertInto('userRoles').values({ uid: books.userUid, roleName: 'insight:admin' }).execute()
      await writeAdministrators(tx)
    })
    await writeOwnAds(stats, inputs, 1n)
    for (const input of inputs) await bookManualOperations(books, input)
  })
}

async function writeAdministrators(tx: Transaction): Promise<void> {
  for (const { id } of await tx.selectFrom('organizations').select('id').execute()) {
    const { uid } = await tx
      .insertInto('users')
      .values({ email: `payee-${id}@example.jp`, organizationId: id })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await tx.insertInto('userRoles').values({ uid, roleName: 'insight:publisher_admin' }).execute()
  }
}

interface Copy extends TestClose {
  readonly name: string
}

/** Works with a copy of the books under a name of its own. */
async function inCopy<T>(name: string, work: (of: Copy) => Promise<T>): Promise<T> {
  const admin = server.url('postgres', 'postgres')
  await withClient(admin, async client => {
    // By files, which ends with a checkpoint: otherwise a crash may set the copied sequences back.
    await client.query(`create database ${name} template ${BOOKS} owner ${OWNER_ROLE} strategy file_copy`)
    await restrictDatabase(client, name)
  })
  const dataDir = path.join(folder, name)
  fs.mkdirSync(dataDir)
  try {
    return await work({
      ...{ name, statsFile, dataDir, mediumIds },
      ...{ url: server.url(name, LOGIN_ROLE), month: MONTH, email: EMAIL },
    })
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true })
    await withClient(admin, client => client.query(`drop database if exists ${name} with (force)`))
  }
}

interface Run {
  readonly ended: boolean
  /** Statements until the month was closed. */
  readonly closedAfter: number
  readonly ms: number
}

/** The whole close in a process of its own; `disturb` is told when it begins. */
function close(of: Copy, disturb?: (kill: () => void) => void, killAt = 0): Promise<Run> {
  const child = closers.take([JSON.stringify({ ...of, killAt, mediumIds: mediumIds.map(String) })])
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
      const closed = /closed (\d+)/.exec(said)
      const isDisturbed = disturb !== undefined || killAt > 0
      if (code !== 0 && signal !== 'SIGKILL' && !isDisturbed) reject(new Error(errors))
      else
        resolve({ ended: said.includes('end '), closedAfter: Number(closed?.[1] ?? 0), ms: performance.now() - begun })
    })
  })
}

/** The same submission once more, in this process, which starts faster than one of its own. */
async function closeAgain(of: Copy): Promise<void> {
  // Jobs of the worker that is gone: what the queue does when it misses their heartbeats, without the wait for it.
  await withClient(server.url(of.name, 'postgres'), client =>
    client.query("update pgboss.job set state = 'retry', start_after = now() where state = 'active'"),
  )
  await inSystem(of, async parts => {
    await closeAndNotify(parts, of)
    for (const mediumId of mediumIds) {
      expect(await monthViolations(parts, { mediumId, month: MONTH })).toEqual([])
      const chain = await parts.database.inScope(SYSTEM, tx => verifyMediumChain(tx, mediumId))
      expect(chainViolations(chain)).toEqual([])
    }
  })
}

/** Who was written to: twice at most, then with the same key. */
async function notifiedPayees({ dataDir }: Copy): Promise<readonly string[]> {
  const keys = Map.groupBy(sentMails(dataDir), mail => mail.to)
  for (const [to, mails] of keys) expect(new Set(mails.map(mail => mail.id)).size, to).toBe(1)
  return [...keys.keys()].toSorted()
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
  'statements',
  'statement_notices',
  'announcements',
  'dividend_operations',
]
/** Without what the worker does after the close. */
const CLOSED_TABLES = TABLES.filter(table => table !== 'statement_notices' && table !== 'announcements')
/** Numbers that a transaction takes even when it is rolled back, what refers to them, and the server's own clock. */
const NOT_COMPARED =
  '{id,statement_id,snapshot_id,monthly_agreement_snapshot_id,monthly_payment_id,monthly_publisher_payment_id,created_at,updated_at,books_version}'

/** Every row of the books, in one text. */
async function content(name: string, tables = TABLES): Promise<string> {
  return withClient(server.url(name, 'postgres'), async client => {
    const texts: string[] = []
    for (const table of tables) {
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

interface Seen {
  readonly states: readonly string[] | null
  readonly finals: readonly boolean[] | null
  readonly statements: number
  readonly operations: readonly boolean[]
  readonly audited: number
  readonly logged: number
}
const CLOSED_ONCE = { states: ['finalized'], finals: [true], operations: [true], audited: 1, logged: mediumIds.length }

function look({ name }: Copy): Promise<Seen> {
  return withClient(server.url(name, 'postgres'), async client => {
    const { rows } = await client.query<Seen>(
      `select (select array_agg(distinct state) from month_states) as states,
        (select array_agg(distinct f) from (select has_been_finalized as f from monthly_payments
          union select has_been_finalized from monthly_publisher_payments
          union select has_been_finalized from monthly_rule_snapshots
          union select has_been_finalized from monthly_agreement_snapshots) s) as finals,
        (select count(*)::int from statements) as statements,
        (select array_agg(has_been_finalized) from dividend_operations) as operations,
        (select count(*)::int from audit_log where action = 'finalize') as audited,
        (select count(*)::int from month_close_log where action = 'finalized') as logged`,
    )
    return rows[0]!
  })
}

/** Not closed, and then nothing of it is there; or closed, and then as the undisturbed one. Closed once more, all are the same. */
async function afterwards(of: Copy): Promise<Outcome> {
  const seen = await look(of)
  const isClosed = seen.states?.includes('finalized') ?? false
  if (isClosed) {
    expect(seen).toMatchObject(CLOSED_ONCE)
    expect(await content(of.name, CLOSED_TABLES)).toBe(undisturbed.closedContent)
  } else {
    expect(seen).toMatchObject({ statements: 0, audited: 0, logged: 0 })
    expect(seen.finals ?? []).not.toContain(true)
    expect(sentMails(of.dataDir)).toEqual([])
  }
  await closeAgain(of)
  expect(await look(of)).toMatchObject(CLOSED_ONCE)
  expect(await content(of.name)).toBe(undisturbed.content)
  expect(await notifiedPayees(of)).toEqual(payees)
  return isClosed ? 'closed' : seen.states?.includes('computed') ? 'draft' : 'untouched'
}

function counted(outcomes: readonly Outcome[]): string {
  const of = (outcome: Outcome) => outcomes.filter(each => each === outcome).length
  return `${of('untouched')} not computed, ${of('draft')} computed, ${of('closed')} closed whole`
}

/** Anywhere in the run, and in its first tenth, which computes and closes, every second time. */
const momentOf = (random: ReturnType<typeof randomSource>) =>
  Math.floor(undisturbed.ms * 1.1 * (random.below(1_000) / 1_000) ** 3)

const say = (text: string) => void process.stdout.write(`${text}\n`)
const AFTERWARDS = 'all closed alike afterwards, every payee told, every chain whole'

test(
  `the process is killed ${KILLS} times at a random moment`,
  async () => {
    const random = randomSource(SEED)
    const outcomes: Outcome[] = []
    for (let number = 1; number <= KILLS; number += 1) {
      const afterMs = momentOf(random)
      outcomes.push(
        await inCopy(`process_${number}`, async of => {
          await close(of, kill => void setTimeout(kill, afterMs))
          return afterwards(of)
        }),
      )
    }
    say(`process killed ${KILLS} times (seed ${SEED}): ${counted(outcomes)}; ${AFTERWARDS}`)
  },
  KILLS * 60_000,
)

test(
  `PostgreSQL is killed ${SERVER_KILLS} times at a random moment`,
  async () => {
    const random = randomSource(SEED + 1)
    const outcomes: Outcome[] = []
    for (let number = 1; number <= SERVER_KILLS; number += 1) {
      const afterMs = momentOf(random)
      outcomes.push(
        await inCopy(`server_${number}`, async of => {
          const { pid } = server
          await close(of, () => void setTimeout(() => process.kill(pid, 'SIGKILL'), afterMs))
          await until(() => server.pid !== pid)
          return afterwards(of)
        }),
      )
    }
    say(`PostgreSQL killed ${SERVER_KILLS} times (seed ${SEED + 1}): ${counted(outcomes)}; ${AFTERWARDS}`)
  },
  SERVER_KILLS * 90_000,
)

test(
  'the process is killed once at every statement of a close, and at some of the mails',
  async () => {
    const outcomes: Outcome[] = []
    // The worker asks for jobs again and again: how many statements that takes differs from run to run.
    for (let number = 1; ; number += number > undisturbed.closedAfter ? EVERY_NTH_OF_WORKER : 1) {
      const hasEnded = await inCopy(`statement_${number}`, async of => {
        const { ended } = await close(of, undefined, number)
        if (!ended) outcomes.push(await afterwards(of))
        return ended
      })
      if (hasEnded) break
    }
    expect(outcomes.length).toBeGreaterThan(undisturbed.closedAfter)
    say(
      `killed at each of ${undisturbed.closedAfter} statements of a close and at ${outcomes.length - undisturbed.closedAfter} after it: ` +
        `${counted(outcomes)}; ${AFTERWARDS}`,
    )
  },
  600 * 60_000,
)

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited a minute in vain')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
