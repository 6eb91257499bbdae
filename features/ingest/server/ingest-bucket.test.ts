import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { day } from '@pc/domain/month/day.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { startBucketServer } from '@pc/testing/bucket-server.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
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
