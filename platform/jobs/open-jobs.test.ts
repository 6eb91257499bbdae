import { setImmediate } from 'node:timers/promises'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { until } from '@pc/testing/until.ts'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLog } from '../log.ts'
import { defineJob, handleJob } from './job-kind.ts'
import { type Jobs, openJobs } from './open-jobs.ts'

const COUNT = defineJob<{ n: number }>('count', { retryLimit: 2, retryDelaySeconds: 1 })
const ALONE = defineJob<{ month: number }>('alone', { onePerKey: true })
const NIGHTLY = defineJob('nightly', { cron: '30 3 * * *' })

let own: TestDatabase
let jobs: Jobs
const done: number[] = []
let failures = 1
const finished: string[] = []
let running = 0
let release: () => void = () => {}
beforeAll(async () => {
  own = await testDatabase()
  jobs = openJobs({ url: own.url, log: openLog('silent') })
})
afterAll(async () => {
  await jobs?.close()
  await own?.drop()
})

test('the schema of the migration is the one that the library needs', async () => {
  const client = new PgBoss({ connectionString: own.adminUrl, migrate: false, schedule: false, supervise: false })
  await client.start()
  expect(await client.detectSchemaDrift()).toMatchObject({ ok: true })
  await client.stop({ graceful: false })
})

test('a job exists when its transaction commits, in every scope, and only then', async () => {
  await own.database.inScope(SYSTEM, tx => jobs.enqueue(tx, COUNT, { n: 1 }))
  const self = { kind: 'self', uid: '01900000-0000-7000-8000-000000000001' } as const
  await own.database.inScope(self, tx => jobs.enqueue(tx, COUNT, { n: 2 }))
  await own.database
    .inScope(SYSTEM, async tx => {
      await jobs.enqueue(tx, COUNT, { n: 99 })
      throw new Error('rolled back')
    })
    .catch(() => {})
  await own.database.inScope(SYSTEM, tx => jobs.enqueue(tx, COUNT, { n: 3 }, { startAfter: new Date(2100, 0, 1) }))
  const one = await own.database.inScope(SYSTEM, tx =>
    jobs.enqueue(tx, ALONE, { month: 202601 }, { singletonKey: '202601' }),
  )
  const two = await own.database.inScope(SYSTEM, tx =>
    jobs.enqueue(tx, ALONE, { month: 202601 }, { singletonKey: '202601' }),
  )
  const three = await own.database.inScope(SYSTEM, tx =>
    jobs.enqueue(tx, ALONE, { month: 202602 }, { singletonKey: '202602' }),
  )
  expect([typeof one, two, typeof three]).toEqual(['string', null, 'string'])
})

test('the worker does them, again when they fail, and the clock of Tokyo adds jobs', async () => {
  await jobs.work([
    handleJob(COUNT, async ({ n }) => {
      if (n === 2 && failures-- > 0) throw new Error('the first time it fails')
      done.push(n)
    }),
    handleJob(ALONE, async ({ month }) => {
      running += 1
      await new Promise<void>(resolve => {
        release = resolve
      })
      finished.push(String(month))
    }),
    handleJob(NIGHTLY, async () => {}),
  ])
  await vi.waitFor(() => expect(done.toSorted()).toEqual([1, 2]), { timeout: 60_000, interval: 50 })
  const client = new PgBoss({ connectionString: own.adminUrl, migrate: false, schedule: false, supervise: false })
  await client.start()
  expect((await client.getSchedules()).map(one => [one.name, one.cron, one.timezone])).toEqual([
    ['nightly', '30 3 * * *', 'Asia/Tokyo'],
  ])
  await client.stop({ graceful: false })
})

test('closing lets the running job finish', async () => {
  await until(() => running || undefined)
  let isClosed = false
  const closing = jobs.close().then(() => {
    isClosed = true
  })
  // What does not wait for the job would be closed after a few turns.
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  expect([isClosed, finished]).toEqual([false, []])
  release()
  await closing
  expect(finished).toHaveLength(1)
})
