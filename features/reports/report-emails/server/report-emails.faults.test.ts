import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@pc/platform/clock.ts'
import { openJobs } from '@pc/platform/jobs/open-jobs.ts'
import { openLog } from '@pc/platform/log.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { makeReportFixture } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { readChangeSentence } from '../../changes/server/change-texts.ts'
import { readTopArticles } from '../../contents/server/top-articles.ts'
import { readSummary } from '../../dashboard/server/summary-report.ts'
import { readTopPublishers } from '../../ranking/server/top-publishers.ts'
import { planReportEmails, reportEmailHandlers } from './report-email-jobs.ts'

const own = await testDatabase()
const { store: stats, drop: dropStats } = await openTestDuckDb()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-report-mails-'))
let worker: ChildProcess | undefined
afterAll(async () => {
  worker?.kill('SIGKILL')
  await own.drop()
  await dropStats()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A worker that begins to write the email, says so, and never gets its figures. */
const SCRIPT = `
import fs from 'node:fs'
const [{ openJobs }, { openLog }, { openDatabase }, { reportEmailHandlers }] = await Promise.all(
  JSON.parse(process.env.MODULES).map(file => import(file)),
)
const jobs = openJobs({ url: process.env.URL, log: openLog('silent') })
const never = () => {
  fs.writeFileSync(process.env.MARK, 'began')
  return new Promise(resolve => setTimeout(resolve, 600_000))
}
await jobs.work(reportEmailHandlers({
  database: openDatabase({ url: process.env.URL, maxConnections: 2 }),
  stats: { snapshot: never, query: never },
  reports: { readSummary: never },
  clock: { now: () => Date.parse('2026-11-20T09:00:00+09:00') },
  jobs, sendMail: never, readHolidayCalendar: async () => ({ firstYear: 0, lastYear: 0, holidays: new Map() }), webOrigin: 'https://pc.example',
}))
`

test('a worker is killed while it writes a mail: another one sends it, once', async () => {
  const fixture = await makeReportFixture(own.database)
  const { uid } = fixture.permitOf('admin', 'read:list', 'insight:summary_stats.').viewer
  const at = new Date('2026-11-20T08:00:00+09:00')
  await own.database.inScope(SYSTEM, async tx => {
    await tx.insertInto('roles').values({ name: 'insight:publisher_admin' }).execute()
    await tx.insertInto('userRoles').values({ uid, roleName: 'insight:publisher_admin' }).execute()
    await tx.updateTable('users').set({ emailVerifiedAt: at }).execute()
    await tx
      .insertInto('reportMails')
      .values({
        ...{ uid, name: '毎朝', cadence: 'daily', hour: 9, compareWith: 'previous_period', ranking: 'none' },
        activeSince: at,
      })
      .execute()
  })
  const mails: Mail[] = []
  const jobs = openJobs({ url: own.url, log: openLog('silent') })
  const clock = fixedClock('2026-11-20T15:00:00+09:00')
  const parts = {
    ...{ database: own.database, stats, clock, jobs, webOrigin: 'https://pc.example' },
    reports: { readSummary, readChangeSentence, readTopPublishers, readTopArticles },
    readHolidayCalendar: async () => ({ firstYear: 0, lastYear: 0, holidays: new Map() }),
    sendMail: async (mail: Mail) => void mails.push(mail),
  }
  await Promise.all([planReportEmails(parts), planReportEmails(parts)])
  const mark = path.join(folder, 'began')
  const script = path.join(folder, 'worker.mjs')
  fs.writeFileSync(script, SCRIPT)
  const root = path.join(import.meta.dirname, '../../../..')
  const modules = ['platform/jobs/open-jobs.ts', 'platform/log.ts', 'platform/postgres/database.ts']
  const files = [...modules, 'features/reports/report-emails/server/report-email-jobs.ts'].map(file =>
    path.join(root, file),
  )
  worker = spawn(process.execPath, [script], {
    stdio: 'inherit',
    env: { ...process.env, URL: own.url, MARK: mark, MODULES: JSON.stringify(files) },
  })
  await vi.waitFor(() => expect(fs.existsSync(mark)).toBe(true), { timeout: 60_000, interval: 100 })
  worker.kill('SIGKILL')
  await jobs.work(reportEmailHandlers(parts))
  const state = async () =>
    own.database.inScope(SYSTEM, tx => tx.selectFrom('reportMailDeliveries').select('state').execute())
  await vi.waitFor(async () => expect(await state()).toEqual([{ state: 'sent' }]), { timeout: 120_000, interval: 500 })
  await planReportEmails(parts)
  expect(mails.map(({ to }) => to)).toEqual(['admin@example.jp'])
  await jobs.close()
}, 200_000)
