import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { SERVER_FLAGS } from '../bench-server.ts'

/** Pinned, so that measurements of different days are comparable. */
const POSTGRAPHILE = '5.1.5'

/**
 * PostGraphile as in its manual, without features that cost time per request: no sign-in, rules, console or explain.
 */
const PROGRAM = `import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const [url, port, ...schemas] = process.argv.slice(2)
const service = makePgService({ connectionString: url, schemas, poolConfig: { max: 10, application_name: 'peer' } })
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [service],
  grafserv: { graphqlPath: '/query', graphiql: false, watch: false },
  grafast: { explain: false },
}
const server = createServer({ keepAliveTimeout: 300_000 }) // its connections rest while it is the other's turn
await postgraphile(preset).createServ(grafserv).addTo(server)
server.listen(Number(port), '127.0.0.1', () => process.send('ready'))
process.on('SIGTERM', () => process.exit(0))
`

export interface PeerServer {
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Installs PostGraphile beside the stores of the bench, once, and not among the project's dependencies. Returns the
 * installed version.
 */
export async function installPeer(folder: string, say: (text: string) => void): Promise<string> {
  const installed = path.join(folder, 'node_modules/postgraphile/package.json')
  const stamp = path.join(folder, 'installed')
  if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== POSTGRAPHILE) {
    say(`installing PostGraphile ${POSTGRAPHILE} (300 MB) into ${folder} …`)
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
    const own = { name: 'peer', private: true, type: 'module', dependencies: { postgraphile: POSTGRAPHILE } }
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(own))
    const flags = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const npm = process.env.npm_execpath
    await promisify(execFile)(npm ? process.execPath : 'npm', npm ? [npm, ...flags] : flags, { cwd: folder })
    fs.writeFileSync(stamp, POSTGRAPHILE)
  }
  fs.writeFileSync(path.join(folder, 'server.js'), PROGRAM)
  const versionOf = (file: string) => (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version
  const others = ['grafast', 'grafserv', 'pg'].map(
    name => `${name} ${versionOf(path.join(folder, 'node_modules', name, 'package.json'))}`,
  )
  return `PostGraphile ${versionOf(installed)} (${others.join(', ')})`
}

/** Starts it on loopback with the login of `url`, with the same Node and flags as our server. */
export async function startPeer(
  folder: string,
  url: string,
  port: number,
  schemas: readonly string[],
): Promise<PeerServer> {
  const command = [...SERVER_FLAGS, path.join(folder, 'server.js'), url, String(port), ...schemas]
  const child = spawn(process.execPath, command, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`PostGraphile ended with code ${code}`)))
  })
  return {
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
