import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase, SYSTEM } from './database.ts'
import { withClient } from './roles.ts'
import { compiled, withLiterals } from './single-reader.ts'

const tested = await testDatabase({ maxConnections: 1 })
const { database } = tested
afterAll(() => tested.drop())

const uid = '00000000-0000-7000-8000-000000000000'
const withoutParameters = (statement: RawBuilder<unknown>) => {
  const { sql: text, parameters } = compiled(statement)
  return withLiterals(text, parameters)
}
const state = sql<{ state: string }>`select concat_ws('|', current_user, current_setting('app.scope', true),
  current_setting('app.uid', true), current_setting('app.organization_id', true), current_setting('transaction_read_only')) as state`

describe('a statement that is sent alone', () => {
  test('runs in its scope and leaves nothing behind, whether it works or not', async () => {
    const tenant: Scope = { kind: 'organization', uid, organizationId: 7n }
    expect(await database.readSingleStatement(tenant, state)).toEqual([{ state: `pc_app|organization|${uid}|7|on` }])
    await expect(database.readSingleStatement(tenant, sql`select 1 / ${0}`)).rejects.toThrow('division by zero')
    const left = sql<{ user: string; scope: string | null }>`select current_user as user,
      nullif(current_setting('app.scope', true), '') as scope`
    // The next transaction of the same connection begins with the settings of its own scope.
    expect((await database.inScope(SYSTEM, tx => left.execute(tx))).rows).toEqual([{ user: 'pc_app', scope: 'all' }])
    await database.readSingleStatement(tenant, sql`select 1`)
    const plain = openDatabase({ url: tested.url, maxConnections: 1 })
    expect(await plain.readSingleStatement({ kind: 'self', uid }, state)).toEqual([{ state: `pc_app|self|${uid}||on` }])
    await plain.close()
  })

  test('sees the rows of its scope only', async () => {
    const [a, b] = await database.inScope(SYSTEM, async tx => {
      const ids: bigint[] = []
      for (const name of ['甲', '乙']) {
        const { id } = await tx.insertInto('organizations').values({ name }).returning('id').executeTakeFirstOrThrow()
        await tx.insertInto('publishers').values({ organizationId: id, name }).execute()
        ids.push(id)
      }
      return ids
    })
    const names = sql<{ organizationId: bigint }>`select organization_id from publishers order by id`
    const seen = (scope: Scope) => database.readSingleStatement(scope, names)
    expect(await seen({ kind: 'organization', uid, organizationId: b! })).toEqual([{ organizationId: b }])
    expect(await seen(SYSTEM)).toEqual([{ organizationId: a }, { organizationId: b }])
    expect(await seen({ kind: 'self', uid })).toEqual([])
  })

  test('changes nothing', async () => {
    await expect(
      database.readSingleStatement(SYSTEM, sql`insert into organizations (name) values ('x')`),
    ).rejects.toThrow('read-only transaction')
  })

  test('takes truth values, and arrays of values of which none becomes SQL', async () => {
    const ids = [1n, -(2n ** 62n)]
    const words = ["''); drop table users; --", '東京', '$1', '']
    const both = sql<{ ids: bigint[]; words: string[]; none: bigint[]; yes: boolean; no: boolean }>`select
      ${ids}::bigint[] as ids, ${words}::text[] as words, ${[]}::bigint[] as none, ${true} as yes, ${false} as no`
    expect(await database.readSingleStatement(SYSTEM, both)).toEqual([{ ids, words, none: [], yes: true, no: false }])
    expect(() => withoutParameters(sql`select ${[{}]}`)).toThrow(TypeError)
  })

  test('has the collation of the place where a text stands, so that its index can be used', async () => {
    const [row] = await database.readSingleStatement(
      SYSTEM,
      sql<{
        plain: string
        other: string
      }>`select pg_collation_for(${'word'}::text) as plain, pg_collation_for(${'東京'}::text) as other`,
    )
    expect(row).toEqual({ plain: '"default"', other: '"default"' })
  })

  test('takes any text as a value and never as SQL', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).filter(value => !value.includes('\0'))
    const nasty = fc.constantFrom(`'`, `''; drop table users; --`, `\\'`, '$1', '$$', `E'\\''`, '日本語', '😀', '')
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, nasty), fc.bigInt(-(2n ** 62n), 2n ** 62n), async (value, number) => {
        const [row] = await database.readSingleStatement<{ value: string; number: bigint }>(
          SYSTEM,
          sql`select ${value} as value, ${number}::bigint as number`,
        )
        expect(row).toEqual({ value, number })
      }),
      { numRuns: 300 },
    )
    expect(await database.readSingleStatement(SYSTEM, sql`select '$1 it''s' || ${'x'} as text`)).toEqual([
      { text: "$1 it'sx" },
    ])
    for (const value of ['a\0b', '\ud800', {}, 1.5, new Date(0), ['a', 1.5]]) {
      expect(() => withoutParameters(sql`select ${value}`)).toThrow(TypeError)
    }
  })

  test('as a reader, takes plain words where their place needs another type, and queries side by side', async () => {
    const reader = database.reader({ kind: 'self', uid })
    const users = reader.selectFrom('users').select('uid').where('uid', '=', uid)
    const months = reader.selectFrom('monthClosings').select('month').where('month', '>=', 202601)
    expect(await Promise.all([users.execute(), months.execute(), users.execute()])).toEqual([[], [], []])
    await expect(reader.deleteFrom('organizations').execute()).rejects.toThrow('read-only transaction')
    await expect(reader.transaction().execute(async () => 1)).rejects.toThrow('no transaction')
  })

  test('finds another connection when the server closed the one that it took', async () => {
    await database.readSingleStatement(SYSTEM, sql`select 1`)
    await withClient(tested.adminUrl, client =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    )
    expect(await database.readSingleStatement(SYSTEM, sql<{ one: number }>`select 1 as one`)).toEqual([{ one: 1 }])
  })
})

