import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { createKey } from '@pc/features/ingest/server/ingest-key-commands.ts'
import { bindAccount } from '@pc/features/sign-in/server/bind-account.ts'
import { writeAnchor } from '@pc/platform/audit/anchor-file.ts'
import { folderAnchors, openAnchors } from '@pc/platform/audit/anchor-store.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { type Database, openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { startBucketServer } from '@pc/testing/bucket-server.ts'
import { POOLER, startPooler } from '@pc/testing/pooler.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { startClickHouseEngine } from '@pc/testing/statistics/clickhouse-engine.ts'
import { STATS_ENGINES } from '@pc/testing/statistics/stats-engines.ts'
import { consoleClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import {
  ask,
  freePorts,
  MAX_START_MS,
  type Ports,
  startCommandsFixture,
} from '@pc/testing/system/start-commands-fixture.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

/**
 * The production files' start commands, each as a process of its own with a folder of its own, as containers have them:
 * the migration as the owner, then web, api and worker, who share PostgreSQL, ClickHouse and the folders that
 * compose.yaml names. Another api believes the web process as an OpenID Connect issuer that it only knows by address.
 */
const DATABASE = `separate_${process.pid}`
const PASSWORD = 'separate parts, one system'
const SECRETS_KEY = randomBytes(32).toString('base64')
const hasClickHouse = STATS_ENGINES.includes('clickhouse')

const fixture = startCommandsFixture()
const { folder, closing, secretFile, mountVolumes, start } = fixture
let database: Database
let rows: TwoOrganizations
let ports: Ports & { readonly other: string }
const settingsOf = (service: string, files: Readonly<Record<string, string>>) =>
  fixture.settingsOf(service, ports, files)

beforeAll(async () => {
  const [web = '', insight = '', iam = '', other = '', operator = ''] = await freePorts(5)
  ports = { web, insight, iam, other, operator }
  const { url } = await fixture.migratedDatabase(DATABASE)
  database = openDatabase({ url, maxConnections: 2 })
  closing.unshift(() => database.close())
  rows = await makeTwoOrganizations(database)
  const passwordHash = await hashPassword(PASSWORD)
  await database.inScope(SYSTEM, async tx => {
    for (const name of ['insight:viewer', 'iam:admin', 'admin'] as const) {
      const { uid } = rows.users[name]
      await tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute()
      await tx.updateTable('users').set({ emailVerifiedAt: new Date() }).where('uid', '=', uid).execute()
    }
  })
}, MAX_START_MS)

afterAll(() => fixture.close())

async function signIn(name: keyof TwoOrganizations['users']): Promise<string> {
  const origin = `http://127.0.0.1:${ports.web}`
  const browser = new TestBrowser(origin)
  const { email } = rows.users[name]
  expect((await browser.api('sign-in', { email, password: PASSWORD })).status).toBe(200)
  const { id_token } = await silentTokens(browser, consoleClient(origin))
  expect(id_token).toBeDefined()
  return id_token ?? ''
}

let clickhouseUrl: string | undefined
/** The secrets of all parts; both tests use one statistics store and one key. */
async function filesOf(databaseUrl: string) {
  if (clickhouseUrl === undefined) {
    const engine = process.env.CLICKHOUSE_URL
      ? { url: process.env.CLICKHOUSE_URL, stop: async () => {} }
      : await startClickHouseEngine()
    closing.push(() => engine.stop())
    const url = new URL(engine.url)
    url.pathname = `/${DATABASE}_stats`
    clickhouseUrl = url.href
  }
  return {
    DATABASE_URL_FILE: secretFile('database_url', databaseUrl),
    CLICKHOUSE_URL_FILE: secretFile('clickhouse_url', clickhouseUrl),
    SECRETS_KEY_FILE: secretFile('secrets_key', SECRETS_KEY),
  }
}

test(
  'without ClickHouse a second process on the same data is refused: the statistics are one process’s file',
  async () => {
    const cluster = await sharedTestCluster()
    const env = {
      DATABASE_URL: cluster.url(DATABASE, 'pc_login'),
      INSIGHT_API_PORT: '0',
      IAM_API_PORT: '0',
      STATS_MEMORY_LIMIT: '128MB',
    }
    const api = start('api', env, 'one-folder')
    await api.ready
    const worker = start('worker', env, 'one-folder')
    expect(await worker.ended).toBe(1)
    expect(worker.output()).toContain('already running with DATA_DIR=')
    api.child.kill('SIGTERM')
    expect(await api.ended).toBe(0)
  },
  MAX_START_MS,
)

test.skipIf(!hasClickHouse)(
  'web, api and worker as three processes: sign in, deliver, read a report, run a job',
  async () => {
    const files = await filesOf((await sharedTestCluster()).url(DATABASE, 'pc_login'))
    for (const service of ['web', 'api', 'worker']) mountVolumes(service)
    const parts = ['web', 'api', 'worker'].map(service => start(service, settingsOf(service, files)))
    await Promise.all(parts.map(part => part.ready))
    for (const port of [ports.web, ports.insight, ports.iam, ports.operator])
      for (const probe of ['healthz', 'readyz'])
        expect((await fetch(`http://127.0.0.1:${port}/${probe}`)).status, `${port}/${probe}`).toBe(200)

    // Signed in at web; what web keeps in PostgreSQL lets api know the person.
    const viewer = await signIn('insight:viewer')
    const [publisherId] = rows.a.publisherIds
    const { secret } = await createKey(
      { database, clock: systemClock } as Parameters<typeof createKey>[0],
      '配信システム',
    )
    const delivered = await fetch(`http://127.0.0.1:${ports.web}/ingest/v1/summary-daily?batchId=first`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/csv' },
      body: `date,medium_id,publisher_id,article_impression,article_click\n2026-11-01,1,${publisherId},4711,5\n`,
    })
    expect(delivered.status, await delivered.clone().text()).toBe(200)
    expect(fs.readdirSync(path.join(folder, 'volumes/sources'))).toContain('sources')
    const QUERY = `query Q($param: SummaryStatsParam!) {
      summaryStats(limit: 40, offset: 0, param: $param) { totals { articleImpressions } } }`
    const param = { from: '2026-11-01', to: '2026-11-30', mediumIds: ['1'] }
    const TOTALS = { data: { summaryStats: { totals: { articleImpressions: 4711 } } } }
    expect(await ask(ports.insight, viewer, QUERY, { param })).toMatchObject(TOTALS)

    // Asked at api, done by worker: the mail lies in the worker's folder, because there is no mail server here.
    const editor = await signIn('iam:admin')
    const email = 'invited@example.jp'
    const invited = await ask(
      ports.iam,
      editor,
      'mutation M($input: InviteUserInput!) { inviteUser(input: $input) { uid email } }',
      { input: { email, roles: ['insight:publisher_editor'], organizationId: String(rows.a.organizationId) } },
    )
    expect(invited, JSON.stringify(invited)).toMatchObject({ data: { inviteUser: { email } } })
    const outbox = path.join(folder, 'worker/outbox')
    await vi.waitFor(() => expect(fs.existsSync(outbox) ? fs.readdirSync(outbox) : []).toHaveLength(1), {
      timeout: 60_000,
      interval: 100,
    })
    expect(fs.existsSync(path.join(folder, 'api/outbox'))).toBe(false)

    // Worker keeps the anchor of the audit log every five minutes; api compares the log with it.
    await writeAnchor(database, folderAnchors(path.join(folder, 'worker')))
    const verdict = await ask(ports.iam, await signIn('admin'), '{ auditLogVerdict { problems } }', {})
    expect(verdict, JSON.stringify(verdict)).toMatchObject({ data: { auditLogVerdict: { problems: [] } } })

    // An api elsewhere, which knows the issuer by its address alone: discovery, keys, the account that is bound to it.
    const issuer = `http://127.0.0.1:${ports.web}/oidc`
    const { uid } = rows.users['insight:viewer']
    expect(await database.inScope(SYSTEM, tx => bindAccount(tx, { issuer, subject: uid }, uid))).toBe(true)
    const foreign = {
      ...settingsOf('api', files),
      OIDC_ISSUER: issuer,
      INSIGHT_API_PORT: ports.other,
      IAM_API_PORT: '0',
    }
    const other = start('api', foreign, 'other-api')
    await other.ready
    expect(await ask(ports.other, viewer, QUERY, { param })).toMatchObject(TOTALS)
    const forged = `${viewer.slice(0, -8)}AAAAAAAA`
    expect((await ask(ports.other, forged, QUERY, { param })).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')

    const stopped = [...parts, other]
    for (const { child } of stopped) child.kill('SIGTERM')
    expect(await Promise.all(stopped.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
    for (const { output } of stopped) expect(output()).not.toMatch(/"level":(50|60)|"level":"(error|fatal)"/)
  },
  MAX_START_MS,
)

test.skipIf(!hasClickHouse)(
  'with a bucket two of each part share no folder, behind a pooler where there is one; what is killed is done by the other',
  async () => {
    const bucket = await startBucketServer()
    closing.push(async () => bucket.close())
    const direct = (await sharedTestCluster()).url(DATABASE, 'pc_login')
    const pooler = POOLER === undefined ? undefined : await startPooler(direct, POOLER, 20)
    closing.push(async () => pooler?.stop())
    const files = await filesOf(pooler?.through(direct) ?? direct)
    const [secondWeb = '', secondOperator = ''] = await freePorts(2)
    const begin = (service: string, own: string, more = {}) =>
      start(service, { ...settingsOf(service, { ...files, OBJECTS_URL: bucket.objectsUrl }), ...more }, own)
    const parts = {
      web: begin('web', 'bucket-web'),
      otherWeb: begin('web', 'bucket-web-2', { PORT: secondWeb }),
      api: begin('api', 'bucket-api'),
      worker: begin('worker', 'bucket-worker'),
      otherWorker: begin('worker', 'bucket-worker-2', { OPERATOR_PORT: secondOperator }),
    }
    await Promise.all(Object.values(parts).map(part => part.ready))

    // Uploaded to one web process, checked and published by the other.
    const admin = await signIn('admin')
    const [publisherId] = rows.a.publisherIds
    const send = async (port: string, route: string, body: string) => {
      const headers = { authorization: `Bearer ${admin}` }
      const answer = await fetch(`http://127.0.0.1:${port}/ingest/uploads${route}`, { method: 'POST', headers, body })
      const lines = (await answer.text()).trim().split('\n')
      return { status: answer.status, last: JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
    }
    const csv = `date,medium_id,publisher_id,article_impression,article_click\n2026-10-01,1,${publisherId},815,5\n`
    const { sha256 } = (await send(ports.web, '', csv)).last
    const options = JSON.stringify({ dataset: 'summary-daily', name: 'october.csv' })
    expect((await send(secondWeb, `/${sha256}/check`, options)).status).toBe(200)
    const published = await send(secondWeb, `/${sha256}/publish`, options)
    expect(published.last, JSON.stringify(published)).toMatchObject({ answer: { status: 'applied' } })
    const QUERY = `query Q($param: SummaryStatsParam!) {
      summaryStats(limit: 40, offset: 0, param: $param) { totals { articleImpressions } } }`
    const param = { from: '2026-10-01', to: '2026-10-31', mediumIds: ['1'] }
    const viewer = await signIn('insight:viewer')
    expect(await ask(ports.insight, viewer, QUERY, { param })).toMatchObject({
      data: { summaryStats: { totals: { articleImpressions: 815 } } },
    })
    expect(bucket.keys().filter(key => key.startsWith('ingest/'))).toEqual([`ingest/sources/${sha256}`])

    // The anchors of whichever worker, read by api.
    await writeAnchor(database, openAnchors({ dataDir: '/nowhere', objectsUrl: bucket.objectsUrl }))
    const verdict = await ask(ports.iam, admin, '{ auditLogVerdict { problems } }', {})
    expect(verdict, JSON.stringify(verdict)).toMatchObject({ data: { auditLogVerdict: { problems: [] } } })

    // One worker and one web process are gone at once; everything goes on.
    for (const part of [parts.worker, parts.web]) part.child.kill('SIGKILL')
    const invite = 'mutation M($input: InviteUserInput!) { inviteUser(input: $input) { email } }'
    const input = {
      email: 'second@example.jp',
      roles: ['insight:publisher_editor'],
      organizationId: String(rows.a.organizationId),
    }
    expect(await ask(ports.iam, admin, invite, { input })).toMatchObject({
      data: { inviteUser: { email: input.email } },
    })
    const outbox = path.join(folder, 'bucket-worker-2/outbox')
    const emails = () =>
      fs.existsSync(outbox) ? fs.readdirSync(outbox).map(name => fs.readFileSync(path.join(outbox, name), 'utf8')) : []
    await vi.waitFor(() => expect(emails().filter(text => text.includes(input.email))).toHaveLength(1), {
      timeout: 120_000,
      interval: 100,
    })
    const again = csv.replace('815', '816')
    const other = (await send(secondWeb, '', again)).last
    const replaced = { ...JSON.parse(options), replaces: sha256 }
    const corrected = await send(secondWeb, `/${other.sha256}/publish`, JSON.stringify(replaced))
    expect(corrected.last, JSON.stringify(corrected)).toMatchObject({ answer: { status: 'applied' } })

    const left = [parts.otherWeb, parts.api, parts.otherWorker]
    for (const { child } of left) child.kill('SIGTERM')
    expect(await Promise.all(left.map(({ ended }) => ended))).toEqual([0, 0, 0])
    for (const { output } of left) expect(output()).not.toMatch(/"level":(50|60)|"level":"(error|fatal)"/)
    for (const own of fs.readdirSync(folder).filter(name => name.startsWith('bucket-')))
      expect(fs.readdirSync(path.join(folder, own)).filter(name => name === 'objects' || name === 'audit')).toEqual([])
  },
  MAX_START_MS,
)
