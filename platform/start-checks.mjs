// Checks before anything is installed, built or written. Plain JavaScript, because the launcher runs it on whatever
// Node is on PATH; the server runs it again where there is no launcher (containers).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

export const START_DEFAULTS = {
  HOST: '127.0.0.1',
  PORT: 4000,
  INSIGHT_API_PORT: 4001,
  IAM_API_PORT: 4002,
  OPERATOR_HOST: '127.0.0.1',
  DATA_DIR: './data',
}
const CONNECT_TIMEOUT_MS = 1_000
/** Lower ports need a privilege on most systems. */
const FIRST_UNPRIVILEGED_PORT = 1024
const FIRST_START_MB = 250
const isWildcard = host => host === '0.0.0.0' || host === '::'

/** @returns one sentence that says why the system cannot start; undefined: nothing found */
export async function checkStart(env, services) {
  const dataDir = path.resolve(env.DATA_DIR || START_DEFAULTS.DATA_DIR)
  return (
    folderProblem('DATA_DIR', dataDir) ??
    contentProblem(dataDir) ??
    (await portProblem(env, services, dataDir)) ??
    spaceProblem(env, dataDir)
  )
}

/** Free space for a first start: the empty embedded stores take 80 MB, the demonstration three times as much. */
function spaceProblem(env, dataDir) {
  if (env.DATABASE_URL || env.DATABASE_URL_FILE || fs.existsSync(path.join(dataDir, 'postgres', 'cluster')))
    return undefined
  const { bavail, bsize } = fs.statfsSync(nearestExisting(dataDir))
  const free = Math.floor((bavail * bsize) / 1_000_000)
  if (free >= FIRST_START_MB) return undefined
  return `DATA_DIR=${dataDir}: ${free} MB are free on its disk, and a first start needs ${FIRST_START_MB} MB. Free some, or set another DATA_DIR.`
}

/**
 * Detects a start as root in another person's folder: its files would lock that person out.
 * @param setting - name of the setting that names the folder; undefined: this checkout
 */