/** More often than a statement is asked before it is kept prepared. */
const OFTEN = 6

describe('a frequent statement', () => {
  const tenant = (organizationId: bigint): Scope => ({ kind: 'organization', uid, organizationId })
  const prepared = sql<{ statement: string }>`select statement from pg_prepared_statements`

  test('is prepared, and runs in the scope of each time', async () => {
    const requested = sql<{ state: string }>`select concat_ws('|', current_user, current_setting('app.scope', true),
      current_setting('app.organization_id', true), current_setting('transaction_read_only'), ${'x'}::text) as state`
    for (let n = 0; n < OFTEN; n += 1) {
      expect(await database.readSingleStatement(tenant(BigInt(n)), requested)).toEqual([
        { state: `pc_app|organization|${n}|on|x` },
      ])
      expect(await database.readSingleStatement(SYSTEM, requested)).toEqual([{ state: 'pc_app|all||on|x' }])
    }
    const kept = (await database.readSingleStatement(SYSTEM, prepared)).map(({ statement }) => statement)
    expect(kept.some(statement => statement.includes('concat_ws'))).toBe(true)
    expect(await tested.database.inScope({ kind: 'self', uid }, tx => state.execute(tx))).toMatchObject({
      rows: [{ state: `pc_app|self|${uid}||off` }],
    })
  })

  test('sees the rows of its scope only, also when another scope had it prepared', async () => {
    const ids: bigint[] = []
    for (const name of ['丙', '丁']) {
      const made = await database.inScope(SYSTEM, async tx => {
        const { id } = await tx.insertInto('organizations').values({ name }).returning('id').executeTakeFirstOrThrow()
        await tx.insertInto('publishers').values({ organizationId: id, name }).execute()
        return id
      })
      ids.push(made)
    }
    const named = (scope: Scope, name: string) =>
      database.reader(scope).selectFrom('publishers').select('organizationId').where('name', '=', name).execute()
    for (let n = 0; n < 2 * OFTEN; n += 1) {
      expect(await named(SYSTEM, '丙')).toEqual([{ organizationId: ids[0] }])
      expect(await named(tenant(ids[0]!), '丙')).toEqual([{ organizationId: ids[0] }])
      expect(await named(tenant(ids[1]!), '丙')).toEqual([])
      expect(await named({ kind: 'self', uid }, '丙')).toEqual([])
    }
  })

  test('fails as another does, and the next one is well', async () => {
    const divided = (by: number) =>
      database.readSingleStatement(SYSTEM, sql<{ one: number }>`select 1 / ${by}::int as one`)
    for (let n = 0; n < OFTEN; n += 1) {
      await expect(divided(0)).rejects.toThrow('division by zero')
      expect(await divided(1)).toEqual([{ one: 1 }])
    }
    const write = () => database.readSingleStatement(SYSTEM, sql`insert into organizations (name) values (${'x'})`)
    for (let n = 0; n < OFTEN; n += 1) await expect(write()).rejects.toThrow('read-only transaction')
    for (let n = 0; n < OFTEN; n += 1)
      await expect(database.readSingleStatement(SYSTEM, sql`select ${new Date(0)}::text`)).rejects.toThrow(TypeError)
  })

  test('survives that its table was changed', async () => {
    await withClient(tested.adminUrl, client =>
      client.query(
        `create table changing (a int); grant select on changing to pc_app; insert into changing values (1)`,
      ),
    )
    const all = () => database.readSingleStatement(SYSTEM, sql<{ a: unknown }>`select * from changing`)
    for (let n = 0; n < OFTEN; n += 1) expect(await all()).toEqual([{ a: 1 }])
    await withClient(tested.adminUrl, client => client.query(`alter table changing add b int default 2`))
    for (let n = 0; n < OFTEN; n += 1) expect(await all()).toEqual([{ a: 1, b: 2 }])
  })

  test('is prepared again when the server closed the connection that knew it', async () => {
    const requested = () => database.readSingleStatement(SYSTEM, sql<{ two: number }>`select ${1}::int + 1 as two`)
    for (let n = 0; n < OFTEN; n += 1) expect(await requested()).toEqual([{ two: 2 }])
    await withClient(tested.adminUrl, client =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    )
    for (let n = 0; n < OFTEN; n += 1) expect(await requested()).toEqual([{ two: 2 }])
  })

  test('in a transaction is prepared too, and fails with it alone', async () => {
    const divided = (by: number) =>
      database.inScope(SYSTEM, async tx => {
        const { rows } = await sql<{
          ten: number
          at: Date
        }>`select 10 / ${by}::int as ten, ${new Date(0)}::timestamptz as at`.execute(tx)
        return rows
      })
    for (let n = 0; n < OFTEN; n += 1) {
      expect(await divided(1)).toEqual([{ ten: 10, at: new Date(0) }])
      await expect(divided(0)).rejects.toThrow('division by zero')
    }
  })

  test('never mixes scopes on two connections at once', async () => {
    const two = openDatabase({ url: tested.url, maxConnections: 2 })
    const requested = (n: number) =>
      two.readSingleStatement(
        tenant(BigInt(n)),
        sql<{ id: string }>`select current_setting('app.organization_id') as id`,
      )
    const ids = await Promise.all(Array.from({ length: 200 }, async (_, n) => (await requested(n))[0]!.id))
    expect(ids).toEqual(Array.from({ length: 200 }, (_, n) => String(n)))
    await two.close()
  })
})
