import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { smallDisk } from '@pc/testing/faults/small-disk.ts'
import { everyNth } from '@pc/testing/sample-size.ts'
import { afterAll, expect, test, vi } from 'vitest'

/** `npm start` as people and service managers run it: npm, its shell, the launcher, the server, PostgreSQL. */
const ROOT = path.resolve(import.meta.dirname, '../..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-environment-'))
const dataDir = path.join(folder, 'data')
const started: ChildProcess[] = []
const probe = smallDisk(1)
probe?.unmount()
const isRoot = process.getuid?.() === 0
const NOBODY = 65534

afterAll(() => {
  for (const { pid } of started) if (pid) kill(-pid, 'SIGKILL') // the server notices that its launcher is gone
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Each of these made a start fail, or changes a program that reads it. */
const FOREIGN = {
  PGHOST: 'nowhere.invalid',
  PGPORT: '6544',
  PGUSER: 'somebody',
  PGDATABASE: 'elsewhere',
  PGPASSWORD: 'foreign',
  PGSSLMODE: 'require',
  PGSSLNEGOTIATION: 'direct',
  PGOPTIONS: '-c search_path=elsewhere',
  PGSERVICE: 'elsewhere',
  PGTZ: 'UTC',
  PGBINARY: '1',
  PGREPLICATION: 'true',
  PGCLIENT_ENCODING: 'LATIN1',
  PGDATA: '/nonexistent',
  NODE_PG_FORCE_NATIVE: '1',
  NODE_ENV: 'development',
  NODE_OPTIONS: '--max-old-space-size=3000 --conditions=browser --throw-deprecation',
  NODE_USE_ENV_PROXY: '1',
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'].map(name => [name, 'http://127.0.0.1:9']),
  ),
  TZ: 'Pacific/Apia',
  LANG: 'tr_TR.UTF-8',
  LC_ALL: 'C',
  DEBUG: '*',
  FORCE_COLOR: '3',
  TMPDIR: '/nonexistent',
  HOME: '/nonexistent',
  npm_config_omit: 'dev',
}

function npmStart(env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn('npm', ['start', '--', ...args], {
    cwd: ROOT,
    detached: true, // a process group of its own, as a terminal makes for a command
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: dataDir, PUBLISHER_CENTER_DEMO: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const ended = new Promise<number>(resolve =>
    child.on('exit', (code, signal) => resolve(signal ? 128 + os.constants.signals[signal] : (code ?? -1))),
  )
  const isUp = () => output.includes('準備ができました')
  const up = vi.waitUntil(() => isUp() || child.exitCode !== null, { timeout: 60_000, interval: 20 })
  up.catch(() => {})
  return { child, ended, up, isUp, output: () => output }
}

async function freePorts() {
  const servers = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const server = net.createServer()
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const [insight = '', iam = ''] = servers.map(server => String((server.address() as net.AddressInfo).port))
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return { INSIGHT_API_PORT: insight, IAM_API_PORT: iam }
}

/** A process and all below it. */
function treeOf(pid: number): number[] {
  const children = (parent: number): number[] => {
    const file = `/proc/${parent}/task/${parent}/children`
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
  }
  return [pid, ...children(pid).flatMap(treeOf)]
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone already.
  }
}

const isRunning = (pid: number) => fs.existsSync(`/proc/${pid}`) && !/\) Z /.test(readOr(`/proc/${pid}/stat`))
const readOr = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ') Z ')
const databaseLog = () => fs.readFileSync(path.join(dataDir, 'postgres/postgres.log'), 'utf8')

/** One sentence for the person at the terminal, beside what npm itself says. */
const saidBy = (output: string) =>
  output.split('\n').filter(line => line && !/^(>|npm (error|warn))/.test(line) && !/building the screens/.test(line))

test('starts among variables of other programs; of two starts at once one says why it ends, and harms nothing', async () => {
  const ports = await freePorts()
  const both = [0, 1].map(() => npmStart({ ...FOREIGN, ...ports }, '--services=api,worker'))
  let readyWithoutAddress = 0
  const watch = setInterval(async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.INSIGHT_API_PORT}/readyz`).catch(() => undefined)
    if (answer?.status === 200 && !fs.existsSync(path.join(dataDir, 'run/server.json'))) readyWithoutAddress += 1
  }, 5)
  await Promise.all(both.map(({ up }) => up)).finally(() => clearInterval(watch))
  const first = both.find(({ isUp }) => isUp())
  const second = both.find(one => one !== first)
  expect(first, both.map(({ output }) => output()).join('\n')).toBeDefined()
  if (!first || !second) return
  expect(await second.ended).toBe(1)
  expect(saidBy(second.output()).filter(line => !line.startsWith('[setup] another'))).toEqual([
    expect.stringContaining(`already running with DATA_DIR=${dataDir}`),
  ])
  expect(readyWithoutAddress).toBe(0)
  expect((await fetch(`http://127.0.0.1:${ports.INSIGHT_API_PORT}/readyz`)).status).toBe(200)

  const other = npmStart({ ...ports, DATA_DIR: path.join(folder, 'other') }, '--services=api')
  expect(await other.ended).toBe(1)
  const { pid } = JSON.parse(fs.readFileSync(path.join(dataDir, 'run/server.json'), 'utf8')) as { pid: number }
  expect(saidBy(other.output())).toEqual([
    expect.stringMatching(
      `^\\[setup\\] Port ${ports.INSIGHT_API_PORT} \\(INSIGHT_API_PORT\\) is in use.*process ${pid}\\b`,
    ),
  ])
  expect(fs.existsSync(path.join(folder, 'other'))).toBe(false)
  await endBy(first, 'SIGTERM', 'group')
})

