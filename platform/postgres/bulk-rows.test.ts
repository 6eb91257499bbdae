import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ArrayCell, type ArrayType, binaryArray } from './binary-array.ts'
import { bulkRows, insertBulk } from './bulk-rows.ts'
import { SYSTEM } from './database.ts'
import { withClient } from './roles.ts'

let fixture: TestDatabase

beforeAll(async () => {
  fixture = await testDatabase()
})
afterAll(() => fixture?.drop())

/** The array as the server reads it, each value as its own text. */
async function readBack(type: ArrayType, cells: readonly ArrayCell[]): Promise<readonly (string | null)[]> {
  const array = sql`${binaryArray(type, cells)}::${sql.raw(type)}[]`
  const { rows } = await fixture.database.inScope(SYSTEM, tx =>
    sql<{ cell: string | null }>`select value::text as cell from unnest(${array}) with ordinality as n (value, place)
      order by place`.execute(tx),
  )
  return rows.map(row => row.cell)
}

test.each<[ArrayType, readonly ArrayCell[]]>([
  ['bigint', [0n, 1n, -1n, null, 2n ** 63n - 1n, -(2n ** 63n), 9_007_199_254_740_993n]],
  ['integer', [0, -1, null, 2 ** 31 - 1, -(2 ** 31), 202_607]],
  ['boolean', [true, false, null]],
  ['text', ['', 'NULL', null, '{"a","b\\"}', 'a,b\n\t\u001e\u0001', '東京都千代田区', '😀𠮟', 'n'.repeat(100_000)]],
  ['bigint', [null]],
  ['text', []],
])('an array of %s arrives as it was', async (type, cells) => {
  expect(await readBack(type, cells)).toEqual(cells.map(cell => (cell === null ? null : String(cell))))
})

test.each<[ArrayType, ArrayCell]>([
  ['bigint', 2n ** 63n],
  ['bigint', -(2n ** 63n) - 1n],
  ['bigint', 1],
  ['integer', 2 ** 31],
  ['integer', 0.5],
  ['integer', 1n],
  ['boolean', 'true'],
  ['text', 1n],
])('%s: %s is refused and not cut', (type, cell) => {
  expect(() => binaryArray(type, [cell])).toThrow(RangeError)
})

test('a text that PostgreSQL cannot hold is refused by the server', async () => {
  await expect(readBack('text', ['a\u0000b'])).rejects.toThrow(/invalid byte sequence/)
})

interface Row {
  readonly name: string
  readonly note: string | null
  readonly weight: bigint
  readonly day: string | null
}

test('rows of several statements, with constant and empty columns, find their parents and keep their order', async () => {
  const rows = Array.from(
    { length: 7 },
    (_, index): Row => ({
      name: `p${index % 2}`,
      note: null,
      weight: BigInt(index) - 3n,
      day: index % 3 === 0 ? null : '2026-02-28',
    }),
  )
  const parent = { column: 'parent_id', table: 'bulk_parents', by: [['name', 'text', (row: Row) => row.name]] } as const
  const sent = bulkRows<Row>(
    {
      table: 'bulk_rows',
      columns: [
        ['note', 'text', row => row.note],
        ['weight', 'bigint', row => row.weight],
        ['day', 'date', row => row.day],
        ['is_odd', 'boolean', row => row.weight % 2n !== 0n],
      ],
      parent,
      isNumbered: true,
      rowsPerStatement: 3,
    },
    rows,
  )
  expect(sent.inserts).toHaveLength(3)
  // The application may not create tables, so the owner does.
  await withClient(fixture.adminUrl, client =>
    client.query(`create table bulk_parents as select * from (values (10::bigint, 'p0'), (11, 'p1')) p (id, name);
      create table bulk_rows (id bigint generated always as identity, parent_id bigint not null, note text, weight bigint,
        day date, is_odd boolean);
      grant all on bulk_parents, bulk_rows to public`),
  )
  const kept = await fixture.database.inScope(SYSTEM, async tx => {
    const ids = await insertBulk<{ readonly id: bigint }>(tx, sent, sql`returning id`)
    expect(ids.map(row => row.id)).toEqual(rows.map((_, index) => BigInt(index + 1)))
    return (await sql`select id, parent_id, note, weight, day::text, is_odd from bulk_rows order by id`.execute(tx))
      .rows
  })
  expect(kept).toEqual(
    rows.map((row, index) => ({
      id: BigInt(index + 1),
      parentId: BigInt(10 + (index % 2)),
      note: null,
      weight: row.weight,
      day: row.day,
      isOdd: row.weight % 2n !== 0n,
    })),
  )
})
