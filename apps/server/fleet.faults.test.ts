import { randomBytes } from 'node:crypto'
import { createKey } from '@pc/features/ingest/server/ingest-key-commands.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { type Database, openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { startBucketServer } from '@pc/testing/bucket-server.ts'
import { startClickHouseEngine } from '@pc/testing/statistics/clickhouse-engine.ts'
import { STATS_ENGINES } from '@pc/testing/statistics/stats-engines.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import {
  FLEET_QUERY,
  FLEET_VARIABLES,
  type FleetDelivery,
  fleetSequence,
  stateAnswered,
} from '@pc/testing/system/fleet-publications.ts'
import { consoleClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import { ask, freePorts, MAX_START_MS, startCommandsFixture } from '@pc/testing/system/start-commands-fixture.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * A process answers one GraphQL request from exactly one published state, also while processes are killed. On ClickHouse one web and two api processes with a bucket; on DuckDB the one process that owns the file.
 * `PUBLICATIONS=200 npm run test:faults -- apps/server/fleet` is the long form.
 */
const LENGTH = Number(process.env.PUBLICATIONS ?? 8)
const PASSWORD = 'separate parts, one system'
const MAX_TEST_MS = MAX_START_MS + LENGTH * 60_000
const TOKEN_MS = 240_000
/** Between two questions of a reader: without a pause two of them take the processors from those who start and publish. */
const PAUSE_MS = 100

const fixture = startCommandsFixture()
const { closing, secretFile } = fixture
const SECRETS_KEY = randomBytes(32).toString('base64')

afterAll(() => fixture.close())

interface Account {
  readonly database: Database
  readonly url: string
  readonly rows: TwoOrganizations
  readonly ingestSecret: string
}
const accounts = new Map<string, Account>()

beforeAll(async () => {
  for (const engine of STATS_ENGINES) {
    const { url } = await fixture.migratedDatabase(`fleet_${engine}_${process.pid}`)
    const database = openDatabase({ url, maxConnections: 2 })
    closing.unshift(() => database.close())
    const rows = await makeTwoOrganizations(database)
    const passwordHash = await hashPassword(PASSWORD)
    const { uid } = rows.users['insight:viewer']
    await database.inScope(SYSTEM, async tx => {
      await tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute()
      await tx.updateTable('users').set({ emailVerifiedAt: new Date() }).where('uid', '=', uid).execute()
    })
    const context = { database, clock: systemClock } as Parameters<typeof createKey>[0]
    accounts.set(engine, { database, url, rows, ingestSecret: (await createKey(context, '配信システム')).secret })
  }
}, MAX_START_MS)

type Started = ReturnType<typeof fixture.start>

/** A process of the system, started again after it was killed. */
class Part {
  readonly #begin: () => Started
  #running: Started
  ready: Promise<void>
  output = ''

  constructor(begin: () => Started) {
    this.#begin = begin
    this.#running = begin()
    this.ready = this.#running.ready
  }

  kill(): Promise<void> {
    this.ready = this.#killed()
    return this.ready
  }

  async #killed(): Promise<void> {
    const { child, ended, output } = this.#running
    child.kill('SIGKILL')
    await ended
    this.output += output()
    this.#running = this.#begin()
    await this.#running.ready
  }

  async stop(): Promise<number | null> {
    this.#running.child.kill('SIGTERM')
    const code = await this.#running.ended
    this.output += this.#running.output()
    return code
  }
}

interface Fleet {
  readonly web: Part
  readonly webPort: string
  /** Those that answer, each with its port. */
  readonly readers: readonly (readonly [Part, string])[]
}

async function startFleet(engine: string, { url }: Account): Promise<Fleet> {
  const [web = '', insight = '', iam = '', other = '', otherIam = ''] = await freePorts(5)
  const ports = { web, insight, iam, operator: '0' }
  if (engine === 'duckdb') {
    const settings = {
      ...{ DATABASE_URL: url, SECRETS_KEY, STATS_MEMORY_LIMIT: '256MB', LOG_LEVEL: 'warn' },
      ...{ PORT: web, INSIGHT_API_PORT: insight, IAM_API_PORT: iam, OIDC_CLIENT_ID: 'console' },
    }
    const whole = new Part(() => fixture.startWhole(settings, 'fleet-whole'))
    await whole.ready
    return { web: whole, webPort: web, readers: [[whole, insight], [whole, insight]] } // biome-ignore format: one line
  }
  const server = process.env.CLICKHOUSE_URL
    ? { url: process.env.CLICKHOUSE_URL, stop: async () => {} }
    : await startClickHouseEngine()
  closing.push(() => server.stop())
  const bucket = await startBucketServer()
  closing.push(async () => bucket.close())
  const files = {
    DATABASE_URL_FILE: secretFile('fleet_database_url', url),
    CLICKHOUSE_URL_FILE: secretFile('fleet_clickhouse_url', new URL(`/fleet_${process.pid}`, server.url).href),
    SECRETS_KEY_FILE: secretFile('fleet_secrets_key', SECRETS_KEY),
    OBJECTS_URL: bucket.objectsUrl,
  }
  const part = (service: string, own: string, more: Readonly<Record<string, string>> = {}) =>
    new Part(() => fixture.start(service, { ...fixture.settingsOf(service, ports, files), ...more }, own))
  const webPart = part('web', 'fleet-web')
  await webPart.ready
  const api = part('api', 'fleet-api')
  const otherApi = part('api', 'fleet-api-2', { INSIGHT_API_PORT: other, IAM_API_PORT: otherIam })
  await Promise.all([api.ready, otherApi.ready])
  return { web: webPart, webPort: web, readers: [[api, insight], [otherApi, other]] } // biome-ignore format: one line
}

