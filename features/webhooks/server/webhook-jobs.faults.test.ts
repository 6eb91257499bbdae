import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@pc/platform/clock.ts'
import { openSafePost } from '@pc/platform/http/safe-post.ts'
import { openJobs } from '@pc/platform/jobs/open-jobs.ts'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { openKeyring } from '@pc/platform/secrets/keyring.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { queueDeliveries, webhookHandlers } from './webhook-jobs.ts'

const KEY = randomBytes(32)
const own = await testDatabase()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-webhooks-'))
let worker: ChildProcess | undefined
/** The ids that arrived. The first message is never answered. */
const arrived: (string | undefined)[] = []
const receiver = http.createServer((request, response) => {
  arrived.push(request.headers['publisher-center-id'] as string | undefined)
  request.resume()
  if (arrived.length > 1) response.writeHead(204).end()
})
await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address() as AddressInfo
afterAll(async () => {
  worker?.kill('SIGKILL')
  receiver.closeAllConnections()
  receiver.close()
  await own.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

const SCRIPT = `
const [{ openJobs }, { openLog }, { openDatabase }, { openSafePost }, { openKeyring }, { webhookHandlers }] = await Promise.all(
  JSON.parse(process.env.MODULES).map(file => import(file)),
)
const jobs = openJobs({ url: process.env.URL, log: openLog('silent') })
await jobs.work(webhookHandlers({
  database: openDatabase({ url: process.env.URL, maxConnections: 2 }),
  clock: { now: () => Date.now() },
  safePost: openSafePost({ isAllowedAddress: () => true, allowedPorts: [${port}], mayBePlain: true, totalTimeoutMs: 50_000 }),
  jobs, webOrigin: 'https://pc.example', keyring: openKeyring([Buffer.from(process.env.KEY, 'hex')]),
}))
`

test('a worker is killed before the answer: another one sends the event again, with the same id', async () => {
  await own.database.inScope(SYSTEM, async tx => {
    await tx
      .insertInto('webhooks')
      .values({
        ...{ url: `http://127.0.0.1:${port}/`, events: ['feed.failed'], secret: 's'.repeat(40) },
        createdAt: new Date(),
      })
      .execute()
    await sql`select app.note_webhook_event('feed.failed', null, true, '{"feedId":"1"}')`.execute(tx)
  })
  const jobs = openJobs({ url: own.url, log: openLog('silent') })
  const safePost = openSafePost({ isAllowedAddress: () => true, allowedPorts: [port], mayBePlain: true })
  const keyring = openKeyring([KEY])
  const parts = { database: own.database, clock: systemClock, jobs, safePost, webOrigin: 'https://pc.example', keyring }
  expect(await Promise.all([queueDeliveries(parts), queueDeliveries(parts)])).toContain(1)
  const script = path.join(folder, 'worker.mjs')
  fs.writeFileSync(script, SCRIPT)
  const root = path.join(import.meta.dirname, '../../..')
  const platform = ['jobs/open-jobs.ts', 'log.ts', 'postgres/database.ts', 'http/safe-post.ts', 'secrets/keyring.ts']
  const files = [
    ...platform.map(file => path.join(root, 'platform', file)),
    path.join(import.meta.dirname, 'webhook-jobs.ts'),
  ]
  worker = spawn(process.execPath, [script], {
    stdio: 'inherit',
    env: { ...process.env, URL: own.url, KEY: KEY.toString('hex'), MODULES: JSON.stringify(files) },
  })
  await vi.waitFor(() => expect(arrived).toHaveLength(1), { timeout: 60_000, interval: 100 })
  worker.kill('SIGKILL')
  await jobs.work(webhookHandlers(parts))
  const state = () =>
    own.database.inScope(SYSTEM, tx => tx.selectFrom('webhookDeliveries').select(['state', 'attempts']).execute())
  await vi.waitFor(async () => expect(await state()).toEqual([{ state: 'delivered', attempts: 1 }]), {
    timeout: 150_000,
    interval: 250,
  })
  expect(arrived).toHaveLength(2)
  expect(arrived[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(arrived[1]).toBe(arrived[0])
  await jobs.close()
}, 240_000)
