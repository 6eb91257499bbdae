import { afterAll, beforeAll, expect, test } from 'vitest'
import { dumpSchema } from './dump-schema.ts'
import { ensureDatabase, OWNER_ROLE, withClient } from './roles.ts'
import { launchThrowaway, makeMigratedDatabase, type ThrowawayPostgres } from './throwaway-postgres.ts'

let server: ThrowawayPostgres
beforeAll(async () => {
  server = await launchThrowaway()
})
afterAll(() => server.stop())

test('the dump is complete: executed, it makes the same schema again', async () => {
  const migrated = await makeMigratedDatabase(server, 'migrated')
  const dump = await dumpSchema(migrated)
  await ensureDatabase(server.url('postgres', 'postgres'), 'restored')
  const restored = server.url('restored', OWNER_ROLE)
  await withClient(restored, client => client.query(dump))
  expect(await dumpSchema(restored)).toBe(dump)
})

test('the dump shows every kind of change, and refuses what it cannot show', async () => {
  const url = await makeMigratedDatabase(server, 'changing')
  let last = await dumpSchema(url)
  const changes = [
    `alter table users add column nickname text collate "C" default 'x'`,
    'alter table users alter column nickname set not null',
    `alter table users add constraint named check (nickname <> '')`,
    'create index users_nickname on users (lower(nickname)) where enabled',
    `create view people with (security_invoker = true) as select uid from users`,
    'revoke select on people from pc_app',
    'grant update (nickname) on users to pc_app',
    'create sequence numbers',
    'create policy extra on users as restrictive for update to pc_app using (enabled) with check (nickname is not null)',
    `create function app.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    'create trigger refuse before delete on users for each row execute function app.refuse()',
    'alter table users no force row level security',
    'revoke delete on users from pc_app',
    `comment on column users.nickname is '呼び名'`,
    `comment on table users is '人'`,
    'alter default privileges in schema public revoke delete on tables from pc_app',
    'drop policy extra on users',
  ]
  for (const change of changes) {
    await withClient(url, client => client.query(change))
    const next = await dumpSchema(url)
    expect(next, change).not.toBe(last)
    last = next
  }
  await withClient(url, client => client.query("create type mood as enum ('happy')"))
  await expect(dumpSchema(url)).rejects.toThrow('db/schema.sql cannot show: type public.mood')
})
