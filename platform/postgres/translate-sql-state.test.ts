import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { SYSTEM } from './database.ts'
import { readSqlRefusal, refusalOfConstraint } from './translate-sql-state.ts'

const tested = await testDatabase()
afterAll(() => tested.drop())

const failure = (statement: string, scope = SYSTEM) =>
  tested.database
    .inScope(scope, tx => sql.raw(statement).execute(tx))
    .then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )

describe('what the database refused', () => {
  test.each([
    ["insert into media values (1, 'a'), (1, 'b')", { kind: 'unique', constraint: 'media_pkey' }],
    ["insert into users (email) values ('A@example.jp')", { kind: 'check', constraint: 'users_email_check' }],
    [
      "insert into users (email, organization_id) values ('a@example.jp', 9)",
      { kind: 'foreign-key', constraint: 'users_organization_id_fkey' },
    ],
    ['insert into users (email) values (null)', { kind: 'not-null', column: 'email' }],
    ['truncate users', { kind: 'not-permitted' }],
    ['set local statement_timeout = 10; select pg_sleep(1)', { kind: 'unavailable' }],
    ["do $$ begin raise exception using errcode = '40001'; end $$", { kind: 'retry' }],
    ["do $$ begin raise exception using errcode = '40P01'; end $$", { kind: 'retry' }],
  ])('%s', async (statement, expected) => {
    expect(readSqlRefusal(await failure(statement))).toEqual(expected)
  })

  test('everything else stays a fault', async () => {
    expect(readSqlRefusal(await failure('select nonsense'))).toBeUndefined()
    expect(readSqlRefusal(new Error('23505'))).toBeUndefined()
    expect(readSqlRefusal({ code: '23505' })).toBeUndefined()
  })
})

test('a store turns the constraints that it knows into refusals, and throws the rest again', async () => {
  const known = { users_email_check: { code: 'user/email-not-lower-case', path: ['input', 'email'] } } as const
  const expected = await failure("insert into users (email) values ('A@example.jp')")
  expect(refusalOfConstraint(expected, known)).toEqual({
    code: 'user/email-not-lower-case',
    path: ['input', 'email'],
    data: {},
  })
  const other = await failure("insert into media values (1, 'a'), (1, 'b')")
  expect(() => refusalOfConstraint(other, known)).toThrow(other as Error)
})
