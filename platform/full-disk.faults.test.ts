import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { day } from '@pc/domain/month/day.ts'
import { smallDisk } from '@pc/testing/faults/small-disk.ts'
import { importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { systemClock } from './clock.ts'
import { HttpError } from './http/http-error.ts'
import { openImageUploads } from './objects/image-uploads.ts'
import { openDatabase, SYSTEM } from './postgres/database.ts'
import { launchPostgres } from './postgres/launch-postgres.ts'
import { withClient } from './postgres/roles.ts'
import { readSqlRefusal } from './postgres/translate-sql-state.ts'
import { openDuckDb } from './stats/duckdb-store.ts'
import { sql as statsSql, table } from './stats/sql.ts'
import { StatsStoreError } from './stats/stats-store-error.ts'

/**
 * Security, figure 9: the disk of PostgreSQL, of the statistics store and of the uploads is full, 20 times each. What
 * was acknowledged is there afterwards, what was not says why, and with space again it goes on automatically.
 */
const CYCLES = Number(process.env.CYCLES ?? 20)
const RECOVERY_MS = 30_000
/** Opening a store of this size again takes half a second; with something that still holds the former one, until the garbage collection. */
const REOPENING_MS = 5_000
const probe = smallDisk(1)
probe?.unmount()

async function until(condition: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  while (!(await condition().catch(() => false))) {
    if (performance.now() - started > RECOVERY_MS) throw new Error(`not recovered after ${RECOVERY_MS} ms`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return performance.now() - started
}

describe.skipIf(!probe)('a full disk', () => {
  test(`of PostgreSQL, ${CYCLES} times`, async () => {
    const disk = smallDisk(256)!
    const events: string[] = []
    const server = await launchPostgres({
      folder: path.join(disk.folder, 'postgres'),
      onCrash: ({ message, willRestart }) => events.push(`${willRestart} ${message.slice(0, 200)}`),
    })
    const url = server.url('postgres', 'postgres')
    await withClient(url, async client => {
      await client.query('create role pc_app; create table kept (id bigint primary key, filling text)')
      await client.query('grant select, insert, truncate on kept to pc_app')
    })
    const database = openDatabase({ url, maxConnections: 4 })
    const acknowledged: bigint[] = []
    const refusals = new Map<string, number>()
    const recoveries: number[] = []
    let next = 0n
    const write = (bytes: number) => {
      next += 1n
      const id = next
      return database
        .inScope(SYSTEM, tx =>
          sql`insert into kept select ${id}, string_agg(md5(random()::text), '') from generate_series(1, ${Math.ceil(bytes / 32)})`.execute(
            tx,
          ),
        )
        .then(() => void acknowledged.push(id))
    }
    const lost: bigint[] = []
    try {
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        await write(100)
        disk.fill()
        let failures = 0
        for (let attempt = 0; attempt < 400 && failures < 5; attempt += 1) {
          await write(200_000).catch((error: unknown) => {
            failures += 1
            const kind = readSqlRefusal(error)?.kind ?? (error as Error).message
            refusals.set(kind, (refusals.get(kind) ?? 0) + 1)
          })
        }
        expect(failures, 'the disk was not full').toBe(5)
        // Every fifth time its log needs another file too, which ends the whole server and keeps it from starting.
        if (cycle % 5 === 1) {
          await withClient(url, client =>
            client.query(
              `select pg_logical_emit_message(true, 'x', repeat('x', 1000000)) from generate_series(1, 100)`,
            ),
          ).catch(() => {})
          await new Promise(resolve => setTimeout(resolve, 3_000))
        }
        disk.free()
        recoveries.push(await until(() => write(100).then(() => true)))
        const saved = await withClient(url, client => client.query<{ id: string }>('select id from kept'))
        const ids = new Set(saved.rows.map(row => BigInt(row.id)))
        lost.push(...acknowledged.filter(id => !ids.has(id)))
        // Only so that the small disk lasts for all cycles.
        await withClient(url, client => client.query('truncate kept; checkpoint'))
        acknowledged.length = 0
      }
    } finally {
      console.warn(
        `PostgreSQL: ${recoveries.length} cycles, ${lost.length} lost, slowest recovery ${Math.round(Math.max(...recoveries))} ms`,
        Object.fromEntries(refusals),
        [...new Set(events)],
      )
      await database.close()
      await server.stop()
      disk.unmount()
    }
    expect(lost).toEqual([])
    expect(recoveries).toHaveLength(CYCLES)
  })

  test(`of the statistics store, ${CYCLES} times`, async () => {
    const disk = smallDisk(48)!
    const settings = { file: path.join(disk.folder, 'stats.duckdb'), memoryLimit: '128MB', threads: 1 }
    let store = await openDuckDb(settings)
    const rowsOf = (cycle: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        date: day('2026-10-01'),
        medium_id: 1n,
        publisher_id: BigInt(1 + (n % 50)),
        article_id: BigInt(n * 7_919 + cycle),
        batch_no: BigInt(cycle),
        impression: BigInt((n * 7_919_333) % 1_000_003),
        click: BigInt((n * 31) % 977),
        watch: 1n,
        ads_revenue_micro_yen: BigInt((n * 104_729) % 99_999_989),
        publisher_revenue_micro_yen: BigInt(n * n),
      }))
    const total = async () => {
      const [row] = await store.query(statsSql`select count(*) as n from ${table('article_day')}`)
      return Number(row?.n)
    }
    const messages = new Set<string>()
    const recoveries: number[] = []
    let restarts = 0
    let acknowledged = 0
    try {
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const batch = BigInt(cycle)
        disk.fill()
        const failed = await importFacts(store, batch, { article_day: rowsOf(cycle, 60_000) }).catch(error => error)
        expect(failed, 'the disk was not full').toBeInstanceOf(Error)
        messages.add(
          failed instanceof StatsStoreError ? failed.message.split('\n')[0]! : `raw: ${failed.message.slice(0, 160)}`,
        )
        disk.free()
        const started = performance.now()
        // What the message says: free some space, then repeat; where the engine gave up, restart.
        await importFacts(store, batch, { article_day: rowsOf(cycle, 200) }).catch(async () => {
          restarts += 1
          await store.close()
          store = await openDuckDb(settings)
          await importFacts(store, batch, { article_day: rowsOf(cycle, 200) })
        })
        recoveries.push(performance.now() - started)
        acknowledged += 200
        expect(await total(), `after cycle ${cycle}`).toBe(acknowledged)
        expect(await store.damagedBatches()).toEqual([])
      }
    } finally {
      console.warn(
        `statistics: ${recoveries.length} cycles, ${acknowledged} rows kept, ${restarts} reopened, slowest recovery ${Math.round(Math.max(...recoveries))} ms`,
        [...messages],
      )
      await store.close()
      disk.unmount()
    }
    expect(Math.max(...recoveries)).toBeLessThan(REOPENING_MS)
    expect([...messages].filter(message => message.startsWith('raw: '))).toEqual([])
  })

  test(`of the uploads, ${CYCLES} times`, async () => {
    const disk = smallDisk(8)!
    let origin = ''
    const faults: unknown[] = []
    const server = http.createServer((request, response) => {
      void uploads.handle(request, response).catch((error: unknown) => {
        if (!(error instanceof HttpError)) faults.push(error)
        response.writeHead(error instanceof HttpError ? error.status : 500).end((error as Error).message)
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const uploads = openImageUploads({
      dataDir: disk.folder,
      webOrigin: origin,
      objectsUrl: undefined,
      clock: systemClock,
    })
    const picture = await sharp({
      create: {
        width: 400,
        height: 300,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .png()
      .toBuffer()
    const put = async () => {
      const { uploadUrl, imageUrl } = await uploads.address('png', picture.length)
      const answer = await fetch(uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'image/png' },
        body: new Uint8Array(picture),
      })
      return { status: answer.status, text: await answer.text(), uploadUrl, imageUrl }
    }
    const kept: string[] = []
    const refused = new Map<string, number>()
    let slowest = 0
    try {
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        const first = await put()
        expect(first.status).toBe(201)
        kept.push(first.imageUrl)
        disk.fill()
        const full = await put()
        refused.set(`${full.status} ${full.text.trim()}`, (refused.get(`${full.status} ${full.text.trim()}`) ?? 0) + 1)
        expect((await fetch(full.imageUrl)).status).toBe(404)
        disk.free()
        const started = performance.now()
        const again = await fetch(full.uploadUrl, {
          method: 'PUT',
          headers: { 'content-type': 'image/png' },
          body: new Uint8Array(picture),
        })
        expect(again.status, 'the same address takes the picture when there is space').toBe(201)
        slowest = Math.max(slowest, performance.now() - started)
        for (const address of kept) expect((await fetch(address)).status).toBe(200)
        fs.rmSync(path.join(disk.folder, 'objects/images', path.basename(full.imageUrl)))
        if (kept.length > 5) fs.rmSync(path.join(disk.folder, 'objects/images', path.basename(kept.shift()!)))
      }
      expect(fs.readdirSync(path.join(disk.folder, 'objects/images')).filter(name => name.endsWith('.part'))).toEqual(
        [],
      )
    } finally {
      console.warn(`uploads: ${CYCLES} cycles, slowest recovery ${Math.round(slowest)} ms`, Object.fromEntries(refused))
      server.close()
      server.closeAllConnections()
      disk.unmount()
    }
    expect([...refused.keys()].every(text => /^(503|507) /.test(text))).toBe(true)
    expect(faults).toEqual([])
  })
})
