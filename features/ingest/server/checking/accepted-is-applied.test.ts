import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { ident, sql as statement, sumInt, table } from '@pc/platform/stats/sql.ts'
import { article, articles, VIDEO, video } from '@pc/testing/statistics/delivered-contents.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { dryRun } from '../dry-run/dry-run.ts'
import { importBatch } from '../import-batch.ts'
import type { IngestContext } from '../ingest-context.ts'
import { abandonBatch } from '../publishing/abandon-batch.ts'
import { redoUnfinishedImports } from '../publishing/redo-unfinished-imports.ts'
import { MAX_COUNT, MAX_MICRO_YEN } from './figure-limits.ts'

/** What was accepted can be published; what cannot be published stops neither other deliveries nor a start. */
const fixture = await ingestFixture({ publishers: 60 })
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const HEADER = ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click', 'ads_revenue_micro_yen']
type Day = readonly [day: string, publisher: number, articles: number, impression: number, microYen?: number]
let nextArticle = 1
const daily = (...days: readonly Day[]) =>
  csv(
    HEADER,
    days.flatMap(([day, publisher, count, impression, microYen = 0]) =>
      Array.from({ length: count }, () => [day, 1, publisher, nextArticle++, impression, 0, microYen]),
    ),
  )
const states = async () => {
  const { rows } = await fixture.context.database.inScope(SYSTEM, tx =>
    sql<{ batchId: string; state: string }>`select batch_id, state from ingest_batches order by batch_no`.execute(tx),
  )
  return rows.map(({ batchId, state }) => `${batchId.slice(0, 8)} ${state}`)
}
const impressions = async () => {
  const [row] = await fixture.context.stats.query(
    statement`select coalesce(${sumInt(ident('impression'))}, 0) as total from ${table('medium_article_day')}`,
  )
  return row!.total
}
const refused = { kind: 'refused', refusal: { code: 'ingest/too-great' } }
/** A delivery of somebody else, and a start. */
async function lifeGoesOn(): Promise<void> {
  expect(await fixture.take('summary-daily', csv(SUMMARY, [['2026-11-19', 9, 20, 1, 1]]))).toMatchObject({
    kind: 'applied',
  })
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ failed: [], repaired: [] })
}
const SUMMARY = ['date', 'medium_id', 'publisher_id', 'article_impression', 'article_click']

test('rows of what JavaScript holds at most, or of moments, are wrong', async () => {
  for (const value of [Number.MAX_SAFE_INTEGER, Date.parse('2026-11-01'), MAX_COUNT + 1]) {
    const outcome = await fixture.take('article-daily', daily(['2026-11-01', 1, 2, value]))
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'ingest/bad-rows', badRows: 2 } })
    if (outcome.kind !== 'refused') throw new Error(outcome.kind)
    expect(outcome.refusal.rowErrors[0]?.message).toContain('0 から 1000000000000 までの整数')
  }
  await lifeGoesOn()
})

test('a day that adds up to too much is refused with its publisher, before anything is kept', async () => {
  const content = daily(['2026-11-01', 1, 1, 5], ['2026-11-02', 2, 1100, MAX_COUNT])
  const answer = await fixture.take('article-daily', content)
  expect(answer).toMatchObject(refused)
  expect(answer).toMatchObject({
    refusal: {
      message: expect.stringMatching(
        /^2026-11-02・媒体 1・パブリッシャー 2 の impression（表示回数）.*1,100,000,000,000,000 /,
      ),
    },
  })
  await fixture.taken('article-daily', daily(['2026-11-01', 1, 1, MAX_COUNT - 1]), { batchId: 'a' })
  // Two harmless ones of one day, and a correction that makes room for the second.
  const second = daily(['2026-11-01', 1, 1, 2])
  expect(await fixture.take('article-daily', second, { batchId: 'b' })).toMatchObject(refused)
  await fixture.taken('article-daily', daily(['2026-11-01', 1, 1, MAX_COUNT - 2]), { batchId: 'a' })
  await fixture.taken('article-daily', second, { batchId: 'b' })
  expect(await impressions()).toBe(BigInt(MAX_COUNT))
  await lifeGoesOn()
})

