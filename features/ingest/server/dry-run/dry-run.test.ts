import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { csv, ingestFixture, parquet } from '@pc/testing/statistics/ingest-fixture.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DATASET_COLUMNS, DATASETS, type Dataset } from '../checking/dataset-columns.ts'
import { MAX_COUNT } from '../checking/figure-limits.ts'
import { importAnswer } from '../import-answer.ts'
import type { ImportRequest } from '../import-request.ts'
import { dryRun } from './dry-run.ts'
import { type DryRunAnswer, dryRunAnswer } from './dry-run-answer.ts'
import { datasetOf } from './recognise-dataset.ts'

const fixture = await ingestFixture({ limits: { sourceBytes: 300_000 } })
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

async function attempt(content: string | Buffer, more: Partial<ImportRequest> = {}): Promise<DryRunAnswer> {
  async function* input() {
    yield Buffer.from(content as string)
  }
  return dryRunAnswer(await dryRun(fixture.context, { input: input(), quarantine: false, sourceName: 'test', ...more }))
}

/** Everything that an import could leave: every table, every figure, every file. */
async function everything(): Promise<unknown> {
  const tables = await fixture.context.database.inScope(SYSTEM, async tx => {
    const names = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(tx)
    const rows: [string, unknown][] = []
    for (const { name } of names.rows) {
      const found = await sql`select to_jsonb(t) as row from ${sql.table(name)} t order by 1`.execute(tx)
      rows.push([name, found.rows])
    }
    return rows
  })
  const files = fs.readdirSync(path.join(fixture.dataDir, 'ingest'), { recursive: true }).sort()
  return { tables, files, figures: await fixture.figures(), batches: await fixture.context.stats.publishedBatches() }
}

const SUMMARY = ['date', 'medium_id', 'publisher_id', 'article_impression', 'article_click', 'ads_revenue_micro_yen']
const ARTICLE = ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click']
const EVENT = ['timestamp', 'type', 'medium_id', 'publisher_id', 'kind', 'article_id', 'video_id']

const anyDay = fc.constantFrom('2026-11-01', '2026-11-02', '2026-10-31', '2026-11-21', '2026/11/1')
const anyId = fc.constantFrom(1, 2, 3, 77)
const anyCount = fc.oneof(fc.nat(9), fc.constantFrom('', 'x', MAX_COUNT, -1))
const rowsOf = {
  'summary-daily': fc.tuple(anyDay, anyId, anyId, anyCount, fc.nat(9), anyCount),
  'article-daily': fc.tuple(anyDay, anyId, anyId, anyId, anyCount, fc.nat(9)),
  events: fc.tuple(
    fc.constantFrom('2026-11-01T23:59:59+09:00', '2026-11-01T15:00:00Z', 'x'),
    fc.constantFrom('impression', 'click', 'watch', 'scroll'),
    ...[anyId, anyId, fc.constantFrom('article', 'live'), fc.constantFrom('', 1), fc.constant('')],
  ),
} as const
const columnsOf = { 'summary-daily': SUMMARY, 'article-daily': ARTICLE, events: EVENT } as const
const delivery = fc.constantFrom(...(Object.keys(rowsOf) as (keyof typeof rowsOf)[])).chain(dataset =>
  fc.record({
    content: fc
      .array(rowsOf[dataset] as fc.Arbitrary<readonly unknown[]>, { maxLength: 6 })
      .map(rows => csv(columnsOf[dataset], rows)),
    dataset: fc.constant(dataset),
    quarantine: fc.boolean(),
    replaces: fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 5 }),
    batchId: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  }),
)

