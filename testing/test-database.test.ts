import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from './test-database.ts'

const first = await testDatabase()
const second = await testDatabase()
afterAll(async () => {
  await first.drop()
  await second.drop()
})

test('test databases are migrated, empty and separate', async () => {
  await first.database.inScope(SYSTEM, tx => tx.insertInto('media').values({ id: 1n, name: 'アプリ' }).execute())
  const read = (tested: typeof first) =>
    tested.database.inScope(SYSTEM, tx => tx.selectFrom('media').select(['id', 'name']).execute())
  expect(await read(first)).toEqual([{ id: 1n, name: 'アプリ' }])
  expect(await read(second)).toEqual([])
})
