import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrate, readMigrations, readSchemaState } from './migrate.ts'
import { ensureDatabase, LOGIN_ROLE, OWNER_ROLE, withClient } from './roles.ts'
import { launchThrowaway, type ThrowawayPostgres } from './throwaway-postgres.ts'

let server: ThrowawayPostgres
beforeAll(async () => {
  server = await launchThrowaway()
})
afterAll(() => server.stop())

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

function migrations(files: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-migrations-'))
  folders.push(folder)
  for (const [name, sql] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), sql)
  return folder
}

let databases = 0
async function emptyDatabase(): Promise<{ ownerUrl: string; loginUrl: string }> {
  databases += 1
  const name = `migrated_${databases}`
  await ensureDatabase(server.url('postgres', 'postgres'), name)
  return { ownerUrl: server.url(name, OWNER_ROLE), loginUrl: server.url(name, LOGIN_ROLE) }
}

const query = async (url: string, sql: string) => (await withClient(url, client => client.query(sql))).rows
const ledger = (url: string) => query(url, 'select name from migrations.applied_files order by name')

const protectedTable = (name: string) => `create table ${name} (id bigint primary key);
  alter table ${name} enable row level security; alter table ${name} force row level security;
  create policy all_rows on ${name} using (current_setting('app.scope', true) = 'all');\n`

test('new files are applied in order, once', async () => {
  const { ownerUrl } = await emptyDatabase()
  const folder = migrations({ '0002_b.sql': 'alter table a add column b int;', '0001_a.sql': protectedTable('a') })
  expect(await migrate({ ownerUrl, folder })).toEqual(['0001_a.sql', '0002_b.sql'])
  expect(await migrate({ ownerUrl, folder })).toEqual([])
  fs.writeFileSync(path.join(folder, '0003_c.sql'), 'insert into a values (1, 2);')
  expect(await migrate({ ownerUrl, folder })).toEqual(['0003_c.sql'])
  expect(await query(server.url(`migrated_${databases}`, 'postgres'), 'select * from a')).toEqual([{ id: '1', b: 2 }])
})

test('a file that was changed after it had been applied is refused; line ends do not count as a change', async () => {
  const { ownerUrl } = await emptyDatabase()
  const folder = migrations({ '0001_a.sql': protectedTable('a') })
  await migrate({ ownerUrl, folder })
  fs.writeFileSync(path.join(folder, '0001_a.sql'), protectedTable('a').replaceAll('\n', '\r\n'))
  expect(await migrate({ ownerUrl, folder })).toEqual([])
  fs.writeFileSync(path.join(folder, '0001_a.sql'), `${protectedTable('a')}-- changed`)
  await expect(migrate({ ownerUrl, folder })).rejects.toThrow('0001_a.sql was changed after it had been applied')
})

test('a database that is newer than the program, and a file that comes too late, are refused', async () => {
  const { ownerUrl } = await emptyDatabase()
  const folder = migrations({ '0001_a.sql': protectedTable('a'), '0003_c.sql': protectedTable('c') })
  await migrate({ ownerUrl, folder })
  fs.writeFileSync(path.join(folder, '0002_b.sql'), protectedTable('b'))
  await expect(migrate({ ownerUrl, folder })).rejects.toThrow('0002_b.sql comes before 0003_c.sql')
  fs.rmSync(path.join(folder, '0002_b.sql'))
  fs.rmSync(path.join(folder, '0003_c.sql'))
  await expect(migrate({ ownerUrl, folder })).rejects.toThrow('The database has 0003_c.sql')
})

test('wrong names and numbers used twice are refused', () => {
  expect(() => readMigrations(migrations({ '1_a.sql': '' }))).toThrow('1_a.sql: a migration is named like')
  expect(() => readMigrations(migrations({ '0001_a.sql': '', '0001_b.sql': '' }))).toThrow('have the same number')
})

test('a file that fails leaves nothing of itself, and everything before it', async () => {
  const { ownerUrl } = await emptyDatabase()
  const folder = migrations({
    '0001_a.sql': protectedTable('a'),
    '0002_b.sql': `${protectedTable('b')}select nonsense;`,
  })
  await expect(migrate({ ownerUrl, folder })).rejects.toThrow('0002_b.sql:4: column "nonsense" does not exist')
  expect(await ledger(ownerUrl)).toEqual([{ name: '0001_a.sql' }])
  expect(await query(ownerUrl, "select to_regclass('b') as b")).toEqual([{ b: null }])
})

test.each([
  ['without row-level security', 'create table open (id int);'],
  [
    'without FORCE',
    'create table open (id int); alter table open enable row level security; create policy p on open using (true);',
  ],
  [
    'without a policy',
    'create table open (id int); alter table open enable row level security; alter table open force row level security;',
  ],
])('a table %s is refused', async (_, sql) => {
  const { ownerUrl } = await emptyDatabase()
  await expect(migrate({ ownerUrl, folder: migrations({ '0001_open.sql': sql }) })).rejects.toThrow(
    'open: ENABLE and FORCE',
  )
  expect(await ledger(ownerUrl)).toEqual([])
})

test('several processes that migrate at once apply each file once', async () => {
  const { ownerUrl } = await emptyDatabase()
  const folder = migrations({
    '0001_a.sql': `${protectedTable('a')} select pg_sleep(0.1);`,
    '0002_b.sql': `${protectedTable('b')} select pg_sleep(0.1);`,
  })
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate({ ownerUrl, folder })))
  expect(applied.flat().sort()).toEqual(['0001_a.sql', '0002_b.sql'])
})

