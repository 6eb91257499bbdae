import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ImportOutcome } from './import-batch.ts'
import { redoUnfinishedImports } from './publishing/redo-unfinished-imports.ts'

const fixture = await ingestFixture()
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const ARTICLE = [
  'date',
  'medium_id',
  'publisher_id',
  'article_id',
  'impression',
  'click',
  'publisher_revenue_micro_yen',
]
const articles = (...rows: (readonly unknown[])[]) => csv(ARTICLE, rows)
const EVENT = ['timestamp', 'type', 'medium_id', 'publisher_id', 'kind', 'article_id', 'video_id']

function refusalOf(outcome: ImportOutcome) {
  if (outcome.kind !== 'refused') throw new Error(`not refused: ${outcome.kind}`)
  return outcome.refusal
}
const rowsOf = async (name: string) => (await fixture.figures())[name]!
const states = () =>
  fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select(['batchId', 'revision', 'state']).orderBy('batchNo').execute(),
  )

describe('a batch', () => {
  test('becomes visible with its figures and its roll-up', async () => {
    const outcome = await fixture.take('article-daily', articles(['2026-11-01', 1, 2, 5, 10, 3, 7_000_000]))
    expect(outcome.kind).toBe('applied')
    expect(await rowsOf('article_day')).toEqual([
      {
        date: '2026-11-01',
        medium_id: 1n,
        publisher_id: 2n,
        article_id: 5n,
        total_impression: 10n,
        total_click: 3n,
        total_watch: 0n,
        total_ads_revenue_micro_yen: 0n,
        total_publisher_revenue_micro_yen: 7_000_000n,
        ...{ total_engaged_time_ms: 0n, total_engaged_time_watch: 0n },
        ...{ total_completion: 0n, total_completion_watch: 0n },
      },
    ])
    expect((await rowsOf('article_month')).map(row => row.date)).toEqual(['2026-11-01'])
  })

  test('twice changes nothing, also packed differently', async () => {
    const content = articles(['2026-11-01', 1, 2, 5, 10, 3, 7])
    await fixture.take('article-daily', content)
    const before = await fixture.figures()
    for (const same of [content, zlib.gzipSync(content), zlib.zstdCompressSync(Buffer.from(content))]) {
      expect((await fixture.take('article-daily', same)).kind).toBe('unchanged')
    }
    expect(await fixture.figures()).toEqual(before)
    expect(await states()).toHaveLength(1)
  })

  test('that many senders deliver at once has one effect', async () => {
    const content = csv(EVENT, [['2026-11-01T00:00:00Z', 'click', 1, 2, 'article', 5, null]])
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => fixture.take('events', content)))
    expect(outcomes.filter(({ kind }) => kind === 'applied')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'unchanged')).toHaveLength(7)
    expect((await rowsOf('article_day')).map(row => row.total_click)).toEqual([1n])
  })
})

describe('a correction', () => {
  test('replaces its predecessor exactly, also over other days', async () => {
    await fixture.take('article-daily', articles(['2026-10-30', 1, 2, 5, 10, 3, 7], ['2026-10-31', 1, 2, 5, 1, 1, 1]), {
      batchId: 'daily',
    })
    const outcome = await fixture.take('article-daily', articles(['2026-11-02', 1, 2, 6, 4, 2, 9]), {
      batchId: 'daily',
    })
    expect(outcome).toMatchObject({ kind: 'applied', replaced: { batchId: 'daily', revision: 1 } })
    expect((await rowsOf('article_day')).map(row => [row.date, row.article_id])).toEqual([['2026-11-02', 6n]])
    expect((await rowsOf('article_month')).map(row => row.date)).toEqual(['2026-11-01'])
    expect((await states()).map(({ state }) => state)).toEqual(['replaced', 'applied'])
  })

  test('with wrong rows is refused, and the old figures stay', async () => {
    await fixture.take('article-daily', articles(['2026-11-01', 1, 2, 5, 10, 3, 7]), { batchId: 'daily' })
    const before = await fixture.figures()
    const refusal = refusalOf(
      await fixture.take('article-daily', articles(['2026-11-01', 1, 2, 5, 11, -3, 7]), { batchId: 'daily' }),
    )
    expect(refusal.code).toBe('ingest/bad-rows')
    expect(await fixture.figures()).toEqual(before)
    expect((await states()).map(({ state }) => state)).toEqual(['applied', 'refused'])
    expect(fs.readdirSync(path.join(fixture.dataDir, 'ingest/sources'))).toHaveLength(1)
  })

  test('of a batch named by its content takes its place; the old content is not taken again', async () => {
    const wrong = articles(['2026-11-01', 1, 2, 5, 10, 3, 7])
    const right = articles(['2026-11-01', 1, 2, 5, 20, 3, 7])
    const first = await fixture.take('article-daily', wrong)
    if (first.kind !== 'applied') throw new Error(first.kind)
    const overlap = refusalOf(await fixture.take('article-daily', right))
    expect(overlap).toMatchObject({ code: 'ingest/overlap', status: 409 })
    expect(overlap.message).toContain(first.batch.batchId)
    expect(overlap.message).toContain('2026-11-01・媒体 1・パブリッシャー 2・記事 5')
    const corrected = await fixture.take('article-daily', right, { replaces: first.batch.batchId })
    expect(corrected.kind).toBe('applied')
    expect((await rowsOf('article_day')).map(row => row.total_impression)).toEqual([20n])
    expect(refusalOf(await fixture.take('article-daily', wrong)).code).toBe('ingest/superseded')
  })

  test('of nothing is refused', async () => {
    const content = articles(['2026-11-01', 1, 2, 5, 10, 3, 7])
    expect(refusalOf(await fixture.take('article-daily', content, { replaces: 'unknown' })).code).toBe(
      'ingest/unknown-predecessor',
    )
    expect(refusalOf(await fixture.take('article-daily', content, { batchId: 'a b' })).code).toBe('ingest/batch-id')
  })
})

