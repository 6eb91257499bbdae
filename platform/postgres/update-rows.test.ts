import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from './database.ts'
import { updateRows } from './update-rows.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

test('each row gets its own values, and nothing else of the table changes', async () => {
  const id = 999_999_999_999_999n
  await own.database.inScope(SYSTEM, async tx => {
    const media = [id, 21n, 22n].map((each, place) => ({ id: each, name: `媒体${place}`, code: `code-${place}` }))
    await tx.insertInto('media').values(media).execute()
    await updateRows(
      tx,
      'media',
      ['retiredOn', 'displayOrder'],
      [
        { id, retiredOn: '2030-01-31', displayOrder: 7 },
        { id: 21n, retiredOn: null, displayOrder: 8 },
      ],
    )
    await updateRows(tx, 'media', ['name'], [])
    const rows = await tx
      .selectFrom('media')
      .select(['id', 'name', 'retiredOn', 'displayOrder'])
      .where('code', 'like', 'code-%')
      .orderBy('displayOrder')
      .execute()
    expect(rows.filter(row => row.id !== 22n)).toEqual([
      { id, name: '媒体0', retiredOn: '2030-01-31', displayOrder: 7 },
      { id: 21n, name: '媒体1', retiredOn: null, displayOrder: 8 },
    ])
    expect(rows.find(row => row.id === 22n)).toMatchObject({ name: '媒体2', retiredOn: null })
  })
})
