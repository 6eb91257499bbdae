import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { identityOf, isAlive, type ProcessIdentity } from '../process-identity.ts'
import { openDatabase, SYSTEM } from './database.ts'
import { launchPostgres } from './launch-postgres.ts'
import { findNativePostgres } from './native-postgres.ts'
import { withClient } from './roles.ts'

/** Security, figure 6, asks for 200 of them. */
const STOPS = Number(process.env.POSTGRES_STOPS ?? 20)

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-launch-faults-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const launcher = fileURLToPath(new URL('./launch-postgres.ts', import.meta.url))
const nativeModule = fileURLToPath(new URL('./native-postgres.ts', import.meta.url))

interface Parent {
  readonly process: ChildProcess
  readonly postmaster: ProcessIdentity
  readonly url: string
}

/** A process of its own that runs the server of the folder. */
async function startParent(folder: string, lifeline: 'kernel' | 'pipe'): Promise<Parent> {
  const script = `
    const { launchPostgres } = await import(${JSON.stringify(launcher)})
    const { findNativePostgres } = await import(${JSON.stringify(nativeModule)})
    const native = findNativePostgres({ lifeline: ${JSON.stringify(lifeline)} })
    const server = await launchPostgres({ folder: ${JSON.stringify(folder)}, native })
    console.log(JSON.stringify({ pid: server.pid, url: server.url('postgres', 'postgres') }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { pid, url } = JSON.parse(line) as { pid: number; url: string }
  return { process: child, postmaster: identityOf(pid)!, url }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('waited 30 s in vain')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

test.each(['kernel', 'pipe'] as const)('the server ends with a parent that was killed (%s)', async lifeline => {
  const folder = path.join(root, `parent-${lifeline}`)
  const parent = await startParent(folder, lifeline)
  await withClient(parent.url, client => client.query('create table t as select 42 as answer'))
  parent.process.kill('SIGKILL')
  await until(() => !isAlive(parent.postmaster))
  // The next start finds the claim of a dead process and a clean cluster.
  const server = await launchPostgres({ folder })
  const { rows } = await withClient(server.url('postgres', 'postgres'), client => client.query('select answer from t'))
  expect(rows).toEqual([{ answer: 42 }])
  await server.stop()
})

test('with the pipe, a server that is stopped in order ends, and its shell with it', async () => {
  const native = findNativePostgres({ lifeline: 'pipe' })
  const server = await launchPostgres({ folder: path.join(root, 'pipe'), native })
  const postmaster = identityOf(server.pid)!
  await server.stop()
  expect(isAlive(postmaster)).toBe(false)
})

test('an orphan that outlived its parent is ended before the next start', async () => {
  const folder = path.join(root, 'orphan')
  await (await launchPostgres({ folder })).stop()
  fs.mkdirSync(path.join(folder, 'socket'), { mode: 0o700 })
  // As after a kill that also hit what holds the lifeline: a running server whose owner is nobody.
  const native = findNativePostgres({ lifeline: 'none' })
  const flags = ['-D', path.join(folder, 'cluster'), '-k', path.join(folder, 'socket'), '-c', 'listen_addresses=']
  const { file, args } = native.command('postgres', flags)
  const child = spawn(file, args, { stdio: 'ignore', cwd: '/', detached: true })
  const pidFile = path.join(folder, 'cluster/postmaster.pid')
  await until(() => fs.existsSync(pidFile) && fs.readFileSync(pidFile, 'utf8').includes('ready'))
  const orphan = identityOf(child.pid!)!
  const server = await launchPostgres({ folder })
  expect(isAlive(orphan)).toBe(false)
  expect(server.pid).not.toBe(orphan.pid)
  await server.stop()
})

test('a stale pid file whose number now belongs to another program does not stop a start', async () => {
  const folder = path.join(root, 'stale')
  await (await launchPostgres({ folder })).stop()
  const socket = path.join(folder, 'socket')
  const lines = [process.pid, path.join(folder, 'cluster'), 1_700_000_000, 5432, socket, '', '  1 1', 'ready   ', '']
  fs.writeFileSync(path.join(folder, 'cluster/postmaster.pid'), lines.join('\n'))
  fs.writeFileSync(
    path.join(folder, 'owner.json'),
    JSON.stringify({ pid: process.pid, startedAt: 'long ago', socketFolder: socket }),
  )
  const server = await launchPostgres({ folder })
  await withClient(server.url('postgres', 'postgres'), client => client.query('select 1'))
  await server.stop()
})

test('a stale lock of the socket whose number now belongs to another server does not stop a start', async () => {
  // PostgreSQL believes a number that belongs to its own user: after a power cut they begin again, and meet soon.
  const other = await launchPostgres({ folder: path.join(root, 'other') })
  const folder = path.join(root, 'lock')
  await (await launchPostgres({ folder })).stop()
  const socket = path.join(folder, 'socket')
  fs.mkdirSync(socket, { mode: 0o700 })
  const lines = [other.pid, path.join(folder, 'cluster'), 1_700_000_000, 5432, socket, '']
  fs.writeFileSync(path.join(socket, '.s.PGSQL.5432.lock'), lines.join('\n'), { mode: 0o644 })
  const server = await launchPostgres({ folder })
  await withClient(server.url('postgres', 'postgres'), client => client.query('select 1'))
  await server.stop()
  await withClient(other.url('postgres', 'postgres'), client => client.query('select 1'))
  await other.stop()
})

test('of several processes that start at once after a crash, exactly one runs the server', async () => {
  const folder = path.join(root, 'race')
  await (await launchPostgres({ folder })).stop()
  const socketFolder = path.join(folder, 'socket')
  fs.writeFileSync(path.join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, startedAt: '0', socketFolder }))
  const script = `
    const { launchPostgres } = await import(${JSON.stringify(launcher)})
    const server = await launchPostgres({ folder: ${JSON.stringify(folder)} }).catch(error => console.log(error.name))
    if (server) console.log('running')
    process.on('SIGTERM', async () => { await server?.stop(); process.exit() })
    setInterval(() => {}, 1000)`
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const lines = await Promise.all(children.map(child => once(createInterface(child.stdout), 'line')))
  expect(lines.flat().sort()).toEqual([...Array(5).fill('AlreadyRunning'), 'running'])
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map(child => once(child, 'exit')))
})

test('a first start that was killed leaves no half-made cluster', async () => {
  const folder = path.join(root, 'half')
  fs.mkdirSync(path.join(folder, 'cluster.draft/base'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'cluster.draft/PG_VERSION'), '18\n')
  const server = await launchPostgres({ folder })
  await withClient(server.url('postgres', 'postgres'), client => client.query('select 1'))
  await server.stop()
})

test(`the postmaster is killed or stopped at once, ${STOPS} times: it restarts automatically, no acknowledged row is lost, the pool recovers`, async () => {
  const folder = path.join(root, 'postmaster')
  const crashes: boolean[] = []
  const server = await launchPostgres({
    folder,
    restartsPerMinute: 10_000,
    onCrash: event => crashes.push(event.willRestart),
  })
  const adminUrl = server.url('postgres', 'postgres')
  await withClient(adminUrl, async client => {
    await client.query('create role pc_app; create table acknowledged (id bigint primary key)')
    await client.query('grant select, insert on acknowledged to pc_app')
  })
  const database = openDatabase({ url: adminUrl, maxConnections: 4 })
  const acknowledged = new Set<bigint>()
  let next = 0n
  let isWriting = true
  const write = async () => {
    while (isWriting) {
      next += 1n
      const id = next
      const wasSaved = await database
        .inScope(SYSTEM, tx => sql`insert into acknowledged values (${id})`.execute(tx))
        .then(
          () => true,
          () => new Promise<false>(resolve => setTimeout(resolve, 10, false)),
        )
      if (wasSaved) acknowledged.add(id)
    }
  }
  const writers = [write(), write(), write()]
  const recoveryMs: number[] = []
  for (let kill = 1; kill <= STOPS; kill += 1) {
    const before = acknowledged.size
    await until(() => acknowledged.size > before + 3 + ((kill * 7) % 60))
    const killedAt = performance.now()
    const killed = server.pid
    // SIGQUIT is PostgreSQL's own immediate stop: its processes end without writing anything more.
    process.kill(killed, kill % 2 === 0 ? 'SIGQUIT' : 'SIGKILL')
    await until(() => server.pid !== killed)
    const atRestart = acknowledged.size
    await until(() => acknowledged.size > atRestart)
    recoveryMs.push(performance.now() - killedAt)
  }
  isWriting = false
  await Promise.all(writers)
  const saved = await withClient(adminUrl, client => client.query<{ id: string }>('select id from acknowledged'))
  const ids = new Set(saved.rows.map(row => BigInt(row.id)))
  expect([...acknowledged].filter(id => !ids.has(id))).toEqual([])
  console.warn(
    `${STOPS} stops, ${acknowledged.size} rows acknowledged, slowest recovery ${Math.round(Math.max(...recoveryMs))} ms`,
  )
  expect(saved.rows).toHaveLength(ids.size)
  expect(crashes).toEqual(Array.from({ length: STOPS }, () => true))
  expect(Math.max(...recoveryMs)).toBeLessThan(10_000)
  await database.close()
  await server.stop()
})