describe('a dry run', () => {
  test('says what the import then does, and keeps nothing', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { minLength: 1, maxLength: 4 }), async deliveries => {
        await fixture.clear()
        for (const { content, dataset, ...options } of deliveries) {
          const before = await everything()
          const said = await attempt(content, options)
          expect(await everything()).toEqual(before)
          const totals = await sums(dataset)
          const done = importAnswer(await fixture.take(dataset, content, options))
          expect(said.dataset).toBe(dataset)
          expect(said.status).toBe(done.status === 'applied' ? 'acceptable' : done.status)
          expect(said.errors).toEqual(done.errors)
          expect(said.badRows).toBe(done.badRows)
          if (said.status === 'refused') expect([said.code, said.message]).toEqual([done.code, done.message])
          if (said.status === 'unchanged') expect(said.batch).toEqual(done.batch)
          if (said.status !== 'acceptable') continue
          const { rows, firstDay, lastDay, quarantined } = done.batch!
          expect(said.summary).toMatchObject({ rows, firstDay, lastDay, badRows: quarantined })
          expect(said.replaces?.id ?? null).toBe(done.replaced)
          if (done.replaced !== null) continue
          const after = await sums(dataset)
          const said0 = Object.fromEntries(said.summary!.totals.map(({ column, total }) => [column, BigInt(total)]))
          for (const [column, total] of Object.entries(after)) expect(total - totals[column]!).toBe(said0[column])
          const byDay = said.summary!.days.reduce((sum, one) => sum + one.rows, 0)
          expect(byDay).toBe(rows - quarantined)
        }
      }),
      { numRuns: sampleOr(8, 25) },
    )
  })

  /** Visible sums of what the datasets above deliver, by the names of their columns. */
  async function sums(dataset: keyof typeof rowsOf): Promise<Record<string, bigint>> {
    const figures = await fixture.figures()
    const sum = (table: string, column: string) =>
      figures[table]!.reduce((total, row) => total + BigInt(String(row[`total_${column}`])), 0n)
    if (dataset === 'article-daily')
      return { impression: sum('article_day', 'impression'), click: sum('article_day', 'click') }
    if (dataset === 'summary-daily') {
      const names = ['article_impression', 'article_click', 'ads_revenue_micro_yen']
      return Object.fromEntries(names.map(name => [name, sum('publisher_day', name)]))
    }
    const of = (type: string) => sum('publisher_day', `article_${type}`) + sum('publisher_day', `live_${type}`)
    return { impression: of('impression'), click: of('click'), watch: of('watch') }
  }

  test('names the final months that a correction would change, and the batch that is in the way', async () => {
    await fixture.taken('summary-daily', csv(SUMMARY, [['2026-09-30', 1, 2, 5, 1, 0]]), { batchId: 'september' })
    await fixture.context.database.inScope(SYSTEM, tx =>
      sql`insert into month_closings (medium_id, month, finalized_at)
        values (1, 202609, now()), (1, 202610, now()), (2, 202610, now())`.execute(tx),
    )
    const content = csv(SUMMARY, [['2026-10-01', 1, 2, 5, 1, 0]])
    expect((await attempt(content)).finalMonths).toEqual([{ mediumId: '1', month: '2026-10' }])
    // The days that the replaced batch leaves behind count as well.
    const corrected = await attempt(content, { replaces: 'september' })
    expect(corrected.finalMonths.map(({ month }) => month)).toEqual(['2026-09', '2026-10'])
    expect(corrected.replaces).toMatchObject({ id: 'september', rows: 1 })
    const overlapping = await attempt(csv(SUMMARY, [['2026-09-30', 1, 2, 6, 1, 0]]))
    expect(overlapping).toMatchObject({ status: 'refused', code: 'ingest/overlap', otherBatchId: 'september' })
    expect(overlapping.summary).toMatchObject({ rows: 1, firstDay: '2026-09-30' })
    await fixture.context.database.inScope(SYSTEM, tx => sql`delete from month_closings`.execute(tx))
  })

  test('sums also what is refused for its sum', async () => {
    const greatest = MAX_COUNT
    const rows = Array.from({ length: 2000 }, (_, at) => ['2026-11-01', 1, 2, at + 1, greatest, 0])
    const { summary } = await attempt(csv(ARTICLE, rows))
    expect(summary!.totals[0]).toMatchObject({ column: 'impression', total: `${BigInt(greatest) * 2000n}` })
  })

  test('stops when its caller goes away', async () => {
    const stop = new AbortController()
    const stopped = attempt(csv(ARTICLE, [['2026-11-01', 1, 2, 1, 1, 0]]), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    await expect(stopped).rejects.toThrow(/abort/i)
    expect(fs.readdirSync(fixture.context.workFolder)).toEqual([])
  })
})

