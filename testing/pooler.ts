import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { LOGIN_ROLE, OWNER_ROLE } from '@pc/platform/postgres/roles.ts'
import { until } from './until.ts'

/** The PgBouncer program: `TEST_POOLER`, or the installed one; undefined: none. */
export const POOLER = process.env.TEST_POOLER ?? ['pgbouncer', '/usr/sbin/pgbouncer'].find(isThere)

/**
 * PgBouncer refuses to run as root, so it runs as "nobody", with the capability to enter the folder of the test
 * server's socket.
 */
const NOBODY = '--reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override'
const NOT_ROOT = process.getuid?.() === 0 ? ['setpriv', ...NOBODY.split(' ')] : []

export interface Pooler {
  /** URL of the same database and user through the pooler. */
  through(url: string): string
  /** Whether this version supports prepared statements. */
  readonly keepsStatements: boolean
  stop(): void
}

/**
 * Starts PgBouncer in transaction mode before the server of `url`. The pool is small, so that server connections change
 * between clients all the time.
 */
export async function startPooler(url: string, program: string, poolSize = 3): Promise<Pooler> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-pooler-'))
  const socketFolder = partsOf(url).host
  fs.chmodSync(folder, 0o755)
  const port = await freePort()
  const users = path.join(folder, 'users')
  fs.writeFileSync(users, [LOGIN_ROLE, OWNER_ROLE].map(name => `"${name}" ""\n`).join(''))
  const settings = path.join(folder, 'pgbouncer.ini')
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout
  const [, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? []
  const keepsStatements = minor >= 21
  fs.writeFileSync(
    settings,
    `[databases]
* = host=${socketFolder}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
${keepsStatements ? 'max_prepared_statements = 200' : ''}
`,
  )
  const child: ChildProcess = spawn([...NOT_ROOT, program][0]!, [...NOT_ROOT, program, settings].slice(1), {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', chunk => (said += chunk))
  const stop = () => {
    child.kill('SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
    return (await answers(port)) || undefined
  })
  return {
    keepsStatements,
    through(direct) {
      const { user, database } = partsOf(direct)
      return `postgres://${user}@127.0.0.1:${port}/${database}`
    },
    stop() {
      process.off('exit', stop)
      stop()
    },
  }
}

/** Parts of a URL with a Unix socket, which `URL` cannot parse. */
function partsOf(url: string): Record<'user' | 'database' | 'host', string> {
  const [, user = '', database = '', host = ''] = /^postgres:\/\/(\w+)@\/(\w+)\?host=(.+)$/.exec(url) ?? []
  return { user, database, host: decodeURIComponent(host) }
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
