import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { isMarkedFolder } from '@pc/features/practice/server/work-on-copy.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, type OpenPostgres, openPostgres, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { settlementBooks, writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { WarmProcess } from '@pc/testing/faults/warm-process.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Copying a running system for practising is killed at every step that the next attempt can see, and at random moments.
 * The real system has the same rows afterwards and takes new ones; there is no copy, or a whole one; the next attempt works.
 */
const KILLS = Number(process.env.PRACTICE_KILLS ?? 4)
const SEED = Number(process.env.FAULT_SEED ?? 20_261_120)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-practice-kills-'))
const LIVE = path.join(folder, 'data')
const INTO = path.join(LIVE, 'practice')
const MONTH = 202606 as YearMonth

/** Where the copiers keep what goes with them. */
const TEMPORARY = path.join(folder, 'tmp')
fs.mkdirSync(TEMPORARY)
process.env.TMPDIR = TEMPORARY

let live: OpenPostgres
const copiers = new WarmProcess(path.resolve(import.meta.dirname, '../../testing/system/practice-test-process.ts'))
beforeAll(async () => {
  live = await openPostgres({ dataDir: LIVE, databaseUrl: undefined })
  const stats = await openTestDuckDb()
  const books = await settlementBooks(live.database, stats.store)
  const input = { ...sampleMonth(MONTH, { agreements: [sampleAgreement(1n, [sampleRule(1n, 40_000n)])] }) }
  await live.database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, input)
    await writeAgreements(tx, [input])
  })
  await writeOwnAds(stats.store, [input], 1n)
  const key = { mediumId: input.mediumId, month: MONTH }
  expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
  expect(await closeMonth(books, key, books.userUid)).toMatchObject({ ok: true })
  await stats.drop()
}, 180_000)
afterAll(async () => {
  copiers.end()
  await live.close()
  fs.rmSync(folder, { recursive: true, force: true })
}, 60_000)

interface Attempt {
  readonly steps: number
  readonly ms: number
  readonly errors: string
}

function copy(killAtStep: number, disturb?: (kill: () => void) => void): Promise<Attempt> {
  const child = copiers.take([LIVE, INTO, String(killAtStep)])
  let [said, errors] = ['', '']
  let begun = 0
  child.stderr!.on('data', chunk => {
    errors += chunk
  })
  child.stdout!.on('data', chunk => {
    if (begun === 0) {
      begun = performance.now()
      disturb?.(() => child.kill('SIGKILL'))
    }
    said += chunk
  })
  return new Promise(resolve =>
    child.on('close', () =>
      resolve({ steps: Number(/end (\d+)/.exec(said)?.[1] ?? 0), ms: performance.now() - begun, errors }),
    ),
  )
}

const clientOf = <T>(dataDir: string, work: Parameters<typeof withClient<T>>[1]) =>
  withClient(urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, 'postgres') ?? '', work)

/** Every row of every table of the real system. */
const content = () =>
  clientOf(LIVE, async client => {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    const texts: string[] = []
    for (const { name } of rows) {
      const found = await client.query<{ text: string }>(
        `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as text from ${name} t`,
      )
      texts.push(`${name}\n${found.rows[0]!.text}`)
    }
    return texts.join('\n\n')
  })

/** What is acknowledged while the copy is made belongs to the real system alone. */
async function write(number: number): Promise<void> {
  const email = `written-${number}@example.jp`
  await live.database.inScope(SYSTEM, tx => tx.insertInto('users').values({ email }).execute())
}

async function wholeCopy(): Promise<void> {
  const copied = await openPostgres({ dataDir: INTO, databaseUrl: undefined })
  try {
    const { months, closed } = await clientOf(INTO, async client => ({
      months: (await client.query('select month from practice_system')).rows,
      closed: (await client.query('select from month_closings')).rows,
    }))
    expect(months).toEqual([{ month: MONTH }])
    expect(closed).toEqual([])
  } finally {
    await copied.close()
  }
}

async function afterwards(what: string): Promise<'none' | 'whole'> {
  const found = fs.existsSync(INTO) ? 'whole' : 'none'
  if (found === 'whole') {
    expect(isMarkedFolder(INTO), what).toBe(true)
    await wholeCopy()
    fs.rmSync(INTO, { recursive: true })
  }
  const before = await content()
  // At once: what the killed one started may still be ending.
  const next = await copy(0)
  expect(next.errors, `the attempt after: ${what}`).toBe('')
  expect(isMarkedFolder(INTO), what).toBe(true)
  expect(fs.readdirSync(LIVE).filter(name => name !== 'postgres')).toEqual(['practice'])
  expect(await content()).toBe(before)
  const archives = fs
    .readdirSync(TEMPORARY, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.pcbackup'))
  expect(archives, `left behind: ${what}`).toEqual([])
  fs.rmSync(INTO, { recursive: true })
  return found
}

async function undisturbed(): Promise<Attempt> {
  const attempt = await copy(0)
  expect(attempt.errors).toBe('')
  await wholeCopy()
  fs.rmSync(INTO, { recursive: true })
  return attempt
}

const counted = (found: readonly string[]) =>
  `${found.filter(each => each === 'none').length} without a copy, ${found.filter(each => each === 'whole').length} with a whole one`

test('killed at every step: the real system is as it was, and the next attempt works', async () => {
  const { steps } = await undisturbed()
  expect(steps).toBeGreaterThan(3)
  const found: string[] = []
  for (let step = 1; step <= steps; step += 1) {
    await copy(step)
    found.push(await afterwards(`step ${step}`))
  }
  console.warn(`killed at each of ${steps} steps: ${counted(found)}`)
})

test(`killed ${KILLS} times at a random moment: the same, and what is written meanwhile is kept`, async () => {
  const { ms } = await undisturbed()
  const random = randomFrom(SEED)
  const found: string[] = []
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const afterMs = random.below(Math.ceil(ms))
    const attempt = copy(0, end => void setTimeout(end, afterMs))
    await write(kill)
    await attempt
    found.push(await afterwards(`${afterMs} ms`))
  }
  const kept = await live.database.inScope(SYSTEM, tx => tx.selectFrom('users').select('email').execute())
  expect(kept.filter(({ email }) => email.startsWith('written-'))).toHaveLength(KILLS)
  console.warn(`killed ${KILLS} times (seed ${SEED}) of ${Math.round(ms)} ms: ${counted(found)}`)
})
