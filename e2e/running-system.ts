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
  /** Ends the system politely, and keeps its data. */
  stop(): Promise<void>
}

/**
 * The whole product as a newcomer starts it, in a data folder and on ports of its own: real PostgreSQL, statistics,
 * issuer, jobs and built applications.
 */
export async function startSystem(dataDir: string): Promise<RunningSystem> {
  const [web, insight, iam] = await freePorts(3)
  const child = spawn(process.execPath, [path.join(ROOT, 'apps/server/commands/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      VITEST: undefined,
      NODE_ENV: undefined,
      DATA_DIR: dataDir,
      PORT: String(web),
      INSIGHT_API_PORT: String(insight),
      IAM_API_PORT: String(iam),
      LOG_LEVEL: 'warn',
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
    password: readFileSync(path.join(dataDir, 'demo-password'), 'utf8').trim(),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
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
