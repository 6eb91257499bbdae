import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { yearMonth } from '@pc/domain/month/year-month.ts'
import { expect, test } from 'vitest'
import { generateMonth, itemNumber, publisherNumber } from './bench-facts.ts'
import { type BenchShape, benchSize } from './bench-size.ts'

const MONTH = yearMonth(2025, 12)

/** What the article-days of a small month say when they are asked. */
async function ofMonth(
  shape: BenchShape | undefined,
  select: string,
  groups = '',
): Promise<readonly (readonly unknown[])[]> {
  const size = { ...benchSize('small'), newArticlesPerDay: 20, newVideosPerDay: 1, ...(shape ? { shape } : {}) }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-facts-'))
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    await generateMonth(size, MONTH, 1n, folder)
    const file = path.join(folder, 'article_day.parquet')
    return (await connection.runAndReadAll(`select ${select} from '${file}' ${groups}`)).getRows()
  } finally {
    connection.closeSync()
    fs.rmSync(folder, { recursive: true })
  }
}

test('articles are read for two weeks in one medium, or long in all five', async () => {
  const select = 'article_id::int, count(distinct medium_id)::int, count(distinct date)::int'
  const most = (rows: readonly (readonly unknown[])[], column: number) =>
    Math.max(...rows.map(row => Number(row[column])))
  const short = await ofMonth(undefined, select, 'group by article_id')
  expect([most(short, 1), most(short, 2)]).toEqual([1, 14])
  const long = await ofMonth({ longLife: { days: 60, readEvery: 2 } }, select, 'group by article_id')
  expect([most(long, 1), most(long, 2)]).toEqual([5, 16])
})

test('one publisher may have a fifth of the articles; the numbers outside of SQL agree', async () => {
  const shape = { largestHasOneOf: 5 }
  const size = { ...benchSize('small'), shape }
  const rows = await ofMonth(shape, 'distinct article_id::int, publisher_id::int')
  for (const [article, publisher] of rows)
    expect(publisher).toBe(publisherNumber(Number(article) - itemNumber(0), size))
  const ofTheLargest = rows.filter(([, publisher]) => publisher === 1).length / rows.length
  expect(ofTheLargest).toBeGreaterThan(0.18)
  expect(ofTheLargest).toBeLessThan(0.22)
})
