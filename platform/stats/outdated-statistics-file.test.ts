import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { OutdatedStatisticsFile } from './outdated-statistics-file.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'outdated-'))

async function fileWith(name: string, statement: string): Promise<string> {
  const file = path.join(folder, name)
  const db = await DuckDBInstance.create(file)
  const connection = await db.connect()
  await connection.run(statement)
  connection.closeSync()
  db.closeSync()
  return file
}

test('facts from before there was time of reading are taken over without it', async () => {
  const file = await fileWith(
    'before.duckdb',
    `create table article_day as select date '2026-01-05' as date, 1::bigint as medium_id, 2::bigint as publisher_id,
      3::bigint as article_id, 7::bigint as batch_no, 10::bigint as impression, 4::bigint as click, 3::bigint as watch,
      5::bigint as ads_revenue_micro_yen, 6::bigint as publisher_revenue_micro_yen`,
  )
  const outdated = await OutdatedStatisticsFile.open(file)
  try {
    expect(await outdated.countFacts(7n)).toBe(1n)
    const [facts] = await outdated.exportFacts(7n, folder)
    expect(facts).toMatchObject({ table: 'article_day', rows: 1n })
    const db = await DuckDBInstance.create()
    const reader = await (await db.connect()).runAndReadAll(
      `select watch, engaged_time_ms, engaged_time_watch, completion, completion_watch from '${facts!.file}'`,
    )
    expect(reader.getRows()).toEqual([[3n, 0n, 0n, 0n, 0n]])
    db.closeSync()
  } finally {
    outdated.close()
  }
})

test('facts without any other column are not', async () => {
  const file = await fileWith(
    'other.duckdb',
    'create table article_day as select 7::bigint as batch_no, 1::bigint as click',
  )
  const outdated = await OutdatedStatisticsFile.open(file)
  expect(await outdated.countFacts(7n)).toBe(0n)
  outdated.close()
})