async function signIn(webPort: string, email: string): Promise<string> {
  const origin = `http://127.0.0.1:${webPort}`
  const browser = new TestBrowser(origin)
  expect((await browser.api('sign-in', { email, password: PASSWORD })).status).toBe(200)
  return (await silentTokens(browser, consoleClient(origin))).id_token ?? ''
}

/** True when it is published; false when nobody answered, or the answer was to come again. @throws at a refusal */
async function deliver(webPort: string, secret: string, delivery: FleetDelivery): Promise<boolean> {
  const { dataset, batchId, replaces, csv } = delivery
  const query = new URLSearchParams({ batchId, ...(replaces === undefined ? {} : { replaces }) })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'text/csv' }
  const url = `http://127.0.0.1:${webPort}/ingest/v1/${dataset}?${query}`
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: csv })
    const text = await answer.text()
    if (answer.status !== 200 && answer.status !== 503) throw new Error(`${batchId}: ${answer.status} ${text}`)
    return answer.status === 200
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

test.each(STATS_ENGINES)(
  '%s: every answer of every process is one published state',
  async engine => {
    const account = accounts.get(engine)!
    const fleet = await startFleet(engine, account)
    const random = randomFrom(20261130)
    const { deliveries, states } = fleetSequence(random, LENGTH, account.rows.a.publisherIds[0]!)
    expect(new Set(states).size).toBe(LENGTH + 1)
    const { email } = account.rows.users['insight:viewer']
    let token = await signIn(fleet.webPort, email)
    let signedInAt = performance.now()

    let [published, publishing, seen, isOver] = [0, 0, 0, false]
    const counts = { answers: 0, whilePublishing: 0, mixtures: 0, old: 0, unanswered: 0, kills: 0, publisherKills: 0 }
    const wrong: string[] = []
    let starting = Promise.resolve()

    async function read(part: Part, port: string): Promise<void> {
      for (; !isOver; await new Promise(resolve => setTimeout(resolve, PAUSE_MS))) {
        const least = Math.max(published, seen)
        const wasPublishing = publishing > published
        const answer = await ask(port, token, FLEET_QUERY, FLEET_VARIABLES).catch(() => undefined)
        if (!answer?.data || answer.errors) {
          counts.unanswered += 1
          if (answer?.errors && wrong.length < 5) wrong.push(JSON.stringify(answer.errors))
          await part.ready.catch(() => undefined)
          continue
        }
        const state = stateAnswered(answer.data)
        counts.answers += 1
        if (wasPublishing) counts.whilePublishing += 1
        const place = states.indexOf(state)
        if (place >= least && place <= publishing) seen = Math.max(seen, place)
        else if (place >= 0) counts.old += 1
        else counts.mixtures += 1
        if (place < 0 && wrong.length < 5) wrong.push(state)
      }
    }

    async function publishAll(): Promise<void> {
      for (const [index, delivery] of deliveries.entries()) {
        publishing = index + 1
        for (let attempt = 1; ; attempt += 1) {
          let killing: Promise<void> | undefined
          const kill = () => {
            counts.publisherKills += 1
            killing = fleet.web.kill()
          }
          const isKilled = (index === 3 && attempt === 1) || random.chance(0.03)
          const timer = isKilled ? setTimeout(kill, random.below(1_500)) : undefined
          const isPublished = await deliver(fleet.webPort, account.ingestSecret, delivery)
          clearTimeout(timer)
          await killing
          if (isPublished) break
        }
        published = index + 1
        if (index % 20 === 19) process.stdout.write(`${engine}: ${published} of ${LENGTH} ${JSON.stringify(counts)}\n`)
        // Nothing waits until it is there again.
        if (engine === 'clickhouse' && (index === 5 || random.chance(0.06))) {
          counts.kills += 1
          const [part] = random.pick([...fleet.readers])
          starting = starting.then(() => part.kill())
        }
        if (performance.now() - signedInAt < TOKEN_MS) continue
        token = await signIn(fleet.webPort, email)
        signedInAt = performance.now()
      }
    }

    const reading = fleet.readers.map(([part, port]) => read(part, port))
    try {
      await publishAll()
    } finally {
      isOver = true
      await Promise.all([...reading, starting])
    }
    for (const [, port] of fleet.readers)
      expect(stateAnswered((await ask(port, token, FLEET_QUERY, FLEET_VARIABLES)).data!)).toBe(states.at(-1))
    process.stdout.write(`${engine}: ${LENGTH} publications, ${JSON.stringify(counts)} ${wrong.join('\n')}\n`)
    expect(counts, wrong.join('\n')).toMatchObject({ mixtures: 0, old: 0 })
    expect(counts.whilePublishing).toBeGreaterThan(0)
    const parts = new Set([fleet.web, ...fleet.readers.map(([part]) => part)])
    expect(await Promise.all([...parts].map(part => part.stop()))).toEqual([...parts].map(() => 0))
    for (const { output } of parts) expect(output).not.toMatch(/"level":60|"level":"fatal"/)
  },
  MAX_TEST_MS,
)