describe('the dataset of a file', () => {
  test('is recognised by the columns that it needs, and by no others', () => {
    for (const dataset of DATASETS) {
      const names = (all: boolean) =>
        DATASET_COLUMNS[dataset].filter(({ presence }) => all || presence === 'column').map(({ name }) => name)
      expect(datasetOf(names(false))).toBe(dataset)
      expect(datasetOf(names(true).reverse())).toBe(dataset)
    }
  })

  test('is recognised in every format', async () => {
    const content = csv(ARTICLE, [['2026-11-01', 1, 2, 1, 1, 0]])
    const lines = '{"date":"2026-11-01","medium_id":1,"publisher_id":2,"article_id":1,"impression":1,"click":0}\n'
    const forms = [content, lines, await parquet(content, 'cast(column as bigint)'), zlib.gzipSync(content)]
    for (const form of forms)
      expect(await attempt(form)).toMatchObject({ status: 'acceptable', dataset: 'article-daily' })
  })

  test.each<[string, string | Buffer, string, RegExp]>([
    ['nothing', '', 'ingest/empty', /空です/],
    ['a header alone', `${SUMMARY.join()}\r\n`, 'ingest/no-rows', /データ行がありません/],
    [
      'a misspelt column',
      csv(SUMMARY.with(3, 'imp'), []),
      'ingest/unknown-dataset',
      /summary-daily.*article_impression.*「?imp/,
    ],
    ['a doubled column', csv([...SUMMARY, 'date'], []), 'ingest/unknown-dataset', /同じ列が2回以上あります：date/],
    ['something else', 'name,age\nA,3\n', 'ingest/unknown-dataset', /いちばん近いのは/],
    ['a workbook', Buffer.from('504b0304140006000800', 'hex'), 'ingest/unknown-format', /CSV UTF-8.*CSV で保存/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'ingest/unknown-format', /CSV で保存/],
    ['UTF-16', Buffer.from(`\ufeff${csv(SUMMARY, [])}`, 'utf16le'), 'ingest/unknown-format', /UTF-16/],
    ['a bomb', zlib.gzipSync(Buffer.alloc(80_000_000, 'a')), 'ingest/too-large', /圧縮率が高すぎる/],
    ['too much', 'x'.repeat(300_001), 'ingest/too-large', /大きすぎます/],
    ['a torn file', zlib.gzipSync(csv(SUMMARY, [])).subarray(0, 20), 'ingest/damaged', /壊れている/],
  ])('%s is refused with what to do', async (_name, content, code, message) => {
    const before = await everything()
    const answer = await attempt(content)
    expect(answer).toMatchObject({ status: 'refused', code })
    expect(answer.message).toMatch(message)
    expect(await everything()).toEqual(before)
  })

  test('Excel: a byte order mark, CRLF and empty lines at the end are taken; Windows-31J says how to save it', async () => {
    const row = ['2026-11-01', 1, 2, 5, 1, 0]
    const content = `\ufeff${csv(SUMMARY, [row]).replaceAll('\n', '\r\n')}\r\n\r\n`
    expect(await attempt(content)).toMatchObject({ status: 'acceptable', summary: { rows: 1 } })
    const names = ['article_id', 'medium_id', 'medium_article_id', 'publisher_id', 'title', 'url', 'published_at']
    const article = csv(names, [[1, 1, 'a', 2, '@', 'https://news.example/1', '2026-11-01T00:00:00+09:00']])
    const [head, tail] = article.split('@') as [string, string]
    const windows = Buffer.concat([Buffer.from(head), Buffer.from('8cf68e95', 'hex'), Buffer.from(tail)])
    const answer = await attempt(windows)
    expect(answer).toMatchObject({ status: 'refused', dataset: 'articles', badRows: 1, errors: [{ line: 2 }] })
    expect(answer.errors[0]!.message).toContain('CSV UTF-8（コンマ区切り）')
  })

  test('can be corrected by the person, and is then checked as what they say', async () => {
    const dataset: Dataset = 'article-daily'
    const answer = await attempt(csv(SUMMARY, [['2026-11-01', 1, 2, 5, 1, 0]]), { dataset })
    expect(answer).toMatchObject({ status: 'refused', code: 'ingest/header', dataset })
  })
})
