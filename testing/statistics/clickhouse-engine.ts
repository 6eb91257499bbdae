import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const ENGINE = path.resolve(import.meta.dirname, '../../tools/clickhouse-engine')

/** Cluster name of `tools/clickhouse-engine/emulated-shards.ts`. */
export const SHARDED_CLUSTER = 'shards_of_one_process'

export function isClickHouseEngineInstalled(): boolean {
  return fs.existsSync(path.join(ENGINE, 'node_modules/chdb/package.json'))
}

/**
 * Starts an empty ClickHouse for tests on a free loopback port: chDB in a separate process that speaks ClickHouse's
 * HTTP protocol. `npm run test:clickhouse` installs it. `hasShards`: it has the cluster {@link SHARDED_CLUSTER}.
 */
export async function startClickHouseEngine({
  hasShards = false,
} = {}): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clickhouse-engine-'))
  const child = spawn(
    process.execPath,
    [path.join(ENGINE, 'http-server.ts'), path.join(folder, 'data'), ...(hasShards ? ['--shards'] : [])],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const exit = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString('utf8').trim()))
    child.once('exit', code => reject(new Error(`the ClickHouse engine ended with code ${code}`)))
    child.once('error', reject)
  })
  return {
    url,
    async stop() {
      child.stdin.end()
      await exit
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
