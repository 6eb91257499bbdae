import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { checkFolder } from '../folder-error.ts'
import { commandLineOf } from '../process-identity.ts'
import { claimFolder, ownerOfFolder, releaseFolder } from './folder-claim.ts'
import { findNativePostgres, type NativePostgres, pipeLifeline } from './native-postgres.ts'

export interface LaunchOptions {
  /** Folder of everything that belongs to the server: cluster, socket, log. Made when missing, closed to others. */
  readonly folder: string
  /** `throwaway`: no durability at all, for test databases. */
  readonly durability?: 'full' | 'throwaway'
  /** Told when the server ended unexpectedly and is being started again, or could not be. */
  readonly onCrash?: (event: { readonly message: string; readonly willRestart: boolean }) => void
  /** Default 5; more crashes than that are not a mishap any more. */
  readonly restartsPerMinute?: number
  /** For tests of the ways in which the server can run. */
  readonly native?: NativePostgres
}

export interface RunningPostgres {
  /** Connects over the Unix socket, as `user`. A person who may enter the socket's folder may be any user. */
  url(database: string, user: string): string
  /** Of the postmaster; changes when it was restarted after a crash. */
  readonly pid: number
  /** Ends running transactions, writes a checkpoint, stops. */
  stop(): Promise<void>
}

const SOCKET_FILE = '.s.PGSQL.5432'
/** The kernels' limit for the path of a Unix socket is 104 (macOS) or 108 (Linux) bytes. */
const MAX_SOCKET_PATH_LENGTH = 100
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000
const RETRY_START_MS = 2_000
const MAX_LOG_BYTES = 5_000_000

/** Starts the embedded PostgreSQL; the first start of a folder makes the cluster. */
export async function launchPostgres(options: LaunchOptions): Promise<RunningPostgres> {
  const native = options.native ?? findNativePostgres()
  const folder = path.resolve(options.folder)
  checkFolder(undefined, folder)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const socketFolder = chooseSocketFolder(folder)
  const server = new Server(options, native, folder, socketFolder)
  claimFolder(folder, socketFolder)
  try {
    await endOrphan(path.join(folder, 'cluster'))
    prepareFiles(native, folder, socketFolder)
    if (!fs.existsSync(path.join(folder, 'cluster', 'PG_VERSION'))) makeCluster(native, folder, options.durability)
    await server.start()
  } catch (error) {
    releaseFolder(folder, socketFolder)
    throw error
  }
  return server
}

/** The URL of a server that another process runs for this folder; undefined when none runs. */
export function urlOfRunningPostgres(folder: string, database: string, user: string): string | undefined {
  const owner = ownerOfFolder(path.resolve(folder))
  return owner && socketUrl(owner.socketFolder, database, user)
}

class Server implements RunningPostgres {
  pid = 0
  readonly #options: LaunchOptions
  readonly #native: NativePostgres
  readonly #folder: string
  readonly #socketFolder: string
  #child: ChildProcess | undefined
  #exited: Promise<number | null> = Promise.resolve(null)
  #isStopping = false
  #crashTimes: number[] = []

  constructor(options: LaunchOptions, native: NativePostgres, folder: string, socketFolder: string) {
    this.#options = options
    this.#native = native
    this.#folder = folder
    this.#socketFolder = socketFolder
  }

