import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from './database.ts'
import { isAmong, isAmongIds } from './is-among.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

test('the list is of its type before any row is looked at: no row takes it apart again', async () => {
  const filters = await own.database.inScope(SYSTEM, async tx => {
    const conditions = [isAmongIds(sql`n`, [1n, 2n]), isAmong(sql`n::text`, ['issued', 'objected'])]
    return Promise.all(
      conditions.map(async condition => {
        const { rows } = await sql<Record<string, string>>`explain select from generate_series(1::bigint, 9::bigint) n
          where ${condition}`.execute(tx)
        return rows.map(row => Object.values(row)[0]).find(line => line?.includes('Filter:'))
      }),
    )
  })
  expect(filters[0]).toContain("'{1,2}'::bigint[]")
  expect(filters[1]).toContain("'{issued,objected}'::text[]")
})

test('nothing is among nothing', async () => {
  const { rows } = await own.database.inScope(SYSTEM, tx =>
    sql`select ${isAmongIds(sql`1::bigint`, [])} as ids, ${isAmong(sql`'a'`, [])} as texts`.execute(tx),
  )
  expect(rows).toEqual([{ ids: false, texts: false }])
})
