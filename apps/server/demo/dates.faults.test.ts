import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { addDays, day } from '@pc/domain/month/day.ts'
import {
  addMonths,
  firstDayOf,
  lastDayOf,
  monthOfDay,
  monthRange,
  type YearMonth,
} from '@pc/domain/month/year-month.ts'
import { fixedClock, systemClock } from '@pc/platform/clock.ts'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { openStats } from '@pc/platform/stats/open-stats.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { expect, test } from 'vitest'
import { prepareFirstRun } from '../first-run.ts'
import { wireDependencies } from '../wire-dependencies.ts'

/**
 * Demonstrations are made on days at which calendars are awkward, with the product's own books, and each is started again
 * on other days, which changes nothing. DEMO_DAYS names other days, or says `every`: each month's end and beginning of two
 * years.
 */
const AWKWARD = '2026-12-31,2027-01-01,2027-03-31,2028-02-29,2028-03-01'
const MONTHS = monthRange(202612 as YearMonth, 202811 as YearMonth)
const REQUESTED = process.env.DEMO_DAYS ?? AWKWARD
const DAYS =
  REQUESTED === 'every' ? MONTHS.flatMap(month => [firstDayOf(month), lastDayOf(month)]) : REQUESTED.split(',').map(day)
const LATER_DAYS = MONTHS.flatMap(month => [firstDayOf(month), addDays(firstDayOf(month), 1), lastDayOf(month)])

test.each(DAYS)('a demonstration made on %s, and started on other days', async madeOn => {
  const { database, url, drop } = await testDatabase()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-dates-'))
  const config = {
    ...readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, SECRETS_KEY: '0'.repeat(64) }),
    makesDemoData: true,
  }
  const stats = await openStats(config, url, systemClock)
  const stores = { database, stats, databaseUrl: url, close: async () => {} }
  // Half a minute before the day is over, or after it has begun.
  const clock = fixedClock(`${madeOn}T${madeOn.endsWith('-01') ? '00:00' : '23:59'}:30+09:00`)
  const dependencies = await wireDependencies({ config, log: openLog('silent'), clock, stores })
  try {
    const made = await prepareFirstRun(dependencies, [], () => {})
    expect(made.demo?.password).toMatch(/^[a-z2-8-]{19}$/)
    const state = () =>
      database.inScope(SYSTEM, async tx => ({
        closings: await tx.selectFrom('monthClosings').select(['month', 'mediumId']).orderBy('month').execute(),
        states: await tx.selectFrom('monthStates').selectAll().orderBy('month').orderBy('mediumId').execute(),
        batches: await tx.selectFrom('ingestBatches').selectAll().orderBy('batchNo').execute(),
        notes: await tx.selectFrom('demonstration').selectAll().execute(),
      }))
    const before = await state()
    const running = monthOfDay(addDays(madeOn, -1))
    expect([...new Set(before.closings.map(({ month }) => month))]).toEqual(
      monthRange(addMonths(running, -13), addMonths(running, -2)),
    )
    expect(before.states.filter(each => each.month === addMonths(running, -1))).toHaveLength(5)
    expect(await statesOf(database, 'transfers')).toEqual(['cancelled', 'exported', 'paid', 'planned', 'returned'])
    expect(await statesOf(database, 'statements')).toEqual(['confirmed', 'issued', 'objected', 'replaced', 'resolved'])
    const withheld = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('transfers').select('partnerName').distinct().where('withholdingYen', '>', 0n).execute(),
    )
    expect(withheld).toEqual([{ partnerName: '水瀬ひかり' }])
    for (const later of LATER_DAYS) {
      clock.set(`${later}T03:00:00+09:00`)
      expect(await prepareFirstRun(dependencies, [], () => {}), later).toEqual(made)
    }
    expect(await state()).toEqual(before)
  } finally {
    await dependencies.close()
    await stats.close()
    await drop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
})

async function statesOf(database: Database, name: 'transfers' | 'statements'): Promise<string[]> {
  const rows = await database.inScope(SYSTEM, tx =>
    tx.selectFrom(name).select('state').distinct().orderBy('state').execute(),
  )
  return rows.map(row => row.state)
}

const START = path.join(import.meta.dirname, '../commands/start.ts')
/** Not on every machine: the tests with it are left out where it is missing. */
const FAKE_TIME = 'faketime'
const hasFakeTime = spawnSync(FAKE_TIME, ['--version']).error === undefined

/** Starts the folder as `npm start` does, at a moment of Tokyo that goes on from there; stops it when it is ready. */
async function startAt(dataDir: string, moment: string): Promise<{ code: number | null; output: string }> {
  const options = [
    ...process.execArgv.filter(each => each.startsWith('--experimental')),
    START,
    '--services=api,worker',
  ]
  const child = spawn(FAKE_TIME, ['-f', `@${moment}`, process.execPath, ...options], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'Asia/Tokyo', DATA_DIR: dataDir },
      ...{ PORT: '0', INSIGHT_API_PORT: '0', IAM_API_PORT: '0' },
    },
  })
  let output = ''
  const isReady = new Promise<void>(resolve => {
    const take = (text: Buffer) => {
      output += text
      if (output.includes('ready')) resolve()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('exit', () => resolve())
  })
  const exited = once(child, 'exit')
  await isReady
  // The program of the false time is another process: the system itself is told.
  if (child.exitCode === null)
    process.kill(JSON.parse(fs.readFileSync(path.join(dataDir, 'run/owner-server.json'), 'utf8')).pid, 'SIGTERM')
  const [code] = await exited
  return { code, output }
}

test.runIf(hasFakeTime)('a folder made by a process in November starts on later days, in other processes', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-dates-'))
  try {
    const passwords = new Set<string>()
    for (const moment of [
      '2026-11-29 23:59:50',
      '2026-12-02 00:00:10',
      '2026-12-05 03:00:00',
      '2026-12-31 23:59:50',
      '2027-01-02 09:00:00',
      '2028-02-29 12:00:00',
    ]) {
      const { code, output } = await startAt(dataDir, moment)
      expect(code, `${moment}\n${output}`).toBe(0)
      expect(output, moment).toContain('ready')
      expect(output, moment).not.toContain('"level":"error"')
      passwords.add(/password of all: (\S+)/.exec(output)![1]!)
      expect(output.includes('デモデータを作成しています'), moment).toBe(moment.startsWith('2026-11'))
    }
    expect(passwords.size).toBe(1)
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
})
