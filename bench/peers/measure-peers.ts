import { execFileSync } from 'node:child_process'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { ROOT } from '../../tools/source-tree.ts'
import { machine } from '../bench-report.ts'
import { type BenchServer, postQuery, scheduledMs, startBenchServer, treeOf } from '../bench-server.ts'
import { peerSize } from '../bench-size.ts'
import { prepareStore, STAFF_EMAIL } from '../prepare-store.ts'
import { addAgreements, type BareEngine, loadPeerRows, openBareEngine, PEER_SCHEMA, workFolder } from './peer-rows.ts'
import { installPeer, startPeer } from './peer-server.ts'
import { type PeerLine, printPeerHead, printPeerLine, type Slice } from './peer-slices.ts'
import { type PeerWork, peerWorks } from './peer-works.ts'

/** Pairs of slices, measured alternately: ours, theirs, ours, theirs … */
const PAIRS = 7
/** Tokens are renewed in time; they live ten minutes. */
const TOKEN_LIFETIME_MS = 300_000

export interface PeerOptions {
  readonly shape: string
  readonly runs: number
  readonly only: string | undefined
  readonly port: number
}

interface Side {
  /** Runs before a slice and is not measured. */
  prepare?(): Promise<void>
  ask(work: PeerWork, n: number): Promise<unknown>
  /** Process id of the server; PostgreSQL is counted separately. */
  readonly pid: number
}

/**
 * Compares our system with PostGraphile and plain DuckDB over the same rows. Each result is printed when it is ready;
 * Ctrl-C ends the run and names the missing ones.
 */
export async function measurePeers(
  dataDir: string,
  options: PeerOptions,
  print: (text: string) => void,
  say: (text: string) => void,
): Promise<void> {
  const size = peerSize(options.shape)
  const works = peerWorks(size).filter(({ name }) => options.only === undefined || name.includes(options.only))
  demandDifferent(works, options)
  const folder = await prepareStore(dataDir, size, say)
  await addAgreements(folder)
  const peerFolder = path.join(path.resolve(dataDir), 'bench', 'peer')
  const versions = await installPeer(peerFolder, say)
  const { work, remove } = workFolder(dataDir)
  const missing = new Set(works.map(({ name }) => name))
  const stop = { isRequested: false }
  const onStop = () => {
    stop.isRequested = true
  }
  process.on('SIGINT', onStop)
  const open: (() => unknown)[] = [remove]
  try {
    say('the bare engine …')
    const engine = await openBareEngine(folder, work)
    open.unshift(() => engine.close())
    const server = await startBenchServer(folder, options.port)
    open.unshift(() => server.stop())
    const adminUrl = urlOfRunningPostgres(postgresFolder(folder), DATABASE_NAME, 'postgres')!
    say('rows for PostGraphile …')
    await loadPeerRows(adminUrl, engine)
    const peer = await startPeer(peerFolder, adminUrl, options.port + PEER_PORT, ['public', PEER_SCHEMA])
    open.unshift(() => peer.stop())
    const sides = {
      ours: ourSide(server),
      postgraphile: postgraphileSide(peer.pid, options.port + PEER_PORT),
      engine: engineSide(engine),
    }
    print(`${options.shape}, commit ${commit()}, ${machine()}`)
    print(`${versions}; DuckDB with 2 threads and 4 GB; ${PAIRS} pairs of slices, medians`)
    print('CPU: milliseconds for one request (server + PostgreSQL); main: of ours, the thread that answers')
    print(printPeerHead())
    for (const each of works) {
      if (stop.isRequested) break
      const line = await measureWork(each, sides, options, server, stop)
      if (!line) break
      print(printPeerLine(line))
      missing.delete(each.name)
    }
  } catch (error) {
    // Ctrl-C also stops the servers, so that failed requests are expected.
    if (!stop.isRequested) throw error
  } finally {
    for (const close of open) await close()
    process.off('SIGINT', onStop)
    if (missing.size > 0) print(`missing: ${[...missing].join(', ')}`)
  }
}

/** Port offset of the peer from our server's port. */
const PEER_PORT = 3

/** @throws RangeError when a request would be repeated, which caches could answer */
function demandDifferent(works: readonly PeerWork[], { runs, only }: PeerOptions): void {
  if (works.length === 0) throw new RangeError(`nothing is called ${only}`)
  for (const work of works) {
    if (work.warm + PAIRS * requestsOf(work, runs) > work.different)
      throw new RangeError(`--runs ${runs}: ${work.name} would be asked the same twice`)
  }
}

const requestsOf = ({ perRun, connections }: PeerWork, runs: number) => Math.max(connections, Math.round(perRun * runs))

