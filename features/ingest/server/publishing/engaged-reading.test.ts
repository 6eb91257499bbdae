import type { Day } from '@pc/domain/month/day.ts'
import { sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { TableName } from '@pc/platform/stats/tables.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importBatch } from '../import-batch.ts'
import { replayDay } from './replay-day.ts'

const DAY = '2026-11-02' as Day
const OLD = ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click', 'watch']
const NEW = [...OLD, 'engaged_time_ms', 'completion']
const TABLES: readonly TableName[] = [
  ...(['article_day', 'article_month', 'publisher_article_day', 'medium_article_day'] as const),
]

async function* once(content: string): AsyncIterable<Buffer> {
  yield Buffer.from(content)
}

/** Time and completions of reading, which a delivery may leave out: what each table of every engine sums of them. */
describe.each(STATS_ENGINES)('%s', { timeout: 120_000 }, name => {
  let engine: StatsEngine
  let fixture: Awaited<ReturnType<typeof ingestFixture>>
  beforeAll(async () => {
    fixture = await ingestFixture()
    engine = await openTestStats(name)
  })
  afterAll(async () => {
    await engine?.drop()
    await fixture?.close()
  })
  const context = () => ({ ...fixture.context, stats: engine.store })
  const take = (names: readonly string[], rows: readonly (readonly unknown[])[], batchId: string) =>
    importBatch(context(), {
      ...{ dataset: 'article-daily', input: once(csv(names, rows)) },
      ...{ quarantine: false, sourceName: 'test', batchId },
    })

  /** [time, watches with a time, completions, watches with completions], the same in every table. */
  async function sums(): Promise<readonly bigint[]> {
    const read = async (of: TableName) => {
      const [row] =
        await engine.store.query(sql`select cast(coalesce(${sumInt(sql`engaged_time_ms`)}, 0) as Int64) as time_ms,
        cast(coalesce(${sumInt(sql`engaged_time_watch`)}, 0) as Int64) as time_watches,
        cast(coalesce(${sumInt(sql`completion`)}, 0) as Int64) as completions,
        cast(coalesce(${sumInt(sql`completion_watch`)}, 0) as Int64) as completion_watches from ${table(of)}`)
      return [row!.time_ms, row!.time_watches, row!.completions, row!.completion_watches] as bigint[]
    }
    const all: (readonly bigint[])[] = []
    for (const of of TABLES) all.push(await read(of))
    for (const found of all) expect(found).toEqual(all[0])
    return all[0]!
  }

  test('rows without a figure add no watches to its average; twice, corrected, replayed and without the columns again', async () => {
    const rows = [
      [DAY, 1, 2, 3, 900, 90, 80, 4_000_000, 20],
      [DAY, 1, 2, 4, 900, 90, 50, '', ''],
      [DAY, 1, 2, 5, 900, 90, 10, 0, ''],
      [DAY, 1, 2, 6, 900, 90, 7, '', 7],
    ]
    expect(await take(NEW, rows, 'reading')).not.toMatchObject({ kind: 'refused' })
    expect(await sums()).toEqual([4_000_000n, 90n, 27n, 87n])
    await take(NEW, rows, 'reading')
    expect(await sums()).toEqual([4_000_000n, 90n, 27n, 87n])
    expect(await replayDay(context(), DAY)).toMatchObject({ differences: 0, storedRows: 4 })

    await take(OLD, [['2026-11-03', 1, 2, 3, 900, 90, 80]], 'old')
    expect(await sums()).toEqual([4_000_000n, 90n, 27n, 87n])

    await take(NEW, [[DAY, 1, 2, 3, 900, 90, 80, 1_000, 1]], 'reading')
    expect(await sums()).toEqual([1_000n, 80n, 1n, 80n])

    await take(OLD, [[DAY, 1, 2, 3, 900, 90, 80]], 'reading')
    expect(await sums()).toEqual([0n, 0n, 0n, 0n])
    expect(await replayDay(context(), DAY)).toMatchObject({ differences: 0, storedRows: 1 })
  })
})