/** Ends the whole start by signals, and looks whether PostgreSQL was stopped in order. */
async function endBy(
  { child, ended }: { child: ChildProcess; ended: Promise<number> },
  signal: NodeJS.Signals,
  to: 'npm' | 'launcher' | 'group' | 'every process',
): Promise<void> {
  const { pid = 0 } = child
  const all = treeOf(pid)
  const logBefore = databaseLog().length
  if (to === 'every process') for (const one of all) kill(one, signal)
  else process.kill(to === 'group' ? -pid : to === 'npm' ? pid : launcherOf(all), signal)
  expect([0, 128 + os.constants.signals[signal]]).toContain(await ended)
  await vi.waitUntil(() => !all.some(isRunning), { timeout: 30_000, interval: 10 })
  const log = databaseLog().slice(logBefore)
  expect(log).toContain('database system is shut down')
  // A stop that was cut short releases nothing.
  expect(fs.readdirSync(path.join(dataDir, 'run'))).toEqual([])
}

/** A shell that waits for a command keeps SIGINT for itself: sent to npm alone, it reaches nobody, whatever npm runs. */
function launcherOf(tree: readonly number[]): number {
  return tree.find(pid => /^node\0tools\/run\.mjs/.test(readOr(`/proc/${pid}/cmdline`))) ?? 0
}

test.each(
  everyNth(
    [
      ['SIGINT', 'group'],
      ['SIGHUP', 'group'],
      ['SIGINT', 'launcher'],
      ['SIGHUP', 'launcher'],
      ['SIGTERM', 'npm'],
      ['SIGHUP', 'npm'],
      ['SIGTERM', 'every process'],
    ] as const,
    3,
  ),
)(
  'one %s to %s stops everything in order',
  async (signal, to) => {
    const ports = await freePorts()
    const run = npmStart(ports, '--services=api')
    await run.up
    expect(run.isUp(), run.output()).toBe(true)
    await endBy(run, signal, to)
  },
  60_000,
)

test.skipIf(!isRoot)(
  'root leaves nothing in the folder of somebody else, nor half a system in one that is a file',
  async () => {
    const theirs = path.join(folder, 'theirs')
    fs.mkdirSync(theirs)
    fs.chownSync(theirs, NOBODY, NOBODY)
    const file = path.join(folder, 'file')
    fs.writeFileSync(file, '')
    const starts = [theirs, path.join(theirs, 'new'), file].map(DATA_DIR => npmStart({ DATA_DIR }))
    expect(await Promise.all(starts.map(({ ended }) => ended))).toEqual([1, 1, 1])
    const said = starts.map(({ output }) => saidBy(output()))
    expect(said).toEqual([
      [expect.stringMatching(`^\\[setup\\] DATA_DIR=${theirs} belongs to .*without sudo`)],
      [expect.stringMatching(`^\\[setup\\] DATA_DIR=${theirs}/new: ${theirs} belongs to .*without sudo`)],
      [expect.stringMatching(`^\\[setup\\] DATA_DIR=${file}: .* is not a folder`)],
    ])
    expect(fs.readdirSync(theirs)).toEqual([])
  },
  60_000,
)

test.skipIf(!probe)(
  'a disk that is full during the first start is one sentence, and the next start completes it',
  async () => {
    const disk = smallDisk(300)!
    try {
      const env = { DATA_DIR: disk.folder, ...(await freePorts()) }
      const full = npmStart(env, '--services=api')
      const everything = -(full.child.pid ?? 0)
      await vi.waitUntil(() => fs.existsSync(path.join(disk.folder, 'postgres')), { timeout: 60_000, interval: 1 })
      kill(everything, 'SIGSTOP') // a busy machine fills the disk slower than it starts
      disk.fill()
      kill(everything, 'SIGCONT')
      expect(await full.ended).toBe(1)
      expect(saidBy(full.output()).filter(line => !line.startsWith('{"level":"warn"'))).toEqual([
        expect.stringContaining(`No space is left on the disk (DATA_DIR=${disk.folder})`),
      ])
      disk.free()
      const again = npmStart(env, '--services=api')
      await again.up
      expect(again.isUp(), again.output()).toBe(true)
      process.kill(-(again.child.pid ?? 0), 'SIGTERM')
      await vi.waitUntil(() => fs.readdirSync(path.join(disk.folder, 'run')).length === 0, { timeout: 30_000 })
    } finally {
      disk.unmount()
    }
  },
  120_000,
)
