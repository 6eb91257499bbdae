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
  /** Folder of the server: cluster, socket and log. Created if missing, with access for the owner only. */
  readonly folder: string
  /** `throwaway`: data may be lost in a crash; for test databases. */
  readonly durability?: 'full' | 'throwaway'
  /** Called when the server has ended unexpectedly, before it is restarted or when it cannot be. */
  readonly onCrash?: (event: { readonly message: string; readonly willRestart: boolean }) => void
  /** With more crashes in a minute than this (default 5) the server is not restarted. */
  readonly restartsPerMinute?: number
  /** Tests choose how the server runs. */
  readonly native?: NativePostgres
}

export interface RunningPostgres {
  /**
   * URL of a connection over the Unix socket. Access to the socket's folder is the protection: `user` needs no
   * password.
   */
  url(database: string, user: string): string
  /** Process id of the postmaster; it changes after a restart. */
  readonly pid: number
  /** Fast shutdown: ends running transactions, writes a checkpoint, stops. */
  stop(): Promise<void>
}

const SOCKET_FILE = '.s.PGSQL.5432'
/** Limit of the kernels for socket paths: 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH_LENGTH = 100
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000
const RETRY_START_MS = 2_000
const MAX_LOG_BYTES = 5_000_000

/** Starts the embedded PostgreSQL. The first start of a folder creates the cluster. */
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
      // After kill -9 of the postmaster its backends need a moment to notice and exit; until then a start fails.
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
      // The server ends when this pipe closes, where the kernel cannot signal the death of the parent.
      stdio: [this.#native.lifeline === 'pipe' ? 'pipe' : 'ignore', log, log],
      env: serverEnvironment(),
      cwd: '/',
      detached: true, // Ctrl-C then reaches this process only, which stops the server in order
    })
    fs.closeSync(log)
    // Does not keep the event loop alive. When this process ends, the lifeline ends the server.
    child.unref()
    ;(child.stdin as Socket | null)?.unref()
    this.#child = child
    this.#exited = new Promise(resolve => {
      child.once('exit', code => resolve(code))
      child.once('error', () => resolve(-1))
    })
  }

  /** Polls the status line in PostgreSQL's pid file, as pg_ctl does. */
  async #becameReady(deadline: number): Promise<boolean> {
    let hasExited = false
    const exited = this.#exited
    void exited.then(() => {
      hasExited = true
    })
    for (;;) {
      const [firstLine, , , , , , , status] = readPidFile(this.#folder)
      const pid = Number(firstLine)
      // With a pipe the child is a shell, so its pid is not the server's. A stale file contains our own pid (see
      // endOrphan).
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

  /** The server ended. Unless `stop` was called it is restarted, and the pool's connections are replaced. */
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

  /** Retries until it succeeds, because the cause, such as a full disk, may go away. */
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
    signal('SIGQUIT') // immediate shutdown without a checkpoint; the next start recovers from the write-ahead log
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
    // Statements, parameters and row values stay out of the log. Errors go to the client, which masks them.
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
    if (process.platform === 'darwin') settings.wal_sync_method = 'fsync_writethrough' // flushes the drive's own cache too
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', path.join(folder, 'cluster'), '-k', socketFolder, ...flags]
}

/** The server gets none of our environment, which has secrets and PG… variables. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const path = process.env.PATH ?? '/usr/bin:/bin'
  return { PATH: path, LC_ALL: 'C', HOME: '/', PG_GRANDPARENT_PID: String(process.pid) }
}

/** Creates the cluster under a draft name and renames it, so that an interrupted start leaves no incomplete cluster. */
function makeCluster(native: NativePostgres, folder: string, durability: LaunchOptions['durability']): void {
  const draft = path.join(folder, 'cluster.draft')
  fs.rmSync(draft, { recursive: true, force: true })
  // pg_trgm handles Japanese only with a UTF-8 LC_CTYPE. Texts sort by code point.
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

/**
 * Changes the owner of the files to the user that the server runs as. It differs after the folder was moved to a
 * machine with another setup.
 */
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
 * Handles a leftover pid file. Its server may still run without a parent, and is then stopped. Otherwise the process is
 * gone, or its number belongs to another program, which PostgreSQL would take for itself. The file must stay, because
 * PostgreSQL uses it to detect living children of a killed server, which would damage the cluster.
 */
async function endOrphan(cluster: string): Promise<void> {
  const folder = path.dirname(cluster)
  const [firstLine, ...otherLines] = readPidFile(folder)
  const pid = Number(firstLine)
  if (!(pid > 0)) return
  const isOurs = () => commandLineOf(pid)?.includes(cluster) === true
  if (!isOurs()) {
    // PostgreSQL does not take the number of its parent or grandparent for another server (see serverEnvironment).
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
 * Removes socket files of a killed server. PostgreSQL refuses to start when the number in the socket's lock file
 * belongs to any process of its user. Safe, because the folder is claimed and a running server has been stopped.
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

/** The server's log from byte `fromByte` on; at most the last 4,000 characters. */
function readLog(folder: string, fromByte: number): string {
  const log = fs.readFileSync(logFile(folder))
  return log.subarray(Math.min(fromByte, log.length)).toString('utf8').slice(-4000)
}
