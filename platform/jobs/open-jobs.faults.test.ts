import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { COUNTED, COUNTED_TABLES, countedJob } from '@pc/testing/faults/counted-job.ts'
import { WarmProcess } from '@pc/testing/faults/warm-process.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLog } from '../log.ts'
import { withClient } from '../postgres/roles.ts'
import { defineJob, handleJob } from './job-kind.ts'
import { openJobs } from './open-jobs.ts'

const KILLS = Number(process.env.WORKER_KILLS ?? 20)
const SEED = Number(process.env.FAULT_SEED ?? 20_261_120)
const LONG = defineJob<{ n: number }>('long', { retryLimit: 3, retryDelaySeconds: 1 })
let own: TestDatabase
let folder: string
let worker: ChildProcess | undefined
beforeAll(async () => {
  own = await testDatabase()
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-jobs-'))
})
afterAll(async () => {
  worker?.kill('SIGKILL')
  await own?.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A worker that begins a job, says so, and never ends it. */
const SCRIPT = `
import fs from 'node:fs'
const { openJobs } = await import(process.env.JOBS)
const { defineJob, handleJob } = await import(process.env.KIND)
const { openLog } = await import(process.env.LOG)
const jobs = openJobs({ url: process.env.URL, log: openLog('silent') })
await jobs.work([handleJob(defineJob('long', { retryLimit: 3, retryDelaySeconds: 1 }), async ({ n }) => {
  fs.writeFileSync(process.env.MARK, String(n))
  await new Promise(resolve => setTimeout(resolve, 600_000))
})])
`

test('a job whose worker is killed is done by another one, and lost jobs there are none', async () => {
  const mark = path.join(folder, 'began')
  const script = path.join(folder, 'worker.mjs')
  fs.writeFileSync(script, SCRIPT)
  const at = (file: string) => path.join(import.meta.dirname, file)
  worker = spawn(process.execPath, [script], {
    stdio: 'inherit',
    env: {
      ...process.env,
      URL: own.url,
      MARK: mark,
      JOBS: at('open-jobs.ts'),
      KIND: at('job-kind.ts'),
      LOG: at('../log.ts'),
    },
  })
  const jobs = openJobs({ url: own.url, log: openLog('silent') })
  for (const n of [1, 2]) await own.database.inScope(SYSTEM, tx => jobs.enqueue(tx, LONG, { n }))
  await vi.waitFor(() => expect(fs.existsSync(mark)).toBe(true), { timeout: 30_000, interval: 100 })
  worker.kill('SIGKILL')
  const done: number[] = []
  await jobs.work([handleJob(LONG, async ({ n }) => void done.push(n))])
  await vi.waitFor(() => expect(done.toSorted()).toEqual([1, 2]), { timeout: 120_000, interval: 250 })
  await jobs.close()
}, 200_000)

test('of three workers one keeps the schedule; when it is killed, another one does the next minute, and no minute twice', async () => {
  const own = await testDatabase()
  await withClient(own.adminUrl, client =>
    client.query(
      'create table beats (pid int not null, at timestamptz not null default clock_timestamp()); grant select, insert on beats to pc_app',
    ),
  )
  const workers = new WarmProcess(path.resolve(import.meta.dirname, '../../testing/faults/beat-until-killed.ts'))
  const alive = new Map<number, ChildProcess>()
  const beats = async () => {
    const { rows } = await withClient(own.adminUrl, client =>
      client.query<{ pid: number; minute: string; second: number }>(
        `select pid, date_trunc('minute', at)::text as minute, extract(second from at)::float8 as second from beats order by at`,
      ),
    )
    return rows
  }
  try {
    for (let n = 0; n < 3; n += 1) {
      const child = workers.take([own.url])
      await new Promise(resolve => child.stdout!.once('data', resolve))
      alive.set(child.pid!, child)
    }
    const killed: number[] = []
    for (let n = 1; n <= 2; n += 1) {
      await vi.waitFor(async () => expect((await beats()).length).toBeGreaterThanOrEqual(n), {
        timeout: 150_000,
        interval: 250,
      })
      const { pid } = (await beats()).at(-1)!
      alive.get(pid)!.kill('SIGKILL')
      alive.delete(pid)
      killed.push(pid)
    }
    await vi.waitFor(async () => expect(await beats()).toHaveLength(3), { timeout: 150_000, interval: 250 })
    const all = await beats()
    console.warn(`beats at second ${all.map(({ second }) => second.toFixed(1)).join(', ')} of their minutes`)
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(3)
    expect(new Set(all.map(({ minute }) => minute)).size).toBe(3)
    expect(killed).not.toContain(all.at(-1)!.pid)
  } finally {
    for (const child of alive.values()) child.kill('SIGKILL')
    workers.end()
    await own.drop()
  }
}, 480_000)

test(
  `${KILLS} workers are killed at random moments while jobs arrive: each job that was acknowledged is done, no other is`,
  async () => {
    const random = randomFrom(SEED)
    const own = await testDatabase()
    await withClient(own.adminUrl, client => client.query(COUNTED_TABLES))
    const jobs = openJobs({ url: own.url, log: openLog('silent') })
    const workers = new WarmProcess(path.resolve(import.meta.dirname, '../../testing/faults/work-until-killed.ts'))
    const acknowledged: number[] = []
    let next = 0
    let isOn = true
    const arrive = async () => {
      while (isOn) {
        const n = ++next
        // One of ten is given up by its transaction, and must never be done.
        const isKept = n % 10 !== 0
        const adding = own.database.inScope(SYSTEM, async tx => {
          await jobs.enqueue(tx, COUNTED, { n, ms: 20 + (n % 7) * 60 })
          if (!isKept) throw new Error('given up')
        })
        await adding.then(
          () => void acknowledged.push(n),
          error => expect(error.message).toBe('given up'),
        )
        await new Promise(resolve => setTimeout(resolve, 40))
      }
    }
    const arriving = arrive()
    const alive: ChildProcess[] = []
    const begin = async () => {
      const child = workers.take([own.url])
      alive.push(child)
      let errors = ''
      child.stderr!.on('data', chunk => (errors += chunk))
      child.once('exit', (_code, signal) => expect(signal, errors).toBe('SIGKILL'))
      await new Promise(resolve => child.stdout!.once('data', resolve))
    }
    const counts = async () =>
      withClient(own.adminUrl, async client => {
        const { rows } = await client.query<{ done: number; again: number; open: number; failed: number }>(`select
          (select count(*)::int from done) as done,
          (select count(*)::int from (select n from begun group by n having count(*) > 1) as twice) as again,
          (select count(*)::int from pgboss.job where name = 'counted' and state in ('created', 'retry', 'active')) as open,
          (select count(*)::int from pgboss.job where name = 'counted' and state not in ('created', 'retry', 'active', 'completed')) as failed`)
        return rows[0]!
      })
    try {
      await Promise.all([begin(), begin()])
      for (let kill = 0; kill < KILLS; kill += 1) {
        await new Promise(resolve => setTimeout(resolve, random.below(1_500)))
        alive.splice(random.below(alive.length), 1)[0]!.kill('SIGKILL')
        await begin()
      }
      isOn = false
      await arriving
      for (const child of alive.splice(0)) child.kill('SIGKILL')
      const killedAt = performance.now()
      await jobs.work([countedJob(own.database)])
      await vi.waitFor(async () => expect(await counts()).toMatchObject({ done: acknowledged.length, open: 0 }), {
        timeout: 180_000,
        interval: 250,
      })
      const { again, failed } = await counts()
      const lastMs = Math.round(performance.now() - killedAt)
      console.warn(
        `${KILLS + 2} workers killed (seed ${SEED}): ${acknowledged.length} jobs acknowledged, all done, ${again} begun again, the last ${lastMs} ms after the last kill`,
      )
      const done = await withClient(own.adminUrl, client =>
        client.query<{ n: number }>('select n from done order by n'),
      )
      expect(done.rows.map(({ n }) => n)).toEqual(acknowledged)
      expect(failed).toBe(0)
      expect(again).toBeGreaterThan(0)
    } finally {
      isOn = false
      for (const child of alive) child.kill('SIGKILL')
      workers.end()
      await jobs.close()
      await own.drop()
    }
  },
  240_000 + KILLS * 10_000,
)