test('a migration steps out of the queue for a table, so that the running version goes on, and tries again', async () => {
  const { ownerUrl } = await emptyDatabase()
  const adminUrl = server.url(`migrated_${databases}`, 'postgres')
  const folder = migrations({ '0001_a.sql': protectedTable('a') })
  await migrate({ ownerUrl, folder })
  fs.writeFileSync(path.join(folder, '0002_b.sql'), 'alter table a add column b int;')
  await withClient(adminUrl, async report => {
    await report.query('begin; select from a')
    const migrating = migrate({ ownerUrl, folder, lockAttemptMs: 100 })
    await withClient(adminUrl, async observer => {
      const seen = async (sql: string) => (await observer.query(sql)).rows.length > 0
      const waits = "select from pg_locks where relation = 'a'::regclass and not granted"
      await expect.poll(() => seen(waits)).toBe(true)
      await expect.poll(() => seen(waits)).toBe(false)
    })
    // Nobody stands before it in the queue now: a request of the running version is answered.
    expect(await query(adminUrl, 'select count(*)::int as n from a')).toEqual([{ n: 0 }])
    await report.query('commit')
    expect(await migrating).toEqual(['0002_b.sql'])
  })
})

test('a migration that never gets its table gives up, leaves nothing, and names the file', async () => {
  const { ownerUrl } = await emptyDatabase()
  const folder = migrations({ '0001_a.sql': protectedTable('a') })
  await migrate({ ownerUrl, folder })
  fs.writeFileSync(path.join(folder, '0002_b.sql'), 'alter table a add column b int;')
  await withClient(server.url(`migrated_${databases}`, 'postgres'), async report => {
    await report.query('begin; select from a')
    const given = migrate({ ownerUrl, folder, lockAttemptMs: 50, lockTimeoutMs: 300 })
    await expect(given).rejects.toThrow('0002_b.sql: canceling statement due to lock timeout')
    await report.query('rollback')
  })
  expect(await ledger(ownerUrl)).toEqual([{ name: '0001_a.sql' }])
})

test('a file that is one index made concurrently runs beside writers, also after an attempt that broke off', async () => {
  const { ownerUrl } = await emptyDatabase()
  const adminUrl = server.url(`migrated_${databases}`, 'postgres')
  const folder = migrations({ '0001_a.sql': protectedTable('a') })
  await migrate({ ownerUrl, folder })
  await query(adminUrl, 'insert into a values (1)')
  const file = path.join(folder, '0002_found.sql')
  fs.writeFileSync(file, '-- For the list.\ncreate unique index concurrently a_found on a ((id / id));\n')
  expect(await migrate({ ownerUrl, folder })).toEqual(['0002_found.sql'])

  // What an attempt leaves that broke off: an index that no question uses, under the name that the next one wants.
  await query(adminUrl, 'delete from migrations.applied_files where name like $$0002%$$; drop index a_found')
  await query(adminUrl, 'insert into a values (2)')
  await expect(migrate({ ownerUrl, folder })).rejects.toThrow('0002_found.sql: could not create unique index')
  const valid = "select indisvalid from pg_index where indexrelid = to_regclass('a_found')"
  expect(await query(adminUrl, valid)).toEqual([{ indisvalid: false }])
  await query(adminUrl, 'delete from a where id = 2')
  const both = await Promise.all([migrate({ ownerUrl, folder }), migrate({ ownerUrl, folder })])
  expect(both.flat()).toEqual(['0002_found.sql'])
  expect(await query(adminUrl, valid)).toEqual([{ indisvalid: true }])
})

test('the login of the running system reads whether the database is current, and may not migrate it', async () => {
  const { ownerUrl, loginUrl } = await emptyDatabase()
  const folder = migrations({ '0001_a.sql': protectedTable('a') })
  expect(await readSchemaState(loginUrl, folder)).toEqual({ pending: ['0001_a.sql'], newer: [] })
  await expect(migrate({ ownerUrl: loginUrl, folder })).rejects.toMatchObject({ code: '42501' })
  await migrate({ ownerUrl, folder })
  expect(await readSchemaState(loginUrl, folder)).toEqual({ pending: [], newer: [] })
})

test('files that belong together are applied whole, or the version before finds what it left', async () => {
  const { ownerUrl } = await emptyDatabase()
  const files = {
    '0001_a.sql': protectedTable('a'),
    '0002_b.sql': 'insert into a select generate_series(1, 3); alter table a add column b int references a (id);',
    '0003_c.sql': 'update a set b = id; create table c ();',
  }
  const folder = migrations({ '0001_a.sql': files['0001_a.sql'] })
  await migrate({ ownerUrl, folder })
  const both = migrations(files)
  await expect(migrate({ ownerUrl, folder: both, isAllOrNothing: true })).rejects.toThrow(
    /^c: ENABLE .*\nNothing was changed: the version that used this database before still starts with it\.$/s,
  )
  expect(await ledger(ownerUrl)).toEqual([{ name: '0001_a.sql' }])
  expect(await migrate({ ownerUrl, folder }), 'the version before').toEqual([])
  // A reference that a file filled is checked before the next file changes its table.
  fs.writeFileSync(path.join(both, '0003_c.sql'), 'update a set b = id;')
  fs.writeFileSync(path.join(both, '0004_d.sql'), 'alter table a add column d int not null default 0;')
  fs.writeFileSync(path.join(both, '0005_e.sql'), 'create index concurrently e on a (d);')
  expect(await migrate({ ownerUrl, folder: both, isAllOrNothing: true })).toHaveLength(4)
  expect(await migrate({ ownerUrl, folder: both })).toEqual([])
})
