import fs from 'node:fs'
import path from 'node:path'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { StatsStoreError } from '@pc/platform/stats/stats-store-error.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importBatch } from '../import-batch.ts'
import type { IngestContext } from '../ingest-context.ts'
import { redoUnfinishedImports } from './redo-unfinished-imports.ts'

const fixture = await ingestFixture()
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const articles = (article: number, impression: number) =>
  csv(
    ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click'],
    [['2026-11-01', 1, 2, article, impression, 0]],
  )
const shown = async () =>
  (await fixture.figures()).article_day!.map(row => [Number(row.article_id), Number(row.total_impression)])
const states = async () => {
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select(['batchId', 'state']).orderBy('batchNo').execute(),
  )
  return rows.map(({ batchId, state }) => `${batchId} ${state}`)
}
async function* bytes(content: string): AsyncIterable<Buffer> {
  yield Buffer.from(content)
}

/** A store whose publications fail before or after they took effect, as a full disk or a lost server would. */
function failingStore(stats: StatsStore, when: 'before' | 'after'): StatsStore {
  return {
    engine: stats.engine,
    query: (statement, options) => stats.query(statement, options),
    snapshot: work => stats.snapshot(work),
    publishedBatches: () => stats.publishedBatches(),
    damagedBatches: () => stats.damagedBatches(),
    compact: before => stats.compact(before),
    putDimension: (name, rows) => stats.putDimension(name, rows),
    close: () => stats.close(),
    async beginImport(scope) {
      const run = await stats.beginImport(scope)
      const publish = async () => {
        if (when === 'after') await run.publish()
        throw new StatsStoreError('unreachable', 'the store is gone')
      }
      return { ...run, publish }
    },
  }
}

test.each(['before', 'after'] as const)(
  'a store that fails %s a publication: the next import completes it',
  async when => {
    await fixture.take('article-daily', articles(1, 10), { batchId: 'a' })
    const failing: IngestContext = { ...fixture.context, stats: failingStore(fixture.context.stats, when) }
    const request = { dataset: 'article-daily', quarantine: false, sourceName: '', batchId: 'a' } as const
    await expect(importBatch(failing, { ...request, input: bytes(articles(1, 20)) })).rejects.toThrow(
      'the store is gone',
    )
    expect(await states()).toEqual(['a replaced', 'a applying'])
    // The sender repeats it: now it is there, once.
    const again = await fixture.take('article-daily', articles(1, 20), { batchId: 'a' })
    expect(again.kind).toBe('unchanged')
    expect(await states()).toEqual(['a replaced', 'a applied'])
    expect(await shown()).toEqual([[1, 20]])
  },
)

test('a delivery that was never acknowledged is reported as such and changes nothing', async () => {
  await fixture.context.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('ingestBatches')
      .values({ dataset: 'events', batchId: 'lost', contentSha256: 'x', state: 'received' })
      .execute(),
  )
  expect((await redoUnfinishedImports(fixture.context)).abandoned).toEqual(['lost'])
  expect(await states()).toEqual(['lost refused'])
})

test('a store that lost, kept or invented rows is brought back to the ledger', async () => {
  await fixture.take('article-daily', articles(1, 10), { batchId: 'a' })
  await fixture.take('article-daily', articles(1, 11), { batchId: 'a' })
  await fixture.take('article-daily', articles(2, 20), { batchId: 'b' })
  const before = await fixture.figures()
  expect((await redoUnfinishedImports(fixture.context)).repaired).toEqual([])

  await fixture.replaceStore()
  const [replaced] = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select('batchNo').where('state', '=', 'replaced').execute(),
  )
  for (const batchNo of [replaced!.batchNo, 999_999n]) {
    const months = [202611 as YearMonth]
    const run = await fixture.context.stats.beginImport({ batchNo, replacesBatchNos: [], months })
    await run.append('article_day', [['2026-11-01', 1n, 2n, 1n, batchNo, 7n, ...Array(8).fill(0n)]])
    await run.publish()
  }
  const report = await redoUnfinishedImports(fixture.context)
  expect(report.repaired.toSorted()).toEqual(['a', 'a', 'b'])
  expect(report.unknownBatchNos).toEqual([999_999n])
  const run = await fixture.context.stats.beginImport({
    batchNo: 999_999n,
    replacesBatchNos: [],
    months: [202611 as YearMonth],
  })
  await run.publish()
  expect(await fixture.figures()).toEqual(before)
})

