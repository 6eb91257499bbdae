import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'

/** Where the system under test is; plain values, so that a global setup can hand it to the test files. */
export interface SystemAddress {
  readonly webOrigin: string
  readonly insightOrigin: string
  readonly iamOrigin: string
  readonly dataDir: string
  /** The password of all demonstration users. */
  readonly password: string
}

export interface RunningSystem extends SystemAddress {
  /** What it has printed. */
  readonly output: () => string
  /** Where the first administrator is made: of an empty system that has no user yet. */
  readonly firstAdminLink: string
  /** Ends the system politely, and keeps its data. */
  stop(): Promise<void>
}

interface StartOptions {
  readonly isEmpty?: boolean
  readonly daysLater?: number
  readonly settingsFor?: (webOrigin: string) => Promise<Readonly<Record<string, string>>>
}

/**
 * The whole product as a newcomer starts it, in a data folder and on ports of its own: real PostgreSQL, statistics,
 * issuer, jobs and built applications.
 * @param options isEmpty: without demonstration. daysLater: the clock of the program goes that many days ahead.
 * settingsFor: further settings, where some depend on the address
 */
export async function startSystem(
  dataDir: string,
  { isEmpty = false, daysLater = 0, settingsFor = async () => ({}) }: StartOptions = {},
): Promise<RunningSystem> {
  const [web, insight, iam] = await freePorts(3)
  const settings = await settingsFor(`http://127.0.0.1:${web}`)
  const clock = daysLater > 0 ? ['--import', clockAhead(daysLater)] : []
  const child = spawn(process.execPath, [...clock, path.join(ROOT, 'apps/server/commands/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      VITEST: undefined,
      NODE_ENV: undefined,
      PUBLISHER_CENTER_DEMO: isEmpty ? 'off' : process.env.PUBLISHER_CENTER_DEMO,
      DATA_DIR: dataDir,
      PORT: String(web),
      INSIGHT_API_PORT: String(insight),
      IAM_API_PORT: String(iam),
      LOG_LEVEL: 'warn',
      ...settings,
    },
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    exited.then(() => reject(new Error(`the system ended before it was ready:\n${output}`)))
  })
  return {
    webOrigin: `http://127.0.0.1:${web}`,
    insightOrigin: `http://127.0.0.1:${insight}`,
    iamOrigin: `http://127.0.0.1:${iam}`,
    dataDir,
    password: isEmpty ? '' : readFileSync(path.join(dataDir, 'demo-password'), 'utf8').trim(),
    output: () => output,
    firstAdminLink: /\S+#\/first-admin\/\S+/.exec(output)?.[0] ?? '',
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A module that sets the clock of its process ahead; PostgreSQL keeps the machine's. */
function clockAhead(days: number): string {
  return `data:text/javascript,${encodeURIComponent(`
    const Real = Date, ahead = ${days} * 86_400_000
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ahead) : super(...given) }
      static now() { return Real.now() + ahead }
    }`)}`
}

/** Of systems that are only starting: their ports look free. */
const promised = new Set<number>()

/** Ports that are free now; held together until all are known, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer()
      return new Promise<typeof server>(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
    }),
  )
  const ports = servers.map(server => (server.address() as { port: number }).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  if (ports.some(port => promised.has(port))) return freePorts(count)
  for (const port of ports) promised.add(port)
  return ports
}