  url(database: string, user: string): string {
    return socketUrl(this.#socketFolder, database, user)
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    for (;;) {
      const logBytesBefore = logSize(this.#folder)
      this.#spawn()
      if (await this.#becameReady(deadline)) return
      const log = readLog(this.#folder, logBytesBefore)
      // After kill -9 of the postmaster its last backends need a moment to notice; until then it may not start.
      if (!/shared memory block .* is still in use/s.test(log) || Date.now() > deadline) {
        throw new Error(`The embedded PostgreSQL did not start:\n${log}`)
      }
      await delay(100)
    }
  }

  #spawn(): void {
    removeStaleSocket(this.#socketFolder)
    const command = this.#native.command('postgres', serverArguments(this.#folder, this.#socketFolder, this.#options))
    const { file, args } = this.#native.lifeline === 'pipe' ? pipeLifeline(command) : command
    const log = openLog(this.#folder)
    const child = spawn(file, args, {
      // The pipe to its input is the lifeline where the kernel has none.
      stdio: [this.#native.lifeline === 'pipe' ? 'pipe' : 'ignore', log, log],
      env: serverEnvironment(),
      cwd: '/',
      detached: true, // Ctrl-C reaches this process only, which then stops the server in order
    })
    fs.closeSync(log)
    // Does not keep this process alive; when this process ends, so does the server.
    child.unref()
    ;(child.stdin as Socket | null)?.unref()
    this.#child = child
    this.#exited = new Promise(resolve => {
      child.once('exit', code => resolve(code))
      child.once('error', () => resolve(-1))
    })
  }

  /** Follows the status line that PostgreSQL keeps in its pid file (as pg_ctl does). */
  async #becameReady(deadline: number): Promise<boolean> {
    let hasExited = false
    const exited = this.#exited
    void exited.then(() => {
      hasExited = true
    })
    for (;;) {
      const [firstLine, , , , , , , status] = readPidFile(this.#folder)
      const pid = Number(firstLine)
      // Behind a pipe, the child is a shell; a stale file carries our own number (see endOrphan).
      const isNew = this.#isPiped() ? pid > 0 && pid !== process.pid : pid === this.#child?.pid
      if (status?.trim() === 'ready' && isNew) {
        this.pid = pid
        void exited.then(() => this.#onExit())
        return true
      }
      if (hasExited) return false
      if (Date.now() > deadline) {
        this.#child?.kill('SIGKILL')
        await exited
        return false
      }
      await delay(5)
    }
  }

  #isPiped(): boolean {
    return this.#native.lifeline === 'pipe'
  }

  /** The server ended. Unless it was told to, it is started again: connections come back without our restart. */
  async #onExit(): Promise<void> {
    if (this.#isStopping) return
    const now = Date.now()
    this.#crashTimes = [...this.#crashTimes.filter(time => time > now - 60_000), now]
    const willRestart = this.#crashTimes.length <= (this.#options.restartsPerMinute ?? 5)
    this.#options.onCrash?.({ message: `The embedded PostgreSQL (${this.pid}) ended unexpectedly.`, willRestart })
    if (!willRestart) return
    await this.#startAgain()
    if (this.#isStopping) await this.#end()
  }

  /** Until it succeeds: what keeps the server from starting, such as a full disk, may pass without us. */
  async #startAgain(): Promise<void> {
    for (let attempt = 1; !this.#isStopping; attempt += 1) {
      try {
        await endOrphan(path.join(this.#folder, 'cluster'))
        if (!this.#isStopping) await this.start()
        return
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        if (attempt === 1) this.#options.onCrash?.({ message, willRestart: true })
        await delay(RETRY_START_MS, undefined, { ref: false })
      }
    }
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#child?.ref()
    await this.#end()
    releaseFolder(this.#folder, this.#socketFolder)
  }

  async #end(): Promise<void> {
    const signal = (name: NodeJS.Signals) => {
      if (!this.#isPiped()) this.#child?.kill(name)
      else if (this.#child?.exitCode === null && this.#child.signalCode === null) process.kill(this.pid, name)
    }
    signal('SIGINT')
    const hasEnded = await Promise.race([this.#exited.then(() => true), delay(STOP_TIMEOUT_MS, false, { ref: false })])
    if (hasEnded) return
    signal('SIGQUIT') // without a checkpoint: the next start recovers from the log
    await this.#exited
  }
}

function serverArguments(folder: string, socketFolder: string, options: LaunchOptions): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: 100,
    timezone: 'Asia/Tokyo',
    jit: 'off',
    // The log holds no statement, no parameter and no value of a row: errors go to the client, which masks them.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    log_statement: 'none',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'Asia/Tokyo',
  }
  if (options.durability === 'throwaway') {
    const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'minimal' }
    Object.assign(settings, fast, { max_wal_senders: 0, shared_buffers: '64MB', autovacuum: 'off' })
  } else {
    Object.assign(settings, { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' })
    if (process.platform === 'linux') settings.recovery_init_sync_method = 'syncfs'
    if (process.platform === 'darwin') settings.wal_sync_method = 'fsync_writethrough' // past the drive's cache
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', path.join(folder, 'cluster'), '-k', socketFolder, ...flags]
}

/** Nothing of our environment (secrets, PG… variables) reaches the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const path = process.env.PATH ?? '/usr/bin:/bin'
  return { PATH: path, LC_ALL: 'C', HOME: '/', PG_GRANDPARENT_PID: String(process.pid) }
}

/** Makes the cluster aside and renames it: a start that was killed half-way leaves no half-made cluster. */
function makeCluster(native: NativePostgres, folder: string, durability: LaunchOptions['durability']): void {
  const draft = path.join(folder, 'cluster.draft')
  fs.rmSync(draft, { recursive: true, force: true })
  // LC_CTYPE must be UTF-8 for pg_trgm to see Japanese. The order of text is that of its code points.
  const ctype = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`]
  const noSync = durability === 'throwaway' ? ['--no-sync'] : []
  const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', ...locale, '--no-instructions', ...noSync]
  const { file, args } = native.command('initdb', ['-D', draft, ...flags])
  const made = spawnSync(file, args, { encoding: 'utf8', env: serverEnvironment(), cwd: '/' })
  if (made.status !== 0) {
    throw new Error(
      `The embedded PostgreSQL could not make its cluster:\n${made.error ?? ''}${made.stdout}${made.stderr}`,
    )
  }
  fs.renameSync(draft, path.join(folder, 'cluster'))
}

/** The files must belong to whom the server runs as; that changes when a folder moves between kinds of machines. */
function prepareFiles(native: NativePostgres, folder: string, socketFolder: string): void {
  const owner = native.fileOwner
  fs.mkdirSync(socketFolder, { recursive: true, mode: 0o700 })
  if (!owner) return
  fs.chownSync(socketFolder, owner.uid, owner.gid)
  const cluster = path.join(folder, 'cluster')
  if (fs.existsSync(cluster) && fs.statSync(cluster).uid !== owner.uid) changeOwner(cluster, owner)
}

function changeOwner(entry: string, owner: { uid: number; gid: number }): void {
  fs.lchownSync(entry, owner.uid, owner.gid)
  if (!fs.lstatSync(entry).isDirectory()) return
  for (const name of fs.readdirSync(entry)) changeOwner(path.join(entry, name), owner)
}

/**
 * A pid file that is left over belongs to a server whose parent was killed (stopped here), or is stale: its process
 * is gone, or its number went to another program, which PostgreSQL would take for itself. The file itself must stay:
 * through it PostgreSQL sees whether a killed server still has living children, which would damage the cluster.
 */
async function endOrphan(cluster: string): Promise<void> {
  const folder = path.dirname(cluster)
  const [firstLine, ...otherLines] = readPidFile(folder)
  const pid = Number(firstLine)
  if (!(pid > 0)) return
  const isOurs = () => commandLineOf(pid)?.includes(cluster) === true
  if (!isOurs()) {
    // Our own number never counts as another server (see serverEnvironment).
    fs.writeFileSync(path.join(cluster, 'postmaster.pid'), [process.pid, ...otherLines].join('\n'))
    return
  }
  const started = Date.now()
  process.kill(pid, 'SIGINT')
  let isWaiting = true
  while (isOurs()) {
    if (isWaiting && Date.now() > started + STOP_TIMEOUT_MS) {
      isWaiting = false
      process.kill(pid, 'SIGQUIT')
    }
    await delay(20)
  }
}

/**
 * What a killed server or a power cut left: PostgreSQL refuses to start when the number in the socket's lock belongs to
 * any process of its user meanwhile. The folder is claimed, and a server that still ran in it has been ended.
 */
function removeStaleSocket(socketFolder: string): void {
  for (const name of [SOCKET_FILE, `${SOCKET_FILE}.lock`]) fs.rmSync(path.join(socketFolder, name), { force: true })
}

function chooseSocketFolder(folder: string): string {
  const inside = path.join(folder, 'socket')
  if (Buffer.byteLength(path.join(inside, SOCKET_FILE)) <= MAX_SOCKET_PATH_LENGTH) return inside
  return fs.mkdtempSync(path.join(os.tmpdir(), 'pg-'))
}

function socketUrl(socketFolder: string, database: string, user: string): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(socketFolder)}`
}

function readPidFile(folder: string): string[] {
  try {
    return fs.readFileSync(path.join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

const logFile = (folder: string) => path.join(folder, 'postgres.log')

function openLog(folder: string): number {
  if (logSize(folder) > MAX_LOG_BYTES) fs.renameSync(logFile(folder), `${logFile(folder)}.1`)
  return fs.openSync(logFile(folder), 'a', 0o600)
}

function logSize(folder: string): number {
  return fs.statSync(logFile(folder), { throwIfNoEntry: false })?.size ?? 0
}

/** What the server wrote since its log had `fromByte` bytes; at most the last 4,000 characters. */
function readLog(folder: string, fromByte: number): string {
  const log = fs.readFileSync(logFile(folder))
  return log.subarray(Math.min(fromByte, log.length)).toString('utf8').slice(-4000)
}
