import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from './database.ts'
import { launchPostgres } from './launch-postgres.ts'
import { migrate } from './migrate.ts'
import { DATABASE_NAME, openPostgres } from './open-postgres.ts'
import { LOGIN_ROLE, OPERATOR_SQL, OWNER_ROLE, withClient } from './roles.ts'
import { launchThrowaway, type ThrowawayPostgres } from './throwaway-postgres.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-open-'))
let server: ThrowawayPostgres
beforeAll(async () => {
  server = await launchThrowaway()
})
afterAll(async () => {
  await server.stop()
  fs.rmSync(root, { recursive: true, force: true })
})

const admin = (sql: string) => withClient(server.url('postgres', 'postgres'), client => client.query(sql))

test('embedded: a first start is migrated and empty; rows are there after a restart', async () => {
  const options = { dataDir: path.join(root, 'data'), databaseUrl: undefined }
  const first = await openPostgres(options)
  await first.database.inScope(SYSTEM, tx => tx.insertInto('media').values({ id: 1n, name: 'アプリ' }).execute())
  await first.close()
  const second = await openPostgres(options)
  expect(await second.database.inScope(SYSTEM, tx => tx.selectFrom('media').select('name').execute())).toEqual([
    { name: 'アプリ' },
  ])
  await second.close()
})

test('DATABASE_URL of the owner: migrates at the start, and works as the application role', async () => {
  await admin('create role operator login createrole noinherit')
  await admin('create database of_operator owner operator')
  const databaseUrl = server.url('of_operator', 'operator')
  await admin('alter role pc_app rename to pc_app_kept')
  try {
    const postgres = await openPostgres({ dataDir: root, databaseUrl })
    expect(await postgres.database.inScope(SYSTEM, tx => tx.selectFrom('users').select('uid').execute())).toEqual([])
    await postgres.close()
  } finally {
    await withClient(server.url('of_operator', 'postgres'), client => client.query('drop owned by pc_app cascade'))
    await admin('drop role pc_app; alter role pc_app_kept rename to pc_app')
  }
})

test('DATABASE_URL of a user that may make no role: the message holds what the operator must run', async () => {
  await admin('create role weak login noinherit')
  await admin('create database of_weak owner weak')
  const opening = openPostgres({ dataDir: root, databaseUrl: server.url('of_weak', 'weak') })
  await expect(opening).rejects.toThrow(OPERATOR_SQL)
})

test('DATABASE_URL as the documents describe it: the owner migrates, the login starts', async () => {
  const other = await launchPostgres({ folder: path.join(root, 'of-operator'), durability: 'throwaway' })
  await withClient(other.url('postgres', 'postgres'), async client => {
    for (const statement of OPERATOR_SQL.split(';\n')) await client.query(statement)
  })
  const [ownerUrl, loginUrl] = [other.url(DATABASE_NAME, OWNER_ROLE), other.url(DATABASE_NAME, LOGIN_ROLE)]
  const early = openPostgres({ dataDir: root, databaseUrl: loginUrl })
  await expect(early).rejects.toThrow('npm run db -- migrate` with the DATABASE_URL of its owner')
  await migrate({ ownerUrl })
  const postgres = await openPostgres({ dataDir: root, databaseUrl: loginUrl })
  expect(await postgres.database.inScope(SYSTEM, tx => tx.selectFrom('media').select('id').execute())).toEqual([])
  await postgres.close()

  // Migrated for the next version, whose processes are not there yet: this version goes on, and starts again when it has to.
  await withClient(ownerUrl, client =>
    client.query("insert into migrations.applied_files (name, sha256) values ('9999_next.sql', 'of the next version')"),
  )
  const said: string[] = []
  const again = await openPostgres({ dataDir: root, databaseUrl: loginUrl, onProblem: text => said.push(text) })
  expect(await again.database.inScope(SYSTEM, tx => tx.selectFrom('media').select('id').execute())).toEqual([])
  await again.close()
  expect(said).toEqual([expect.stringContaining('9999_next.sql')])
  await expect(migrate({ ownerUrl })).rejects.toThrow('it is newer')
  await other.stop()
})

test('the manual shows what the message shows', () => {
  const manual = fs.readFileSync(new URL('../../db/README.md', import.meta.url), 'utf8')
  expect(manual).toContain(OPERATOR_SQL)
})
