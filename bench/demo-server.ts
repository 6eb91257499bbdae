import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'
import { selfSigned } from './self-signed.ts'
import { openTlsFront } from './tls-front.ts'

export interface DemoServer {
  /** Origin for browsers: with TLS and HTTP/2. */
  readonly origin: string
  /** Key hash that the browser must trust, see `selfSigned`. */
  readonly publicKeyHash: string
  /** Password of every demonstration user. */
  readonly password: string
  readonly pid: number
  stop(): Promise<void>
}

/** Port offset of the TLS front. */
const FRONT = 10

/**
 * `npm start` with demonstration data, behind a front that ends TLS as in production. The folder is kept for the next
 * run.
 */
export async function startDemoServer(folder: string, port: number): Promise<DemoServer> {
  const { DATABASE_URL: _database, ...inherited } = process.env
  const certificate = selfSigned('127.0.0.1', new Date())
  const ports = [port, port + 1, port + 2]
  const [webOrigin = '', insightApiOrigin, iamApiOrigin] = ports.map(behind => `https://127.0.0.1:${behind + FRONT}`)
  const child = spawn(process.execPath, [path.join(ROOT, 'apps/server/commands/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...inherited,
      DATA_DIR: folder,
      PORT: String(port),
      INSIGHT_API_PORT: String(port + 1),
      IAM_API_PORT: String(port + 2),
      WEB_ORIGIN: webOrigin,
      INSIGHT_API_ORIGIN: insightApiOrigin,
      IAM_API_ORIGIN: iamApiOrigin,
      TRUSTED_PROXIES: '0',
      LOG_LEVEL: 'warn',
    },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`the server ended with code ${code}`)))
  })
  const fronts = await Promise.all(ports.map(behind => openTlsFront(certificate, behind + FRONT, behind)))
  return {
    origin: webOrigin,
    publicKeyHash: certificate.publicKeyHash,
    password: fs.readFileSync(path.join(folder, 'demo-password'), 'utf8').trim(),
    pid: child.pid!,
    async stop() {
      await Promise.all(fronts.map(close => close()))
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
