import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'
import { benchEnvironment } from './prepare-store.ts'

/** Which of the two APIs is asked; the first one unless told. */
export type BenchApi = 'insight' | 'iam'

export interface BenchServer {
  /** From the start of the process until it can be used. */
  readonly readyMs: number
  tokenOf(email: string): Promise<string>
  /** The answer's data; throws when there are errors. */
  ask(token: string, document: string, variables: object, api?: BenchApi): Promise<unknown>
  /** Resident memory of the process and of everything that it started. */
  rssMb(): number
  /** Processor time of the server process itself so far. */
  cpuMs(): number
  stop(): Promise<void>
}

/** `npm start` over a folder, as a process of its own. */
export async function startBenchServer(folder: string, port: number, services = 'api'): Promise<BenchServer> {
  const { DATABASE_URL: _database, ...inherited } = process.env
  const started = performance.now()
  const child = spawn(process.execPath, [path.join(ROOT, 'apps/server/commands/start.ts'), `--services=${services}`], {
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
    readyMs,
    tokenOf: email => tokenOf(folder, email),
    ask: (token, document, variables, api = 'insight') =>
      ask(agent, port + (api === 'insight' ? 1 : 2), token, document, variables),
    rssMb: () => rssOfTree(child.pid!),
    cpuMs: () => cpuOf(child.pid!),
    async stop() {
      agent.destroy()
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child as ChildProcess, 'exit')
    },
  }
}

/** The server asks to come back later. */
export class TurnedAway extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super(`turned away for ${seconds} s`)
    this.seconds = seconds
  }
}

function ask(agent: http.Agent, port: number, token: string, query: string, variables: object): Promise<unknown> {
  const body = JSON.stringify({ query, variables })
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${token}`,
  }
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

function processes(): { pid: number; parent: number; rssKb: number; cpu: string }[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .map(([pid, parent, rss, cpu]) => ({
      pid: Number(pid),
      parent: Number(parent),
      rssKb: Number(rss),
      cpu: cpu ?? '',
    }))
}

/**
 * In MB. Pages that processes share (PostgreSQL's buffers) are counted once, by the kernel's proportional sizes; where it
 * does not tell them, they count for each process.
 */
function rssOfTree(root: number): number {
  const all = processes()
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
  const ownKb = ({ pid, rssKb }: { pid: number; rssKb: number }) => proportionalKb(pid) ?? rssKb
  return all.filter(({ pid }) => tree.has(pid)).reduce((sum, process) => sum + ownKb(process), 0) / 1024
}

function proportionalKb(pid: number): number | undefined {
  try {
    const found = /^Pss:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
    return found ? Number(found[1]) : undefined
  } catch {
    return undefined
  }
}

function cpuOf(pid: number): number {
  const stat = `/proc/${pid}/stat`
  if (!fs.existsSync(stat)) return Number.NaN
  const [user, system] = fs.readFileSync(stat, 'utf8').split(') ')[1]!.split(' ').slice(11, 13).map(Number)
  const TICKS_PER_SECOND = 100
  return ((user! + system!) * 1000) / TICKS_PER_SECOND
}
