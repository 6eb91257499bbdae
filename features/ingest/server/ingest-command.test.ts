import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { makeTwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'

/** `npm run ingest -- abandon` as the operator types it, while no server runs. */
const tested = await testDatabase()
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'ingest-command-'))
afterAll(async () => {
  await tested.drop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

function ingest(...words: readonly string[]): Promise<{ code: number | null; said: string }> {
  const command = path.join(import.meta.dirname, '../../../apps/server/commands/ingest.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', command, ...words], {
    env: { PATH: process.env.PATH, DATABASE_URL: tested.url, DATA_DIR: dataDir, STATS_MEMORY_LIMIT: '128MB' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  return new Promise(resolve => child.on('close', code => resolve({ code, said })))
}

test('gives up what cannot be completed, and says so', { timeout: 120_000 }, async () => {
  const { a } = await makeTwoOrganizations(tested.database)
  const file = path.join(dataDir, 'day.csv')
  const head = 'date,medium_id,publisher_id,article_impression,article_click'
  fs.writeFileSync(file, `${head}\n2026-11-01,1,${a.publisherIds[0]},5,1\n`)
  expect(await ingest('summary-daily', file, '--batch-id', 'stuck')).toMatchObject({ code: 0 })
  const applied = await ingest('abandon', 'stuck')
  expect(applied).toMatchObject({ code: 3, said: expect.stringContaining('中止できる取り込み stuck はありません。') })
  // Its process ended half way, and what it had kept is gone: nothing can bring it to an end.
  await tested.database.inScope(SYSTEM, tx => sql`update ingest_batches set state = 'applying'`.execute(tx))
  fs.rmSync(path.join(dataDir, 'ingest/sources'), { recursive: true })
  expect(await ingest('abandon')).toMatchObject({ code: 2, said: expect.stringContaining('1つ指定してください') })
  expect(await ingest('abandon', 'stuck')).toMatchObject({ code: 0, said: expect.stringContaining('を中止しました。') })
  const { rows } = await tested.database.inScope(SYSTEM, tx =>
    sql`select state, is_unsettled as unsettled from ingest_batches`.execute(tx),
  )
  expect(rows).toEqual([{ state: 'refused', unsettled: false }])
})
