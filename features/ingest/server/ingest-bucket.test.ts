import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { day } from '@pc/domain/month/day.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { startBucketServer } from '@pc/testing/bucket-server.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importBatch } from './import-batch.ts'
import { ingestContext } from './ingest-context.ts'
import { redoUnfinishedImports } from './publishing/redo-unfinished-imports.ts'
import { replayDay } from './publishing/replay-day.ts'
import { receiveSource } from './reading/source-files.ts'
import { keepUpload, purgeUploads, readUpload } from './uploads/upload-files.ts'

const bucket = await startBucketServer()
const fixture = await ingestFixture({ objectsUrl: bucket.objectsUrl })
const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'elsewhere-'))
afterAll(async () => {
  await fixture.close()
  bucket.close()
  fs.rmSync(elsewhere, { recursive: true, force: true })
})
beforeEach(() => fixture.clear())

const DELIVERIES = Number(process.env.CUT_DELIVERIES ?? 6)
const articles = (article: number, impression: number) =>
  csv(
    ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click'],
    [['2026-11-01', 1, 2, article, impression, 0]],
  )
const states = async () => {
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select(['batchId', 'state']).orderBy('batchNo').execute(),
  )
  return rows.map(({ batchId, state }) => `${batchId} ${state}`)
}
/** Another process, which has nothing of the first one's folder. */
const otherProcess = () => {
  const dataDir = fs.mkdtempSync(path.join(elsewhere, 'data-'))
  const config = { dataDir, objectsUrl: bucket.objectsUrl, statsThreads: 1, statsMemoryLimit: '512MB' }
  return ingestContext(config, fixture.context)
}

test('a process without the folder of the first reads its deliveries from the bucket, plain and compressed', async () => {
  await fixture.taken('article-daily', articles(1, 10), { batchId: 'plain' })
  await fixture.taken('article-daily', gzipSync(articles(2, 20)), { batchId: 'packed' })
  expect(bucket.keys().filter(key => key.startsWith('ingest/sources/'))).toHaveLength(2)
  const ingest = path.join(fixture.dataDir, 'ingest')
  expect(fs.readdirSync(ingest, { recursive: true })).toEqual(['work'])
  const report = await replayDay(otherProcess(), day('2026-11-01'))
  expect(report).toMatchObject({ batchIds: ['plain', 'packed'], rebuiltRows: 2, differences: 0 })
})

test('while the bucket is away a delivery leaves no trace, and is taken when it is sent again', async () => {
  bucket.fault = () => ({ status: 503 })
  await expect(fixture.take('article-daily', articles(3, 30), { batchId: 'a' })).rejects.toMatchObject({
    name: 'ObjectStoreError',
  })
  expect(await states()).toEqual([])
  bucket.fault = undefined
  expect((await fixture.take('article-daily', articles(3, 30), { batchId: 'a' })).kind).toBe('applied')
})

test('a refused delivery is answered as one, also when the bucket does not let its file go', async () => {
  bucket.fault = method => (method === 'DELETE' ? { status: 503 } : undefined)
  const outcome = await fixture.take('article-daily', articles(3, -30), { batchId: 'a' })
  bucket.fault = undefined
  expect([outcome.kind, await states()]).toEqual(['refused', ['a refused']])
})

test('what is damaged on its way once is read again; what stays damaged is not believed, and waits', async () => {
  await fixture.taken('article-daily', articles(4, 40), { batchId: 'a' })
  const before = await fixture.figures()
  await fixture.replaceStore()
  let left = 1
  bucket.fault = method => (method === 'GET' && left-- > 0 ? 'damage' : undefined)
  // The list of uploads is a GET too: damage is of objects alone.
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ repaired: ['a'], failed: [] })
  expect(await fixture.figures()).toEqual(before)
  await fixture.replaceStore()
  bucket.fault = method => (method === 'GET' ? 'damage' : undefined)
  const { failed } = await redoUnfinishedImports(fixture.context)
  expect(failed).toMatchObject([{ error: { message: expect.stringContaining('has changed') } }])
  bucket.fault = undefined
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ repaired: ['a'], failed: [] })
  expect(await fixture.figures()).toEqual(before)
})

