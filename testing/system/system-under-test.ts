import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@pc/platform/clock.ts'
import { type Config, readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { openStats } from '@pc/platform/stats/open-stats.ts'
import { startListeners } from '../../apps/server/start-listeners.ts'
import { type Dependencies, type Wiring, wireDependencies } from '../../apps/server/wire-dependencies.ts'
import { testDatabase } from '../test-database.ts'
import { makeTwoOrganizations, type TwoOrganizations } from './two-organizations.ts'

export const WEB_ORIGIN = 'http://127.0.0.1:4990'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: { readonly data?: unknown; readonly errors?: readonly AnsweredError[] }
}
export interface AnsweredError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code: string; readonly [name: string]: unknown }
}
export interface SystemUnderTest {
  readonly dependencies: Dependencies
  readonly rows: TwoOrganizations
  readonly origins: { readonly web: string; readonly insight: string; readonly iam: string }
  /** Every line of the log, unless somebody else reads it as it is written. */
  readonly logged: readonly string[]
  tokenOf(email: string): Promise<string>
  ask(api: 'insight' | 'iam', query: string, token?: string, variables?: object): Promise<Answer>
  close(): Promise<void>
}

/** Settings that make the web origin the address where the listener really is: for flows that follow redirects. */
export async function atItsOwnOrigin(): Promise<{ readonly PORT: string; readonly WEB_ORIGIN: string }> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return { PORT: String(port), WEB_ORIGIN: `http://127.0.0.1:${port}` }
}

/** All listeners on free ports, with the real stores, issuer and tokens; only a test's database and folder. */
export async function startSystemUnderTest(
  env: Readonly<Record<string, string>> = {},
  {
    prepare,
    clickhouseUrl,
    readLog,
    makeRows = makeTwoOrganizations,
    ...replaced
  }: Partial<Pick<Wiring, 'clock' | 'safeFetch' | 'safePost' | 'bookkeepingClock'>> & {
    /** What the database holds before the start. */
    readonly prepare?: (database: Database) => Promise<void>
    /** In place of the two organisations. */
    readonly makeRows?: (database: Database) => Promise<TwoOrganizations>
    /** Where the statistics lie; otherwise in a file of its own, also where the settings name a server. */
    readonly clickhouseUrl?: string
    /** Reads the log line by line as it is written; nothing is kept then, which long runs could not hold. */
    readonly readLog?: (line: string) => void
  } = {},
): Promise<SystemUnderTest> {
  const test = await testDatabase()
  await prepare?.(test.database)
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-test-'))
  const config: Config = readConfig({
    DATABASE_URL: test.url,
    DATA_DIR: dataDir,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    WEB_ORIGIN,
    STATS_MEMORY_LIMIT: '128MB',
    STATS_THREADS: '1',
    PORT: '0',
    INSIGHT_API_PORT: '0',
    IAM_API_PORT: '0',
    ...env,
  })
  const logged: string[] = []
  const write = readLog ?? ((line: string) => void logged.push(line))
  const log = openLog('debug', { write } as unknown as NodeJS.WritableStream)
  const stats = await openStats({ ...config, clickhouseUrl }, test.url, systemClock)
  const stores = { database: test.database, stats, databaseUrl: test.url, close: async () => {} }
  const dependencies = await wireDependencies({ config, log, clock: systemClock, stores, ...replaced })
  const rows = await makeRows(test.database)
  const listeners = await startListeners(dependencies, ['web', 'api'])
  const [web = '', insight = '', iam = ''] = listeners.map(listener => `http://127.0.0.1:${listener.port}`)
  const origins = { web, insight, iam }
  return {
    dependencies,
    rows,
    origins,
    logged,
    async tokenOf(email) {
      const { body } = await dependencies.identity.mintToken(email)
      if (!('token' in body)) throw new Error(body.message)
      return body.token
    },
    async ask(api, query, token, variables) {
      const response = await fetch(`${origins[api]}/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify({ query, ...(variables ? { variables } : {}) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
    },
    async close() {
      await Promise.all(listeners.map(listener => listener.close()))
      await dependencies.close()
      await stats.close()
      await test.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
