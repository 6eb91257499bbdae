import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileOnce, compileOncePerScope } from './compile-once.ts'
import { SYSTEM } from './database.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

const uid = '00000000-0000-7000-8000-000000000000'

test('each use has its own values, wherever they stand, beside those that are always the same', async () => {
  let built = 0
  const statement = compileOnce<{ a: string | null; b: bigint }, { first: string | null; oneMore: bigint }>(place => {
    built += 1
    return sql`select ${place('a')}::text as first, ${place('b')}::bigint + ${1n}::bigint as one_more, ${place('a')}::text as again`
  })
  const ask = (a: string | null, b: bigint) => own.database.readSingleStatement(SYSTEM, statement({ a, b }))
  const values = [...Array.from({ length: 6 }, (_, n) => [`値'${n}`, BigInt(n)] as const), [null, 9n] as const]
  const answers = await Promise.all(values.map(([a, b]) => ask(a, b)))
  expect(answers).toEqual(values.map(([a, b]) => [{ first: a, oneMore: b + 1n, again: a }]))
  expect(built).toBe(1)
})

test('a built query has the names of TypeScript, in a transaction as well', async () => {
  const insert = compileOnce<{ name: string }, { createdAt: Date }>((place, builder) =>
    builder
      .insertInto('organizations')
      .values({ name: place('name') })
      .returning('createdAt'),
  )
  const made = await own.database.inScope(SYSTEM, tx => tx.executeQuery(insert({ name: '保存' })))
  expect(made.rows).toEqual([{ createdAt: expect.any(Date) }])
})

test('conditions of a scope are those of its kind, with its own values', async () => {
  const [a, b] = await own.database.inScope(SYSTEM, async tx => {
    const rows = await tx
      .insertInto('organizations')
      .values([{ name: '甲' }, { name: '乙' }])
      .returning('id')
      .execute()
    return rows.map(({ id }) => id)
  })
  const names = compileOncePerScope<{ prefix: string }, { name: string }>((place, builder, scope) =>
    builder
      .selectFrom('organizations')
      .select('name')
      .where('name', '>=', place('prefix'))
      .where(scope.kind === 'organization' ? sql<boolean>`id = ${scope.organizationId}` : sql<boolean>`true`)
      .orderBy('id'),
  )
  // All rows are visible to the system: what leaves some out is the condition.
  const seen = (scope: Scope) => own.database.readSingleStatement(SYSTEM, names(scope, { prefix: '乙' }))
  const organization = (organizationId: bigint): Scope => ({ kind: 'organization', uid, organizationId })
  for (let time = 0; time < 5; time += 1) {
    expect(await seen(organization(a!))).toEqual([{ name: '甲' }])
    expect(await seen(organization(b!))).toEqual([{ name: '乙' }])
    expect(await seen(SYSTEM)).toEqual(
      [{ name: '保存' }, { name: '甲' }, { name: '乙' }].filter(({ name }) => name >= '乙'),
    )
  }
})
