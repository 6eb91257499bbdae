import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'
import { benchEnvironment } from './prepare-store.ts'

/** The API that a query goes to; default: insight. */
export type BenchApi = 'insight' | 'iam'

export interface CpuTimes {
  readonly mainMs: number
  readonly threadsMs: number
  readonly postgresMs: number
}

/** In MB. Reading them makes the kernel walk all pages of a process, which stops it meanwhile. */
export interface MemoryCounts {
  /** Sum of the resident sizes. A page of PostgreSQL's shared buffers counts in each connection that has read it. */
  readonly rssSum: number
  /**
   * Sum of the proportional shares (PSS): a shared page counts once, and a page shared with other programs counts in
   * part.
   */
  readonly pss: number
}

export interface BenchServer {
  readonly pid: number
  /** From the start of the process until it can be used. */
  readonly readyMs: number
  tokenOf(email: string): Promise<string>
  /** The data of the answer. @throws when it has errors */
  ask(token: string, document: string, variables: object, api?: BenchApi): Promise<unknown>
  /** Resident memory of the process and its descendants. */
  rssMb(): number
  /** The same in both usual ways. Call it only while no request runs, see {@link MemoryCounts}. */
  memoryCounts(): MemoryCounts
  /** Processor time of the server process since its start. */
  cpuMs(): number
  /** Processor time by part: the main thread, other threads (mostly the statistics engine), PostgreSQL. */
  cpuTimes(): CpuTimes
  stop(): Promise<void>
}

/** The flags that `tools/run.mjs` sets. */
export const SERVER_FLAGS = ['--max-semi-space-size=16']

/** Runs `npm start` on a data folder, as a separate process. */
export async function startBenchServer(folder: string, port: number, services = 'api'): Promise<BenchServer> {
  const { DATABASE_URL: _database, ...inherited } = process.env
  const started = performance.now()
  const command = [...SERVER_FLAGS, path.join(ROOT, 'apps/server/commands/start.ts'), `--services=${services}`]
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...inherited, ...benchEnvironment(folder, port) },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`the server ended with code ${code}`)))
  })
  const readyMs = performance.now() - started
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  return {
    pid: child.pid!,
    readyMs,
    tokenOf: email => tokenOf(folder, email),
    ask: (token, document, variables, api = 'insight') =>
      postQuery(agent, port + (api === 'insight' ? 1 : 2), { authorization: `Bearer ${token}` }, document, variables),
    rssMb: () => rssOfTree(child.pid!),
    memoryCounts: () => countsOfTree(child.pid!),
    cpuMs: () => cpuOfProcess(child.pid!),
    cpuTimes: () => cpuTimesOf(child.pid!),
    async stop() {
      agent.destroy()
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child as ChildProcess, 'exit')
    },
  }
}

/** The server refused the request and says when to retry. */
export class TurnedAway extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super(`turned away for ${seconds} s`)
    this.seconds = seconds
  }
}