const problems = async () => {
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select(['batchId', 'refusedBecause']).orderBy('batchNo').execute(),
  )
  return rows.map(({ batchId, refusedBecause }) => `${batchId} ${refusedBecause.slice(0, 20)}`)
}

test('a changed source is not taken for the one that was accepted: it is reported and noted until it is back', async () => {
  const outcome = await fixture.take('article-daily', articles(1, 10), { batchId: 'a' })
  await fixture.take('article-daily', articles(2, 20), { batchId: 'b' })
  if (outcome.kind !== 'applied') throw new Error(outcome.kind)
  const kept = path.join(fixture.dataDir, 'ingest/sources', outcome.batch.contentSha256)
  const content = fs.readFileSync(kept)
  fs.appendFileSync(kept, '2026-11-01,1,2,9,9,9\n')
  await fixture.replaceStore()
  for (let start = 0; start < 2; start += 1) {
    const { repaired, failed } = await redoUnfinishedImports(fixture.context)
    expect(repaired).toEqual(start === 0 ? ['b'] : [])
    expect(failed).toMatchObject([{ batchId: 'a', error: { message: expect.stringContaining('has changed') } }])
    expect(await shown()).toEqual([[2, 20]])
    expect(await problems()).toEqual(['a 受け取ったファイルをもう一度読めなかった', 'b '])
  }
  fs.writeFileSync(kept, content)
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ repaired: ['a'], failed: [] })
  expect(await shown()).toEqual([
    [1, 10],
    [2, 20],
  ])
  expect(await problems()).toEqual(['a ', 'b '])
})

test('a correction that cannot be completed leaves the figures that it was to replace', async () => {
  await fixture.take('article-daily', articles(1, 10), { batchId: 'a' })
  const failing: IngestContext = { ...fixture.context, stats: failingStore(fixture.context.stats, 'before') }
  const request = { dataset: 'article-daily', quarantine: false, sourceName: '', batchId: 'a' } as const
  await expect(importBatch(failing, { ...request, input: bytes(articles(1, 20)) })).rejects.toThrow('is gone')
  const [correction] = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select('contentSha256').where('state', '=', 'applying').execute(),
  )
  const kept = path.join(fixture.dataDir, 'ingest/sources', correction!.contentSha256)
  const content = fs.readFileSync(kept)
  fs.rmSync(kept)
  const report = await redoUnfinishedImports(fixture.context)
  expect(report).toMatchObject({ finished: [], repaired: [], failed: [{ batchId: 'a' }] })
  expect(await shown()).toEqual([[1, 10]])
  expect(await states()).toEqual(['a applied', 'a failed'])
  fs.writeFileSync(kept, content)
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ finished: ['a'], failed: [] })
  expect(await shown()).toEqual([[1, 20]])
  expect(await problems()).toEqual(['a ', 'a '])
})

test.each(['lost', 'changed'])(
  'a delivery whose kept file was %s is completed when the same file comes again',
  async how => {
    await fixture.take('article-daily', articles(1, 10), { batchId: 'a' })
    const failing: IngestContext = { ...fixture.context, stats: failingStore(fixture.context.stats, 'before') }
    const request = { dataset: 'article-daily', quarantine: false, sourceName: '', batchId: 'a' } as const
    await expect(importBatch(failing, { ...request, input: bytes(articles(1, 20)) })).rejects.toThrow('is gone')
    const [{ contentSha256 } = { contentSha256: '' }] = await fixture.context.database.inScope(SYSTEM, tx =>
      tx.selectFrom('ingestBatches').select('contentSha256').where('state', '=', 'applying').execute(),
    )
    const kept = path.join(fixture.dataDir, 'ingest/sources', contentSha256)
    if (how === 'lost') fs.rmSync(kept)
    else fs.appendFileSync(kept, 'x')
    expect((await redoUnfinishedImports(fixture.context)).failed).toHaveLength(1)
    expect((await fixture.take('article-daily', articles(1, 20), { batchId: 'a' })).kind).toBe('applied')
    expect(await shown()).toEqual([[1, 20]])
    expect(await states()).toEqual(['a replaced', 'a refused', 'a applied'])
    expect((await fixture.take('article-daily', articles(3, 30), { batchId: 'c' })).kind).toBe('applied')
  },
)
