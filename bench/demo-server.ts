import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'

export interface DemoServer {
  readonly origin: string
  /** Of every demonstration user. */
  readonly password: string
  stop(): Promise<void>
}

/** `npm start` as a newcomer has it; the folder with its demonstration data is kept for the next time. */
export async function startDemoServer(folder: string, port: number): Promise<DemoServer> {
  const { DATABASE_URL: _database, ...inherited } = process.env
  const child = spawn(process.execPath, [path.join(ROOT, 'apps/server/commands/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...inherited,
      DATA_DIR: folder,
      PORT: String(port),
      INSIGHT_API_PORT: String(port + 1),
      IAM_API_PORT: String(port + 2),
      LOG_LEVEL: 'warn',
    },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`the server ended with code ${code}`)))
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    password: fs.readFileSync(path.join(folder, 'demo-password'), 'utf8').trim(),
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