async function measureWork(
  work: PeerWork,
  sides: Readonly<Record<'ours' | 'postgraphile' | 'engine', Side>>,
  { runs }: PeerOptions,
  server: BenchServer,
  stop: { readonly isRequested: boolean },
): Promise<PeerLine | undefined> {
  const requests = requestsOf(work, runs)
  const isOfEngine = !('document' in work.theirs(0))
  const [ours, theirs]: Slice[][] = [[], []]
  const peer = isOfEngine ? sides.engine : sides.postgraphile
  const loads: number[] = []
  for (const side of [sides.ours, peer]) await slice(side, work, 0, work.warm, server.pid)
  for (let pair = 0; pair < PAIRS; pair += 1) {
    if (stop.isRequested) return undefined
    const first = work.warm + pair * requests
    ours!.push(await slice(sides.ours, work, first, requests, server.pid))
    theirs!.push(await slice(peer, work, first, requests, server.pid))
    loads.push(os.loadavg()[0]!)
  }
  const { name, unit, goal } = work
  return {
    work: name,
    peer: isOfEngine ? 'bare DuckDB' : 'PostGraphile',
    unit,
    goal,
    ours: ours!,
    theirs: theirs!,
    loads,
  }
}

/**
 * Sends requests starting with number `first` over all connections of the work. Only one side is active, so all of
 * PostgreSQL's time belongs to it.
 */
async function slice(side: Side, work: PeerWork, first: number, requests: number, ourPid: number): Promise<Slice> {
  await side.prepare?.()
  const milliseconds: number[] = []
  const before = processorTimes(side.pid, ourPid)
  const started = performance.now()
  let next = first
  await Promise.all(
    Array.from({ length: work.connections }, async () => {
      while (next < first + requests) {
        const n = next
        next += 1
        const since = performance.now()
        await side.ask(work, n)
        milliseconds.push(performance.now() - since)
      }
    }),
  )
  const elapsedMs = performance.now() - started
  return { milliseconds, elapsedMs, ...spentSince(before, side.pid, ourPid) }
}

interface ProcessorTimes {
  readonly server: ReadonlyMap<number, number>
  readonly postgres: ReadonlyMap<number, number>
}

function processorTimes(pid: number, ourPid: number): ProcessorTimes {
  const postgres = scheduledMs(treeOf(ourPid).filter(each => each !== ourPid))
  return { server: scheduledMs([pid]), postgres }
}

function spentSince(before: ProcessorTimes, pid: number, ourPid: number): Omit<Slice, 'milliseconds' | 'elapsedMs'> {
  const server = scheduledMs([pid]) // read first, because the bench process itself may be the side
  const { postgres } = processorTimes(pid, ourPid)
  const spent = (now: ReadonlyMap<number, number>, then: ReadonlyMap<number, number>) =>
    now.size === 0 ? Number.NaN : [...now].reduce((sum, [thread, ms]) => sum + ms - (then.get(thread) ?? 0), 0)
  return {
    serverMs: spent(server, before.server),
    postgresMs: spent(postgres, before.postgres),
    mainMs: (server.get(pid) ?? Number.NaN) - (before.server.get(pid) ?? Number.NaN),
  }
}

function ourSide(server: BenchServer): Side {
  let token = ''
  let since = Number.NEGATIVE_INFINITY
  return {
    pid: server.pid,
    async prepare() {
      if (performance.now() - since < TOKEN_LIFETIME_MS) return
      token = await server.tokenOf(STAFF_EMAIL)
      since = performance.now()
    },
    ask(work, n) {
      const { document, variables } = work.ours(n)
      return server.ask(token, document, variables)
    },
  }
}

function postgraphileSide(pid: number, port: number): Side {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  return {
    pid,
    ask(work, n) {
      const query = work.theirs(n)
      if (!('document' in query)) throw new TypeError(`${work.name} is not asked of PostGraphile`)
      return postQuery(agent, port, {}, query.document, query.variables)
    },
  }
}

/** Plain DuckDB in this process, which does nothing else meanwhile. */
function engineSide(engine: BareEngine): Side {
  return {
    pid: process.pid,
    ask(work, n) {
      const query = work.theirs(n)
      if (!('from' in query)) throw new TypeError(`${work.name} is not asked of the engine`)
      const { from, to, publisherId } = query
      return publisherId === undefined ? engine.top(from, to) : engine.days(publisherId, from, to)
    },
  }
}

/** The commit, with `+` if files have been changed. */
function commit(): string {
  const git = (...command: string[]) => execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' }).trim()
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : '+'}`
  } catch {
    return 'unknown'
  }
}
