import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from './database.ts'
import { inOrderOf, pageOfIds } from './page-of-ids.ts'
import { withClient } from './roles.ts'

let own: TestDatabase
const COUNT = 5_000
beforeAll(async () => {
  own = await testDatabase()
  await withClient(own.adminUrl, client =>
    client.query(
      `insert into organizations (name, kana) select (n % 7) || '組織', case when n % 2 = 0 then 'アオ' else 'アカ' end from generate_series(1, ${COUNT}) n`,
    ),
  )
})
afterAll(() => own?.drop())

const page = (search: string | undefined, direction: 'ASC' | 'DESC', offset: number, limit = 10) =>
  own.database.inScope(SYSTEM, tx =>
    pageOfIds(tx, {
      from: sql`organizations o`,
      id: sql`o.id`,
      where: [sql<boolean>`o.name <> '6組織'`],
      search: search === undefined ? undefined : { holds: sql<boolean>`o.search_text like ${search}` },
      order: sql`nullif(o.name, '3組織')`,
      hasOrderNulls: true,
      direction,
      limit,
      offset,
    }),
  )

test.each([undefined, '%アオ%', '0組織%', '%2組織アカ%', '%無い%'])(
  'searched for %s: pages join to the whole list',
  async search => {
    for (const direction of ['ASC', 'DESC'] as const) {
      const whole = await page(search, direction, 0, COUNT)
      expect(whole.total).toBe(whole.ids.length)
      const { rows } = await own.database.inScope(SYSTEM, tx =>
        sql<{ count: bigint }>`select count(*) as count from organizations o where o.name <> '6組織'
        and o.search_text like ${search ?? '%'}`.execute(tx),
      )
      expect(whole.total).toBe(Number(rows[0]?.count))
      for (const offset of [0, 7, 10, Math.max(0, whole.total - 3), whole.total, whole.total + 50]) {
        const part = await page(search, direction, offset)
        expect(part, `${direction} ${offset}`).toEqual({
          total: whole.total,
          ids: whole.ids.slice(offset, offset + 10),
        })
      }
    }
  },
)

test('rows without the value come last in both directions, equal ones by their id', async () => {
  const named = new Map(
    (
      await own.database.inScope(SYSTEM, tx =>
        sql<{ id: bigint; name: string }>`select id, name from organizations`.execute(tx),
      )
    ).rows.map(row => [row.id, row.name]),
  )
  for (const direction of ['ASC', 'DESC'] as const) {
    const { ids } = await page('%組織%', direction, 0, COUNT)
    const names = ids.map(id => named.get(id))
    expect(names.slice(0, names.indexOf('3組織'))).not.toContain('3組織')
    expect(new Set(names.slice(names.indexOf('3組織')))).toEqual(new Set(['3組織']))
    const last = ids.slice(names.indexOf('3組織'))
    expect(last).toEqual(last.toSorted((a, b) => (a < b === (direction === 'ASC') ? -1 : 1)))
  }
})

test('rows are in the order of the ids; what is gone is left out', () => {
  const rows = [{ id: 1n }, { id: 2n }, { id: 3n }]
  expect(inOrderOf([3n, 9n, 1n], rows, row => row.id)).toEqual([{ id: 3n }, { id: 1n }])
})
