import type { Day } from '@pc/domain/month/day.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, expect, test } from 'vitest'
import { replayDay } from './replay-day.ts'

const fixture = await ingestFixture()
afterAll(() => fixture.close())
const DAY = '2026-11-02' as Day

test('a day is rebuilt from the kept sources without a difference, and a difference is reported by its cell', async () => {
  const names = ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click', 'demographics']
  const cell = '[{"genderId":1,"ageId":2,"click":3}]'
  await fixture.take(
    'article-daily',
    csv(names, [
      ['2026-11-01', 1, 2, 3, 4, 5, cell],
      [DAY, 1, 2, 3, 40, 50, cell],
    ]),
  )
  await fixture.take(
    'events',
    csv(
      ['timestamp', 'type', 'medium_id', 'publisher_id', 'kind', 'video_id', 'watched_ms', 'duration_ms'],
      [[`${DAY}T00:00:00Z`, 'watch', 2, 5, 'video', 9, 9700, 10_000]],
    ),
  )
  const wrongRow = csv(names, [
    [DAY, 1, 3, 8, 1, 1, ''],
    [DAY, 1, 3, 9, -1, 1, ''],
  ])
  await fixture.take('article-daily', wrongRow, { batchId: 'later', quarantine: true })
  const report = await replayDay(fixture.context, DAY)
  expect(report).toMatchObject({ differences: 0, storedRows: 6, rebuiltRows: 6 })
  expect(report.batchIds).toHaveLength(3)

  const run = await fixture.context.stats.beginImport({ batchNo: 1n, replacesBatchNos: [], months: [202611 as never] })
  await run.append('article_day', [[DAY, 1n, 2n, 3n, 1n, 41n, 50n, ...Array(7).fill(0n)]])
  await run.publish()
  const changed = await replayDay(fixture.context, DAY)
  expect(changed.listed).toContainEqual({
    table: 'article_day',
    key: `date=${DAY} medium_id=1 publisher_id=2 article_id=3 batch_no=1`,
    column: 'impression',
    stored: '41',
    rebuilt: '40',
  })
  expect(changed.differences).toBe(2) // the impressions, and the demographics row that is gone
})
