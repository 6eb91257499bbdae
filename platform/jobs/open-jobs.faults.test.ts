import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLog } from '../log.ts'
import { defineJob, handleJob } from './job-kind.ts'
import { openJobs } from './open-jobs.ts'

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