test('everything together stays below what a number holds, in micro-yen below 64 bits; a dry run says the same', async () => {
  const days = (from: number, publishers: number, microYen = 0) =>
    daily(
      ...Array.from({ length: publishers * 20 }, (_, at): Day => {
        return [
          `2026-${String(from)}-${String((at % 20) + 1).padStart(2, '0')}`,
          1 + Math.floor(at / 20),
          1,
          MAX_COUNT,
          microYen,
        ]
      }),
    )
  await fixture.taken('article-daily', days(10, 20, MAX_MICRO_YEN), { batchId: 'october' })
  const more = days(11, 10)
  const request = { dataset: 'article-daily', quarantine: false, sourceName: '', batchId: 'november' } as const
  const said = await dryRun(fixture.context, { ...request, input: bytes(more) })
  expect(said.verdict).toMatchObject(refused)
  expect(await fixture.take('article-daily', more, { batchId: 'november' })).toMatchObject(refused)
  await fixture.taken('article-daily', days(11, 5), { batchId: 'november' })
  expect(await impressions()).toBe(BigInt(MAX_COUNT) * 500n)
  // At the limit of great ones: the same is taken again, less is taken, more is not; ordinary ones of others are.
  expect(await fixture.take('article-daily', daily(['2026-11-20', 60, 1, 10 ** 10 + 1]))).toMatchObject({
    ...refused,
    refusal: { message: expect.stringMatching(/累計で最も大きいのは取り込み \d+ です/) },
  })
  await fixture.taken('article-daily', daily(['2026-11-20', 60, 1, 10 ** 10]))
  await fixture.taken('article-daily', days(11, 4), { batchId: 'november' })
  await lifeGoesOn()
})

test('at once: the sum of both counts', async () => {
  const outcomes = await Promise.all(
    [1, 2, 3].map(at =>
      fixture.take('article-daily', daily(['2026-11-01', 1, 1, 0.4 * MAX_COUNT]), { batchId: `${at}` }),
    ),
  )
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['applied', 'applied', 'refused'])
})

async function* bytes(content: string): AsyncIterable<Buffer> {
  yield Buffer.from(content)
}

test('what the store cannot take fails with a reason, and what it was to replace stays', async () => {
  await fixture.taken('article-daily', daily(['2026-11-01', 1, 1, 10]), { batchId: 'a' })
  const reported: unknown[] = []
  const cannot: IngestContext = {
    ...fixture.context,
    reportFailure: error => reported.push(error),
    stats: new Proxy(fixture.context.stats, {
      get(stats, name) {
        if (name !== 'beginImport') {
          const value = Reflect.get(stats, name) as unknown
          return typeof value === 'function' ? value.bind(stats) : value
        }
        return async (scope: Parameters<typeof stats.beginImport>[0]) => ({
          ...(await stats.beginImport(scope)),
          publish: () => Promise.reject(new Error('Conversion Error')),
        })
      },
    }),
  }
  const request = { dataset: 'article-daily', quarantine: false, sourceName: '', batchId: 'a' } as const
  const correction = daily(['2026-11-01', 1, 1, 20])
  const outcome = await importBatch(cannot, { ...request, input: bytes(correction) })
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'ingest/not-publishable' } })
  expect(reported).toHaveLength(1)
  expect(await states()).toEqual(['a applied', 'a failed'])
  expect(await impressions()).toBe(10n)
  // Others go on, also where this one still cannot be published; a start does too.
  await fixture.taken('article-daily', daily(['2026-11-01', 2, 1, 5]), { batchId: 'b' })
  expect(await redoUnfinishedImports(cannot)).toMatchObject({ failed: [{ batchId: 'a' }], repaired: [] })
  expect(await states()).toEqual(['a applied', 'a failed', 'b applied'])
  // It is given up once, with a line in the log of changes.
  expect(await abandonBatch(fixture.context, 'a')).toMatchObject({ isDone: true })
  expect(await abandonBatch(fixture.context, 'a')).toMatchObject({ isDone: false })
  expect(await states()).toEqual(['a applied', 'a refused', 'b applied'])
  await lifeGoesOn()
  // Delivered again after a failure, it takes the place of the failed one; a start that can publish it does so.
  await importBatch(cannot, { ...request, input: bytes(daily(['2026-11-01', 1, 1, 21])) })
  await fixture.taken('article-daily', daily(['2026-11-01', 1, 1, 22]), { batchId: 'a' })
  expect((await states()).filter(line => line.startsWith('a '))).toEqual([
    'a replaced',
    'a refused',
    'a refused',
    'a applied',
  ])
  await importBatch(cannot, { ...request, input: bytes(daily(['2026-11-01', 1, 1, 23])) })
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ finished: ['a'], failed: [] })
  expect(await impressions()).toBe(28n)
})

