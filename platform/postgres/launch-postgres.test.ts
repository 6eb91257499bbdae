import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { AlreadyRunning } from './folder-claim.ts'
import { launchPostgres, type RunningPostgres, urlOfRunningPostgres } from './launch-postgres.ts'
import { findNativePostgres, type NativePostgres } from './native-postgres.ts'
import { withClient } from './roles.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-launch-'))
fs.chmodSync(root, 0o700)
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const query = async <Row>(server: RunningPostgres, sql: string, values: unknown[] = []) => {
  const answer = await withClient(server.url('postgres', 'postgres'), client => client.query(sql, values))
  return answer.rows as Row[]
}

test('the first start makes a durable cluster that understands Japanese; the next one finds its rows', async () => {
  const folder = path.join(root, 'durable')
  const first = await launchPostgres({ folder })
  await query(first, 'create table t (name text); insert into t values ($$五十嵐$$)')
  const settings = await query<{ name: string; setting: string }>(
    first,
    `select name, setting from pg_settings where name in
      ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums', 'TimeZone') order by name`,
  )
  expect(Object.fromEntries(settings.map(row => [row.name, row.setting]))).toEqual({
    TimeZone: 'Asia/Tokyo',
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    synchronous_commit: 'on',
  })
  const [locale] = await query(
    first,
    `select datctype, datlocprovider::text as provider, datlocale, pg_encoding_to_char(encoding)
    as encoding from pg_database where datname = 'postgres'`,
  )
  expect(locale).toMatchObject({ provider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8' })
  expect(locale).toMatchObject({ datctype: expect.stringMatching(/UTF-8$/) })
  await first.stop()

  const second = await launchPostgres({ folder })
  expect(await query(second, 'select name from t')).toEqual([{ name: '五十嵐' }])
  await second.stop()
})

test('pg_trgm sees Japanese letters', async () => {
  const server = await launchPostgres({ folder: path.join(root, 'trigrams') })
  await query(server, 'create extension pg_trgm')
  expect(await query(server, `select cardinality(show_trgm('日本経済新聞')) as count`)).toEqual([{ count: 7 }])
  await server.stop()
})

test('a second start on the same folder says so, and does not disturb the first', async () => {
  const folder = path.join(root, 'twice')
  const server = await launchPostgres({ folder })
  await expect(launchPostgres({ folder })).rejects.toThrow(AlreadyRunning)
  await expect(launchPostgres({ folder })).rejects.toThrow(`already running: process ${process.pid} uses the database`)
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(urlOfRunningPostgres(folder, 'postgres', 'postgres')).toBe(server.url('postgres', 'postgres'))
  await server.stop()
  expect(urlOfRunningPostgres(folder, 'postgres', 'postgres')).toBeUndefined()
})

test('a folder whose path is too long for a socket gets its socket elsewhere', async () => {
  const folder = path.join(root, 'a-rather-long-name-of-a-folder/'.repeat(4), 'postgres')
  const server = await launchPostgres({ folder })
  const socketFolder = new URL(server.url('postgres', 'postgres').replace('@/', '@x/')).searchParams.get('host') ?? ''
  expect(socketFolder.startsWith(folder)).toBe(false)
  expect(fs.statSync(socketFolder).mode & 0o777).toBe(0o700)
  await expect(launchPostgres({ folder })).rejects.toThrow(AlreadyRunning)
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  expect(fs.existsSync(socketFolder)).toBe(false)
})

test('everything on disk is closed to others', async () => {
  const folder = path.join(root, 'closed')
  const server = await launchPostgres({ folder })
  const modes = ['', 'cluster', 'socket'].map(name => fs.statSync(path.join(folder, name)).mode & 0o077)
  expect(modes).toEqual([0, 0, 0])
  expect(fs.statSync(path.join(folder, 'postgres.log')).mode & 0o077).toBe(0)
  await server.stop()
})

test('the log holds neither statements nor values', async () => {
  const folder = path.join(root, 'log')
  const server = await launchPostgres({ folder })
  const canary = 'canary-7777777'
  await query(server, 'create table secrets (number text primary key, positive int check (positive > 0))')
  const failing = [
    ['insert into secrets (number, positive) values ($1, -1)', [canary]],
    ['insert into secrets (number) values ($1), ($1)', [canary]],
    ['select $1::int', [canary]],
    [`select '${canary}' from nowhere`, []],
    [`do $$ begin raise exception '${canary}'; end $$`, []],
    [`do $$ begin raise warning '${canary}'; end $$`, []],
    [`set statement_timeout = 20; select pg_sleep(1), '${canary}'`, []],
  ] as const
  for (const [sql, values] of failing) await query(server, sql, [...values]).catch(() => undefined)
  await server.stop()
  const log = fs.readFileSync(path.join(folder, 'postgres.log'), 'utf8')
  expect(log).toContain('ready to accept connections')
  expect(log).not.toContain(canary)
})

test('a cluster that cannot start says why', async () => {
  const folder = path.join(root, 'broken')
  await (await launchPostgres({ folder })).stop()
  fs.rmSync(path.join(folder, 'cluster/global/pg_control'))
  await expect(launchPostgres({ folder })).rejects.toThrow(/did not start:\n.*pg_control/s)
  // The failed start left no claim behind.
  expect(fs.existsSync(path.join(folder, 'owner.json'))).toBe(false)
})

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('as root', () => {
  const uidOf = async (server: RunningPostgres) => {
    const status = fs.readFileSync(`/proc/${server.pid}/status`, 'utf8')
    return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])
  }
  const namespaced = () => findNativePostgres({ rootMode: 'namespace' })
  const nobody = () => findNativePostgres({ rootMode: 'nobody' })

  test('runs as nobody where user namespaces are forbidden, in a folder that is closed to nobody', async () => {
    const server = await launchPostgres({ folder: path.join(root, 'nobody'), native: nobody() })
    expect(await uidOf(server)).toBe(65534)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  test('a folder may move between machines with and without user namespaces', async () => {
    const folder = path.join(root, 'moving')
    const start = (native: NativePostgres) => launchPostgres({ folder, native })
    const first = await start(namespaced())
    await query(first, 'create table t as select 42 as answer')
    await first.stop()
    for (const native of [nobody(), namespaced(), nobody()]) {
      const server = await start(native)
      expect(await query(server, 'select answer from t')).toEqual([{ answer: 42 }])
      await server.stop()
    }
  })
})
