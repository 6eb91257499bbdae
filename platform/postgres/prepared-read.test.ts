import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, SYSTEM } from './database.ts'
import { FrequentStatements } from './prepared-read.ts'

const often = (frequent: FrequentStatements, text: string, values: readonly unknown[] = []) =>
  Array.from({ length: 6 }, () => frequent.find(text, values)?.name !== undefined)

test('a statement is worth preparing from its fourth time on, under one name', () => {
  const frequent = new FrequentStatements()
  expect(often(frequent, 'select a from b where c = $1', [1n])).toEqual([false, false, false, true, true, true])
  const names = ['select a from b where c = $1', 'select a from b where d = $1'].map(text => {
    often(frequent, text, [1n])
    return frequent.find(text, [2n])?.name
  })
  expect(new Set(names).size).toBe(2)
  expect(frequent.find('select a from b where c = $1', ['x'])).toEqual({
    name: names[0],
    text: 'select a from b where c = $1',
    values: ['x'],
  })
})

test('not one of all columns, of many values or of large ones', () => {
  const frequent = new FrequentStatements()
  for (const text of [
    'select * from a',
    'select "a".* from a',
    'insert into a values (1) returning *',
    'select b, * from a',
  ])
    expect(often(frequent, text), text).toEqual(Array(6).fill(false))
  expect(often(frequent, 'select count(*), 2 * b from a')).toContain(true)
  const many = Array.from({ length: 13 }, (_, n) => n)
  expect(often(frequent, 'select a from b where c in (…)', many)).toEqual(Array(6).fill(false))
  const text = 'select a from b where c = any($1)'
  expect(often(frequent, text, [many])).toContain(true)
  expect(frequent.find(text, [Array.from({ length: 201 }, (_, n) => n)])).toBeUndefined()
  expect(frequent.find(text, ['x'.repeat(1_001)])).toBeUndefined()
})

test('only so many in all: the one that was not used for longest gives its place up', () => {
  const frequent = new FrequentStatements()
  for (let n = 0; n < 1_000; n += 1) {
    expect(often(frequent, `select ${n}`).at(-1), `${n}`).toBe(true)
    if (n >= 10) expect(frequent.find('select 3', []), `${n}`).toBeDefined()
  }
  const kept = Array.from({ length: 1_000 }, (_, n) => n).filter(n => frequent.find(`select ${n}`, []))
  expect(kept).toEqual([3, ...Array.from({ length: 63 }, (_, n) => 937 + n)])
})

describe('a connection', () => {
  let own: TestDatabase
  beforeAll(async () => {
    own = await testDatabase({ maxConnections: 1 })
  })
  afterAll(() => own?.drop())
  const inTransaction = <Row>(query: RawBuilder<Row>) =>
    own.database.inScope(SYSTEM, async tx => (await query.execute(tx)).rows)
  const alone = <Row>(query: RawBuilder<Row>) => own.database.readSingleStatement(SYSTEM, query)

  test('keeps no more than that either, in transactions and reads, and answers right throughout', async () => {
    const ask = async (n: number, read: typeof alone) => {
      const query = sql<{ n: number; own: number }>`select ${n}::int as n, ${sql.lit(n)}::int as own`
      for (let time = 0; time < 5; time += 1) expect(await read(query)).toEqual([{ n, own: n }])
    }
    for (let n = 0; n < 150; n += 1) await ask(n, n % 2 === 0 ? alone : inTransaction)
    for (const n of [0, 149, 1, 148, 75]) await ask(n, n % 2 === 0 ? inTransaction : alone)
    const [kept] = await inTransaction(sql<{ all: bigint; settings: bigint }>`select count(*) as all,
      count(*) filter (where name like 'settings %') as settings from pg_prepared_statements`)
    expect(Number(kept!.all - kept!.settings)).toBeGreaterThan(50)
    expect(Number(kept!.all - kept!.settings)).toBeLessThanOrEqual(64)
    expect(Number(kept!.settings)).toBeLessThanOrEqual(2)
  })
  test('keeps nothing where a pooler would forget it, not even its settings', async () => {
    const unprepared = openDatabase({ url: own.url, maxConnections: 1, keepsStatements: false })
    const kept = sql<{ all: bigint }>`select count(*) as all from pg_prepared_statements`
    for (let time = 0; time < 5; time += 1) {
      expect((await unprepared.inScope(SYSTEM, tx => kept.execute(tx))).rows).toEqual([{ all: 0n }])
      expect(await unprepared.readSingleStatement(SYSTEM, kept)).toEqual([{ all: 0n }])
    }
    await unprepared.close()
  })
})