test('one that hangs in `applying` is abandoned: the store shows what it was to replace', async () => {
  await fixture.taken('article-daily', daily(['2026-11-01', 1, 1, 10]), { batchId: 'a' })
  await fixture.taken('article-daily', daily(['2026-11-01', 1, 1, 20]), { batchId: 'a' })
  // Its rows are in the store, and the ledger was not told.
  await fixture.context.database.inScope(SYSTEM, tx =>
    sql`update ingest_batches set state = 'applying' where state = 'applied'`.execute(tx),
  )
  expect(await abandonBatch(fixture.context, 'a')).toMatchObject({ isDone: true })
  expect(await states()).toEqual(['a applied', 'a refused'])
  expect(await impressions()).toBe(10n)
  await lifeGoesOn()
})

test('a delivery that needs more memory than there is to check it is refused: its sender splits the file', async () => {
  const little: IngestContext = { ...fixture.context, engine: { threads: 1, memoryLimit: '12MB' } }
  const cells = JSON.stringify(
    Array.from({ length: 27 }, (_, at) => ({ genderId: at % 3, ageId: Math.floor(at / 3), click: 1 })),
  )
  const content = csv(
    [...HEADER, 'demographics'],
    Array.from({ length: 8_000 }, (_, at) => ['2026-11-01', 1, 1, at + 1, 1, 0, 0, cells]),
  )
  const request = { dataset: 'article-daily', quarantine: false, sourceName: '', input: bytes(content) } as const
  const outcome = await importBatch(little, request)
  expect(outcome).toMatchObject({
    kind: 'refused',
    refusal: { code: 'ingest/too-large', message: expect.stringContaining('行数を分けて') },
  })
  expect((await states()).map(line => line.split(' ')[1])).toEqual(['refused'])
  await lifeGoesOn()
  // The same on a machine with more.
  expect(await importBatch(fixture.context, { ...request, input: bytes(content) })).toMatchObject({ kind: 'applied' })
})

test('1,000 articles with 50 new tags each are applied, and everything goes on', { timeout: 120_000 }, async () => {
  const rows = Array.from({ length: 1000 }, (_, id) =>
    article(id + 1, `記事${id}`, {
      tags: JSON.stringify(Array.from({ length: 50 }, (_, tag) => `タグ ${id} ${tag} ${'長'.repeat(20)}`)),
    }),
  )
  await fixture.taken('articles', articles(...rows))
  const [row] = await fixture.context.stats.query(
    statement`select count(*) as labels from ${table('article_label')} where kind_no = 3`,
  )
  expect(row!.labels).toBe(50_000n)
  await lifeGoesOn()
})

test('the longest videos, into a table that PostgreSQL thinks short, are applied', { timeout: 300_000 }, async () => {
  const publisherIds = await fixture.context.database.inScope(SYSTEM, async tx => {
    const rows = Array.from({ length: 12 }, (_, at) => ({ organizationId: 1n, name: `動画の多いパブリッシャー${at}` }))
    const made = await tx.insertInto('publishers').values(rows).returning('id').execute()
    return made.map(({ id }) => id)
  })
  const delivery = (from: number, length: number) =>
    csv(
      VIDEO,
      Array.from({ length }, (_, at) => {
        const row: unknown[] = video(from + at, '長'.repeat(500))
        row[2] = publisherIds[at % publisherIds.length]
        row[4] = `https://v.example/${from + at}/`.padEnd(2_000, 'a')
        return row
      }),
    )
  await fixture.taken('videos', delivery(1, 80))
  // As its automatic analysis does when it comes between two deliveries.
  await withClient(fixture.adminUrl, client => client.query('analyze public.videos'))
  for (const from of [81, 4_081])
    expect(await fixture.take('videos', delivery(from, 4_000))).toMatchObject({ kind: 'applied' })
  await lifeGoesOn()
})