test('a bucket that is away while an import is brought to an end fails no batch', async () => {
  await fixture.taken('article-daily', articles(5, 50), { batchId: 'a' })
  await fixture.replaceStore()
  bucket.fault = (method, key) => (method === 'GET' && key.startsWith('ingest/sources') ? { status: 500 } : undefined)
  await expect(redoUnfinishedImports(fixture.context)).rejects.toMatchObject({ name: 'ObjectStoreError' })
  bucket.fault = undefined
  expect(await states()).toEqual(['a applied'])
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ repaired: ['a'], failed: [] })
})

test('over a line that is cut at random nothing acknowledged is lost, and nothing is there twice', async () => {
  const random = randomFrom(Number(process.env.FAULT_SEED ?? 20_261_129))
  const target = new URL(process.env.OBJECTS_TEST_URL ?? bucket.objectsUrl)
  let cuts = 0
  const proxy = net.createServer(client => {
    const upstream = net.connect(Number(target.port), target.hostname)
    // A delivery is some 150 KB, and goes both ways.
    let left = random.below(400_000)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    const pass = (from: net.Socket, to: net.Socket) => {
      from.on('data', data => {
        left -= data.length
        if (left > 0) return void to.write(data)
        cuts += 1
        end()
      })
      from.on('error', end).on('close', end)
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const cut = new URL(target)
  cut.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  const dataDir = fs.mkdtempSync(path.join(elsewhere, 'data-'))
  const config = { dataDir, statsThreads: 1, statsMemoryLimit: '512MB' }
  const context = ingestContext({ ...config, objectsUrl: cut.href }, fixture.context)
  const header = ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click']
  const rowsOf = (n: number) =>
    Array.from({ length: 5_000 }, (_, at) => ['2026-11-01', 1, 2, n * 10_000 + at + 1, n + 1, 0])
  async function* sent(text: string) {
    yield Buffer.from(text)
  }
  let repeated = 0
  for (let n = 0; n < DELIVERIES; ) {
    const request = { dataset: 'article-daily', quarantine: false, sourceName: 'cut', batchId: `cut-${n}` } as const
    try {
      const { kind } = await importBatch(context, { ...request, input: sent(csv(header, rowsOf(n))) })
      expect(['applied', 'unchanged']).toContain(kind)
      n += 1
    } catch (error) {
      expect(error).toMatchObject({ name: 'ObjectStoreError' })
      repeated += 1
    }
  }
  proxy.close()
  console.warn(`${cuts} connections cut, ${repeated} deliveries sent again`)
  expect(cuts).toBeGreaterThan(0)
  expect(await states()).toEqual(Array.from({ length: DELIVERIES }, (_, n) => `cut-${n} applied`))
  const other = ingestContext(
    { ...config, dataDir: fs.mkdtempSync(path.join(elsewhere, 'data-')), objectsUrl: target.href },
    fixture.context,
  )
  const report = await replayDay(other, day('2026-11-01'))
  expect(report).toMatchObject({ storedRows: DELIVERIES * 5_000, rebuiltRows: DELIVERIES * 5_000, differences: 0 })
})

test('what a person uploaded to one process, another one publishes; it goes after its time', async () => {
  const uid = 'person-1'
  async function* sent(text: string) {
    yield Buffer.from(text)
  }
  const { context } = fixture
  const clock = { now: () => Date.now() + ahead }
  let ahead = 0
  for (let n = 0; n < 6; n += 1) {
    const source = await receiveSource(sent(articles(n, 1)), context, context.limits)
    await keepUpload(context, uid, source)
    source.dispose()
    const other = { ...otherProcess(), clock }
    const chunks: Buffer[] = []
    for await (const chunk of (await readUpload(other, uid, source.sha256))!) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toBe(articles(n, 1))
    expect(await readUpload(other, 'person-2', source.sha256)).toBeUndefined()
  }
  const kept = () => bucket.keys().filter(key => key.startsWith('ingest/uploads/'))
  expect(kept()).toHaveLength(4)
  ahead = 2 * 3_600_000 + 60_000
  expect(await purgeUploads({ files: otherProcess().files, clock })).toBe(true)
  expect(kept()).toEqual([])
})