export function folderProblem(setting, folder) {
  const shown = setting ? `${setting}=${folder}` : folder
  const another = setting ? `, or set another ${setting}` : ''
  try {
    const nearest = nearestExisting(folder)
    const stat = fs.statSync(nearest)
    if (!stat.isDirectory()) return `${shown}: ${nearest} is not a folder. Name a folder.`
    const whose = nearest === folder ? `${shown} belongs` : `${shown}: ${nearest} belongs`
    const owner = nameOfUser(stat.uid)
    if (process.getuid?.() === 0 && stat.uid !== 0)
      return `${whose} to ${owner}, and root would leave files there that ${owner} cannot use. Start as ${owner}, without sudo${another}.`
    fs.accessSync(nearest, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    return undefined
  } catch (error) {
    return `${shown}: ${reasonOf(error)}`
  }
}

/**
 * {@link folderProblem} for the checkout. An owner without an account on this machine is no person: containers have
 * such checkouts.
 */
export function checkoutProblem(root) {
  const { uid } = fs.statSync(root)
  if (process.getuid?.() !== 0 || uid === 0 || (accountOf(uid) === undefined && !process.env.SUDO_UID)) return undefined
  return folderProblem(undefined, root)
}

/** Detects a start by an ordinary user in a folder in which root or another user has started the system before. */
function contentProblem(dataDir) {
  const uid = process.getuid?.() ?? 0
  if (uid === 0 || !fs.existsSync(dataDir)) return undefined
  const cluster = path.join(dataDir, 'postgres', 'cluster')
  for (const entry of [...fs.readdirSync(dataDir).map(name => path.join(dataDir, name)), cluster]) {
    const owner = fs.lstatSync(entry, { throwIfNoEntry: false })?.uid
    // PostgreSQL only accepts its own user's folder, so being writable is not enough.
    if (owner === undefined || (entry !== cluster && isWritable(entry)) || owner === uid) continue
    return `DATA_DIR=${dataDir}: ${entry} belongs to ${nameOfUser(owner)} and cannot be used by ${nameOfUser(uid)}. Give it back with: sudo chown -R ${uid} '${dataDir}'`
  }
  return undefined
}

function isWritable(entry) {
  try {
    fs.accessSync(entry, fs.constants.R_OK | fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Tests ports by connecting, not by listening, because a parallel start would then find the port taken by this test.
 */
async function portProblem(env, services, dataDir) {
  const listeners = listenersOf(env, services)
  for (const [index, one] of listeners.entries()) {
    const other = listeners
      .slice(0, index)
      .find(({ port, host }) => port === one.port && (host === one.host || isWildcard(host) || isWildcard(one.host)))
    if (other) return `${other.setting} and ${one.setting} are both ${one.port}: give each a port of its own.`
  }
  for (const { hostSetting, host } of listeners) {
    const problem = await listenProblem(host, 0)
    if (problem)
      return `${hostSetting}=${host} cannot be listened on (${problem}): name an address of this machine, such as 127.0.0.1.`
  }
  for (const { setting, port, host } of listeners) {
    if (await answers(host, port)) {
      const user = userOfPort(port)
      const owner = runningOwner(dataDir, user?.pid)
      if (owner !== undefined)
        return `Publisher Center is already running with DATA_DIR=${dataDir} (process ${owner}). Stop it first, or set another DATA_DIR.`
      const who = user ? ` (process ${user.pid}: ${user.command})` : ''
      return `Port ${port} (${setting}) is in use: another program listens on ${host}:${port}${who}. End it, or set ${setting} to another port.`
    }
    if (port < FIRST_UNPRIVILEGED_PORT && (await listenProblem(host, port)) === 'EACCES')
      return `Port ${port} (${setting}) may not be opened by this user. Set ${setting} to a port from ${FIRST_UNPRIVILEGED_PORT}.`
  }
  return undefined
}

function listenersOf(env, services) {
  const settings = [
    ...(services.includes('web') ? ['PORT'] : []),
    ...(services.includes('api') ? ['INSIGHT_API_PORT', 'IAM_API_PORT'] : []),
    'OPERATOR_PORT',
  ]
  return settings.flatMap(setting => {
    const port = Number(env[setting] || START_DEFAULTS[setting])
    const hostSetting = setting === 'OPERATOR_PORT' ? 'OPERATOR_HOST' : 'HOST'
    const host = env[hostSetting] || START_DEFAULTS[hostSetting]
    // An invalid port is a wrong setting, which is reported with the others.
    return Number.isInteger(port) && port > 0 && port < 65_536 ? [{ setting, port, host, hostSetting }] : []
  })
}

/** Tries to listen. @returns the error code; undefined: the port is free */
function listenProblem(host, port) {
  return new Promise(resolve => {
    const server = net.createServer()
    server.once('error', error => resolve(error.code))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}

function answers(host, port) {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise(resolve => {
    const socket = net.connect({ host: address, port, timeout: CONNECT_TIMEOUT_MS })
    const end = answer => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}

/** Process and command that listen on a port, if this user may see them. */
function userOfPort(port) {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = spawnSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], { encoding: 'utf8' })
      const [, pid, command] = /^p(\d+)\n(?:.*\n)*?c(.+)$/m.exec(stdout ?? '') ?? []
      return pid && command ? { pid: Number(pid), command } : undefined
    }
    const sockets = listeningSockets(port)
    const pid = fs.readdirSync('/proc').find(name => /^\d+$/.test(name) && holdsOneOf(name, sockets))
    if (pid === undefined) return undefined
    // Without arguments, which may contain secrets.
    return { pid: Number(pid), command: fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }
  } catch {
    return undefined
  }
}

/** Socket names as in /proc/<pid>/fd of sockets that listen on a port (/proc/net/tcp). */
function listeningSockets(port) {
  const LISTENING = '0A'
  const rows = ['tcp', 'tcp6'].flatMap(name =>
    fs.existsSync(`/proc/net/${name}`) ? fs.readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1) : [],
  )
  const columns = rows.map(row => row.trim().split(/\s+/))
  const listening = columns.filter(
    ([, local, , state]) => state === LISTENING && Number.parseInt(local?.split(':')[1] ?? '', 16) === port,
  )
  return new Set(listening.map(row => `socket:[${row[9]}]`))
}

function holdsOneOf(pid, sockets) {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).some(fd => isOneOf(`/proc/${pid}/fd/${fd}`, sockets))
  } catch {
    return false // of another user, or gone
  }
}

function isOneOf(link, sockets) {
  try {
    return sockets.has(fs.readlinkSync(link))
  } catch {
    return false // closed meanwhile
  }
}

/** The living process that has claimed the data folder, if it is the one that listens (or that is unknown). */
function runningOwner(dataDir, listeningPid) {
  try {
    const run = path.join(dataDir, 'run')
    for (const name of fs.readdirSync(run).filter(file => /^owner-.*\.json$/.test(file))) {
      const { pid } = JSON.parse(fs.readFileSync(path.join(run, name), 'utf8'))
      if (pid === listeningPid) return pid
      if (listeningPid === undefined && process.kill(pid, 0)) return pid
    }
  } catch {
    // No such folder, or its owner is gone.
  }
  return undefined
}

function nearestExisting(folder) {
  let nearest = folder
  while (!fs.statSync(nearest, { throwIfNoEntry: false })) nearest = path.dirname(nearest)
  return nearest
}

/** A file system error in words. */
export function reasonOf(error) {
  const where = error.path ? `${error.path} ` : 'it '
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return `${where}cannot be written by ${nameOfUser(process.getuid?.() ?? 0)}. Change its owner or rights, or name another folder.`
  if (error.code === 'EROFS') return `${where}is on a read-only file system. Name another folder.`
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') return `${where}is not a folder. Name a folder.`
  return error.message
}

function nameOfUser(uid) {
  return accountOf(uid) ?? `user ${uid}`
}

function accountOf(uid) {
  try {
    const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
    return accounts.map(line => line.split(':')).find(([name, , id]) => name && id === String(uid))?.[0]
  } catch {
    return undefined
  }
}
