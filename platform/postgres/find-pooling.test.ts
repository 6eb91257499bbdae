import { defineJob, handleJob } from '@pc/platform/jobs/job-kind.ts'
import { openJobs } from '@pc/platform/jobs/open-jobs.ts'
import { openLog } from '@pc/platform/log.ts'
import { POOLER, type Pooler, startPooler } from '@pc/testing/pooler.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { VersionLedger } from '../stats/version-ledger.ts'
import { SYSTEM } from './database.ts'
import { FORGETS_STATEMENTS, findPooling, MIGRATES_THROUGH_POOLER } from './find-pooling.ts'
import { type OpenPostgres, openPostgres } from './open-postgres.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

test.skipIf(process.env.TEST_POOLER)('a server that answers itself is no pooler', async () => {
  expect(await findPooling(own.url)).toBe('session')
})

describe.skipIf(POOLER === undefined)('PgBouncer in transaction mode', () => {
  let pooler: Pooler
  let direct: string
  beforeAll(async () => {
    const cluster = await sharedTestCluster()
    direct = cluster.url(new URL(own.ownerUrl.replace('@/', '@x/')).pathname.slice(1), 'pc_login')
    pooler = await startPooler(direct, POOLER!, 12)
  })
  afterAll(() => pooler?.stop())
  const open = async (problems: string[] = []) =>
    openPostgres({ dataDir: '/nowhere', databaseUrl: pooler.through(direct), onProblem: line => problems.push(line) })

  test('is known, with what it does to prepared statements, also when it has a single connection', async () => {
    const expected = pooler.keepsStatements ? 'transaction' : 'transaction, forgets statements'
    expect(await findPooling(pooler.through(direct))).toBe(expected)
    // Many processes start at once, as after an outage.
    const found = await Promise.all(Array.from({ length: 20 }, () => findPooling(pooler.through(direct))))
    expect(new Set(found)).toEqual(new Set([expected]))
    const narrow = await startPooler(direct, POOLER!, 1)
    expect(await findPooling(narrow.through(direct))).toMatch(/^transaction/)
    narrow.stop()
  })

  test('a start says in one sentence what it costs, and one that had to migrate is refused', async () => {
    const problems: string[] = []
    await (await open(problems)).close()
    expect(problems).toEqual(pooler.keepsStatements ? [] : [FORGETS_STATEMENTS])
    const cluster = await sharedTestCluster()
    const empty = pooler.through(cluster.url('postgres', 'pc_owner'))
    const start = openPostgres({ dataDir: '/nowhere', databaseUrl: empty })
    await expect(start).rejects.toThrow(MIGRATES_THROUGH_POOLER)
  })

  test('scopes and settings stay with their transaction, prepared or not, however connections change hands', async () => {
    const { database, close } = await open()
    const uid = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
    const scope = (n: number) => ({ kind: 'self', uid: uid(n) }) as const
    const seen = sql<{
      uid: string
      role: string
    }>`select current_setting('app.uid') as uid, current_user::text as role`
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const expected = [{ uid: uid(n), role: 'pc_app' }]
        expect(await database.readSingleStatement(scope(n), seen)).toEqual(expected)
        const inside = database.inScope(scope(n), async tx => [await seen.execute(tx), await seen.execute(tx)])
        for (const { rows } of await inside) expect(rows).toEqual(expected)
      }),
    )
    await close()
  })

  test('several processes take turns on its connections, also for the list of published statistics', async () => {
    const few = await startPooler(direct, POOLER!, 2)
    const url = few.through(direct)
    const processes: OpenPostgres[] = []
    // One after the other: a start holds one connection while it asks for another.
    for (const dataDir of ['/first', '/second', '/third'])
      processes.push(await openPostgres({ dataDir, databaseUrl: url, maxConnections: 2 }))
    const ledgers = processes.map(() => new VersionLedger(url, systemClock))
    const seen = sql<{ role: string }>`select current_user::text as role`
    await Promise.all(
      processes.map(async ({ database }, n) => {
        for (let turn = 0; turn < 12; turn += 1) {
          const inside = await database.inScope(SYSTEM, tx => seen.execute(tx))
          expect(inside.rows).toEqual([{ role: 'pc_app' }])
          await ledgers[n]!.read()
        }
      }),
    )
    await Promise.all([...processes, ...ledgers].map(one => one.close()))
    few.stop()
  })

  test('jobs are added, done and timed as the application, and leave no role behind', async () => {
    const { database, close } = await open()
    const jobs = openJobs({ url: pooler.through(direct), log: openLog('silent') })
    const KIND = defineJob<{ n: number }>('pooled')
    const done: number[] = []
    await jobs.work([
      handleJob(KIND, async ({ n }) => void done.push(n)),
      handleJob(defineJob('pooled-nightly', { cron: '30 3 * * *' }), async () => {}),
    ])
    await database.inScope(SYSTEM, tx => jobs.enqueueAll(tx, KIND, [{ n: 1 }, { n: 2 }, { n: 3 }]))
    await until(() => (done.length === 3 ? true : undefined))
    expect(done.toSorted()).toEqual([1, 2, 3])
    await jobs.close()
    await close()
  })
})