/** Sends a query to a server on loopback and returns the data of the answer. @throws when it has errors */
export function postQuery(
  agent: http.Agent,
  port: number,
  own: Readonly<Record<string, string>>,
  query: string,
  variables: object,
): Promise<unknown> {
  const body = JSON.stringify({ query, variables })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...own }
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent, port, host: '127.0.0.1', path: '/query', method: 'POST', headers },
      answer => {
        const chunks: Buffer[] = []
        const later = answer.headers['retry-after']
        if (later !== undefined) {
          answer.resume()
          return reject(new TurnedAway(Number(later)))
        }
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          try {
            const { data, errors } = JSON.parse(text) as { data?: unknown; errors?: readonly unknown[] }
            if (errors) reject(new Error(JSON.stringify(errors[0])))
            else resolve(data)
          } catch {
            reject(new Error(`${answer.statusCode}: ${text.slice(0, 200)}`))
          }
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function tokenOf(folder: string, email: string): Promise<string> {
  const { controlSocket } = JSON.parse(fs.readFileSync(path.join(folder, 'run/server.json'), 'utf8')) as {
    controlSocket: string
  }
  const body = JSON.stringify({ email })
  return new Promise((resolve, reject) => {
    const request = http.request(
      { socketPath: controlSocket, path: '/token', method: 'POST', headers: { 'content-type': 'application/json' } },
      answer => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk))
        answer.on('end', () => {
          const { token } = JSON.parse(text) as { token?: string }
          if (token) resolve(token)
          else reject(new Error(text))
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function processes(): { pid: number; parent: number; rssKb: number }[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
    .map(([pid, parent, rssKb]) => ({ pid: pid!, parent: parent!, rssKb: rssKb! }))
}

/** The process and all of its descendants. */
export function treeOf(root: number, all = processes()): number[] {
  const tree = new Set([root])
  for (let grew = true; grew; ) {
    grew = false
    for (const { pid, parent } of all) {
      if (tree.has(parent) && !tree.has(pid)) {
        tree.add(pid)
        grew = true
      }
    }
  }
  return [...tree]
}

/**
 * Resident memory in MB. Pages shared by processes (PostgreSQL's buffers, its program) count once, with the largest
 * process. Proportional sizes would be exact, but reading them stops the processes.
 */
function rssOfTree(root: number): number {
  const all = processes()
  const tree = new Set(treeOf(root, all))
  const [own, ...others] = all
    .filter(({ pid }) => tree.has(pid))
    .toSorted((a, b) => Number(b.pid === root) - Number(a.pid === root))
    .map(({ pid, rssKb }) => memoryOf(pid) ?? { anonKb: rssKb, fileKb: 0, sharedKb: 0 })
  const largest = (of: 'fileKb' | 'sharedKb') => Math.max(0, ...others.map(each => each[of]))
  const anonKb = [own, ...others].reduce((sum, each) => sum + (each?.anonKb ?? 0), 0)
  return (anonKb + (own?.fileKb ?? 0) + largest('fileKb') + largest('sharedKb')) / 1024
}

function memoryOf(pid: number): { anonKb: number; fileKb: number; sharedKb: number } | undefined {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
    const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1])
    return { anonKb: kb('RssAnon'), fileKb: kb('RssFile'), sharedKb: kb('RssShmem') }
  } catch {
    return undefined
  }
}

/** NaN on systems that do not report it. */
function countsOfTree(root: number): MemoryCounts {
  const sumOf = (name: string) =>
    treeOf(root).reduce((sum, pid) => {
      try {
        const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
        return sum + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
      } catch {
        return pid === root ? Number.NaN : sum
      }
    }, 0) / 1024
  return { rssSum: sumOf('Rss'), pss: sumOf('Pss') }
}

/**
 * Processor time in milliseconds by thread, finer than the ticks of {@link cpuOfProcess}. Processes that have ended are
 * left out.
 */
export function scheduledMs(pids: readonly number[]): ReadonlyMap<number, number> {
  const spent = new Map<number, number>()
  for (const pid of pids) {
    try {
      for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
        const [nanoseconds] = fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
        spent.set(Number(thread), Number(nanoseconds) / 1e6)
      }
    } catch {}
  }
  return spent
}

const TICKS_PER_SECOND = 100

/** Milliseconds; NaN on systems that do not report it. */
export function cpuOfProcess(pid: number): number {
  return ticksOf(`/proc/${pid}/stat`, 11, 13)
}

function cpuTimesOf(pid: number): CpuTimes {
  const mainMs = ticksOf(`/proc/${pid}/task/${pid}/stat`, 11, 13)
  // Includes children that have ended.
  const postgresMs = treeOf(pid)
    .filter(each => each !== pid)
    .reduce((sum, each) => sum + (ticksOf(`/proc/${each}/stat`, 11, 15) || 0), 0)
  return { mainMs, threadsMs: cpuOfProcess(pid) - mainMs, postgresMs }
}

/** Sum of columns `from` to `to` of a /proc stat file, converted from ticks to milliseconds. */
function ticksOf(file: string, from: number, to: number): number {
  try {
    const columns = fs.readFileSync(file, 'utf8').split(') ')[1]!.split(' ').slice(from, to)
    return (columns.reduce((sum, column) => sum + Number(column), 0) * 1000) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}