describe('figures are not counted twice', () => {
  test('the same key in another daily batch is refused, other keys of the day are taken', async () => {
    await fixture.take('article-daily', articles(['2026-11-01', 1, 2, 5, 10, 3, 7]), { batchId: 'a' })
    expect(
      (await fixture.take('article-daily', articles(['2026-11-01', 1, 2, 6, 1, 1, 1]), { batchId: 'b' })).kind,
    ).toBe('applied')
    const both = articles(['2026-11-01', 1, 2, 7, 1, 1, 1], ['2026-11-01', 1, 2, 6, 1, 1, 1])
    const refusal = refusalOf(await fixture.take('article-daily', both, { batchId: 'c' }))
    expect(refusal.code).toBe('ingest/overlap')
    expect(refusal.message).toContain('バッチ b ')
  })

  test('events add up; daily counts over events are refused, daily revenue is not', async () => {
    const event = (seconds: string) =>
      csv(EVENT, [[`2026-11-01T00:00:${seconds}Z`, 'impression', 1, 2, 'article', 5, null]])
    await fixture.take('events', event('01'))
    await fixture.take('events', event('02'))
    expect((await rowsOf('article_day')).map(row => row.total_impression)).toEqual([2n])
    expect(refusalOf(await fixture.take('article-daily', articles(['2026-11-01', 1, 2, 5, 9, 0, 0]))).code).toBe(
      'ingest/overlap',
    )
    expect((await fixture.take('article-daily', articles(['2026-11-01', 1, 2, 5, 0, 0, 500]))).kind).toBe('applied')
    expect((await fixture.take('events', event('03'))).kind).toBe('applied')
    const named = refusalOf(await fixture.take('events', event('03'), { batchId: 'again' }))
    expect(named.code).toBe('ingest/same-content')
  })
})

describe('quarantine', () => {
  test('sets wrong rows aside, counts them, and a rebuild leaves the same rows out', async () => {
    const content = articles(
      ['2026-11-01', 1, 2, 5, 10, 3, 7],
      ['2026-11-01', 1, 999, 5, 10, 3, 7],
      ['2026-11-01', 1, 2, 8, 'x', 3, 7],
    )
    const outcome = await fixture.take('article-daily', content, { quarantine: true })
    expect(outcome).toMatchObject({ kind: 'applied', batch: { rowsTotal: 3n, rowsQuarantined: 2n } })
    const kept = await fixture.context.database.inScope(SYSTEM, tx =>
      tx.selectFrom('ingestQuarantinedRows').select(['line', 'columnName']).orderBy('line').execute(),
    )
    expect(kept).toEqual([
      { line: 3n, columnName: 'publisher_id' },
      { line: 4n, columnName: 'impression' },
    ])
    const before = await fixture.figures()
    await fixture.replaceStore()
    await fixture.context.database.inScope(SYSTEM, async tx => {
      await tx.insertInto('organizations').values({ name: '後から' }).execute()
    })
    const report = await redoUnfinishedImports(fixture.context)
    expect(report.repaired).toHaveLength(1)
    expect(await fixture.figures()).toEqual(before)
  })
})

describe('properties', () => {
  const days = ['2026-09-30', '2026-10-01', '2026-10-02', '2026-11-01']
  const row = fc.record({
    date: fc.constantFrom(...days),
    medium: fc.constantFrom(1, 2, 9),
    publisher: fc.integer({ min: 1, max: 4 }),
    article: fc.integer({ min: 1, max: 5 }),
    impression: fc.nat(1000),
    click: fc.nat(100),
    revenue: fc.nat(10_000_000),
  })
  const distinct = fc.uniqueArray(row, {
    selector: r => `${r.date} ${r.medium} ${r.publisher} ${r.article}`,
    minLength: 1,
    maxLength: 12,
  })
  type Rows = typeof distinct extends fc.Arbitrary<infer T> ? T : never
  const content = (rows: Rows) =>
    articles(...rows.map(r => [r.date, r.medium, r.publisher, r.article, r.impression, r.click, r.revenue]))

  test('the order of files does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(distinct, fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }), async (rows, parts) => {
        const files = [0, 1, 2].map(part => rows.filter((_, at) => parts[at] === part)).filter(file => file.length > 0)
        const results: unknown[] = []
        for (const order of [files, [...files].reverse()]) {
          await fixture.clear()
          for (const file of order) expect((await fixture.take('article-daily', content(file))).kind).toBe('applied')
          results.push(await fixture.figures())
        }
        expect(results[1]).toEqual(results[0])
      }),
      { numRuns: sampleOr(3, 12) },
    )
  }, 300_000)

  test('a correction gives the figures of a fresh import of the corrected set', async () => {
    await fc.assert(
      fc.asyncProperty(distinct, distinct, async (wrong, right) => {
        fc.pre(content(wrong) !== content(right))
        await fixture.clear()
        await fixture.take('article-daily', content(wrong), { batchId: 'x' })
        await fixture.take('article-daily', content(right), { batchId: 'x' })
        const corrected = await fixture.figures()
        await fixture.clear()
        await fixture.take('article-daily', content(right))
        expect(await fixture.figures()).toEqual(corrected)
      }),
      { numRuns: sampleOr(3, 12) },
    )
  }, 300_000)
})
