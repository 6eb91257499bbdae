import fs from 'node:fs'
import path from 'node:path'
import { totpCode } from '@pc/features/sign-in/server/totp.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import { consoleClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import { decodedMail } from '@pc/testing/system/people-fixture.ts'
import { JSON_HEADERS, rawRequest } from '@pc/testing/system/raw-request.ts'
import { newAddress } from '@pc/testing/system/sample-requests.ts'
import { atItsOwnOrigin, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Nine real secrets are used as they are meant to be. Then each is put, in six encodings, into every place of a request where
 * somebody could put it, also by mistake. None of them is in the system's log at its most detailed level, nor in PostgreSQL's.
 */

/** Each place gets every third encoding of a secret; all of them with SECRETS_EVERYWHERE=1. */
const SPARED = process.env.SECRETS_EVERYWHERE ? 1 : 3
const PASSWORD = `ein "Kanari" für/+& ${crypto.randomUUID()}`
const ACCOUNT_NUMBER = String(7_000_000 + Math.floor(Math.random() * 2_999_999))
const secrets: Record<string, string> = { password: PASSWORD, 'bank account number': ACCOUNT_NUMBER }
let system: SystemUnderTest
let postgresLog: { readonly file: string; readonly from: number }
let admin: string

beforeAll(async () => {
  const cluster = await sharedTestCluster()
  const folder = await withClient(cluster.url('postgres', 'postgres'), async client => {
    const { rows } = await client.query('show data_directory')
    return String(rows[0].data_directory)
  })
  const file = path.join(folder, '../postgres.log')
  postgresLog = { file, from: fs.statSync(file).size }
  const safePost = () => Promise.reject(new Error('the address does not answer'))
  system = await startSystemUnderTest(await atItsOwnOrigin(), { safePost })
  await system.dependencies.jobs.work(system.dependencies.jobHandlers)
  admin = await system.tokenOf(system.rows.users.admin.email)
})
afterAll(() => system?.close())

const inSystem = <T>(work: Parameters<typeof system.dependencies.database.inScope<T>>[1]) =>
  system.dependencies.database.inScope(SYSTEM, work)
const query = async (api: 'insight' | 'iam', text: string, variables: object, token = admin) => {
  const answer = await system.ask(api, text, token, variables)
  return Object.values((answer.json.data ?? {}) as object)[0]
}

/** As they are written somewhere: six encodings, and the first one as JSON writes it. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  plain: secret => secret,
  base64: secret => Buffer.from(secret).toString('base64'),
  base64url: secret => Buffer.from(secret).toString('base64url'),
  percent: secret => encodeURIComponent(secret),
  hex: secret => Buffer.from(secret).toString('hex'),
  unicode: secret => [...secret].map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
}
function found(text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(FORMS).flatMap(([form, write]) => {
      const written = write(secret)
      const quoted = JSON.stringify(written).slice(1, -1)
      // Few digits are in many a number.
      const isThere = /^\d+$/.test(written)
        ? new RegExp(`(?<![\\d.])${written}(?!\\d)`).test(text)
        : [written, quoted, written.replaceAll('\\', '\\\\')].some(each => text.includes(each))
      return isThere ? [`${name}: ${form}`] : []
    }),
  )
}
const postgresWrote = () => fs.readFileSync(postgresLog.file).subarray(postgresLog.from).toString('utf8')

test('used as they are meant to be, and used wrongly', async () => {
  const origin = system.origins.web
  const { uid, email } = system.rows.users['insight:publisher_admin']
  const passwordHash = await hashPassword(PASSWORD)
  await inSystem(tx => tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute())
  const browser = new TestBrowser(origin)
  expect((await browser.api('sign-in', { email, password: `${PASSWORD}x` })).status).toBe(401)
  expect((await browser.api('sign-in', { email, password: PASSWORD })).status).toBe(200)
  await browser.api('step-up', { currentPassword: PASSWORD })
  await browser.api('change-pass', { currentPassword: PASSWORD, newPassword: 'short' })
  await browser.api('reset-pass', { secret: 'x', password: PASSWORD })
  const silent = await silentTokens(browser, consoleClient(origin))
  secrets['ID token'] = silent.id_token ?? ''
  secrets['refresh token'] = silent.refresh_token ?? ''

  const started = (await browser.api('totp/start', {})).body as unknown as { secret: string; ticket: string }
  const bits = [...started.secret].map(char =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'),
  )
  const seed = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const code = totpCode(seed, Math.floor(Date.now() / 30_000))
  const confirmed = await browser.api('totp/confirm', { ticket: started.ticket, code })
  expect(confirmed.status, confirmed.text).toBe(200)
  secrets['one-time code'] = code
  secrets['recovery code'] = (confirmed.body as unknown as { recoveryCodes: string[] }).recoveryCodes[0] ?? ''
  for (const typed of [code, `${secrets['recovery code']}9`, secrets['recovery code']]) {
    const requested = (await new TestBrowser(origin).api('sign-in', { email, password: PASSWORD })).body as {
      secondFactor?: { ticket: string }
    }
    await browser.api('sign-in/second-factor', { ticket: requested.secondFactor?.ticket, code: typed })
  }

  const token = await system.tokenOf(email)
  const makeKey = 'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { secret } }'
  const key = await query('insight', makeKey, { input: { name: 'x', days: 30, scopes: ['reports'] } }, token)
  secrets['API key'] = (key as { secret: string }).secret
  const makeHook = 'mutation ($input: WebhookInput!) { saveWebhook(input: $input) { secret webhook { id } } }'
  const input = { url: 'https://hooks.example.com/a', events: ['payment_paid'] }
  const hook = (await query('insight', makeHook, { input }, token)) as { secret: string; webhook: { id: string } }
  secrets['webhook secret'] = hook.secret
  await query('insight', 'mutation ($id: ID!) { pingWebhook(id: $id) }', { id: hook.webhook.id }, token)

  const { bankId, bankBranchId } = system.rows.a
  const account = { bankId: `${bankId}`, bankBranchId: `${bankBranchId}`, typeName: 'ordinary', holder: 'カ)アオゾラ' }
  const makeAccount = 'mutation ($input: BankAccountInput!) { createBankAccount(input: $input) { id } }'
  for (const number of [ACCOUNT_NUMBER, `${ACCOUNT_NUMBER}99`])
    await query('insight', makeAccount, { input: { ...account, number } }, token)

  const invited = newAddress('canary')
  const invite = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { uid } }'
  await query('iam', invite, { input: { email: invited, agreementIds: [], roles: ['insight:viewer'] } })
  const outbox = path.join(system.dependencies.config.dataDir, 'outbox')
  const mail = await until(() =>
    fs.existsSync(outbox)
      ? fs
          .readdirSync(outbox)
          .filter(name => name.endsWith('.eml')) // others are being written
          .map(name => fs.readFileSync(path.join(outbox, name), 'utf8'))
          .find(text => text.includes(invited))
      : undefined,
  )
  secrets['invitation link'] = /#\/invite\/([\w-]+)/.exec(decodedMail(mail))?.[1] ?? ''
  await browser.api('invite', { secret: secrets['invitation link'] })
  await browser.api('invite/accept', { secret: secrets['invitation link'], password: PASSWORD })

  expect(Object.keys(secrets)).toHaveLength(9)
  for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThanOrEqual(6)
})

/** Where a text of a caller can be in a request; what is answered does not matter here. */
const PLACES: readonly ((text: string) => Promise<unknown>)[] = [
  ...(['insight', 'iam'] as const).flatMap(api => {
    const post = (body: object, headers = {}) =>
      rawRequest(`${system.origins[api]}/query`, {
        headers: { ...JSON_HEADERS, ...headers },
        body: JSON.stringify(body),
      })
    const bearer = { authorization: '' }
    const asAdmin = (body: object) => post(body, { ...bearer, authorization: `Bearer ${admin}` })
    const list = api === 'insight' ? 'publishers' : 'users'
    return [
      (text: string) => post({ query: '{ __typename }' }, { authorization: `Bearer ${inHeader(text)}` }),
      (text: string) =>
        post({ query: '{ viewer { uid } }' }, { cookie: `a=${inHeader(text)}`, 'x-client-version': inHeader(text) }),
      (text: string) => post({ query: text, operationName: text, extensions: { text } }),
      (text: string) => asAdmin({ query: `{ ${list}(limit: 1, offset: 0, q: ${JSON.stringify(text)}) { total } }` }),
      (text: string) =>
        asAdmin({
          query: `query ($q: String) { ${list}(limit: 1, offset: 0, q: $q) { total } }`,
          variables: { q: text },
        }),
      (text: string) =>
        asAdmin({ query: `query ($n: Int!) { ${list}(limit: $n, offset: 0) { total } }`, variables: { n: text } }),
      (text: string) =>
        asAdmin({ query: `{ ${list}(limit: 1, offset: 0, orderBy: ${JSON.stringify(text)}) { total } }` }),
      (text: string) =>
        rawRequest(`${system.origins[api]}/query?token=${inHeader(text)}`, { headers: JSON_HEADERS, body: text }),
    ]
  }),
  text => query('iam', 'query ($id: ID!) { user(userID: $id) { uid } }', { id: text }),
  text => query('insight', 'query ($id: ID!) { agreement(id: $id) { id } }', { id: text }),
  text =>
    query('insight', 'mutation ($id: ID!, $key: String) { deleteBoard(id: $id, idempotencyKey: $key) }', {
      id: text,
      key: text,
    }),
  text => api('sign-in', { email: text, password: text, originalPath: text }),
  text => api('sign-in/second-factor', { ticket: text, code: text }),
  text => api('invite/accept', { secret: text, password: text }),
  text => api('reset-pass', { secret: text, password: text }),
  text => api('change-email/confirm', { secret: text }),
  text => api(`nothing?secret=${inHeader(text)}`, { [text]: text }),
  ...['refresh_token', 'authorization_code'].map(
    grant => (text: string) =>
      form('/oidc/token', {
        grant_type: grant,
        client_id: 'console',
        refresh_token: text,
        code: text,
        code_verifier: text,
      }),
  ),
  text => form('/oidc/token', { grant_type: text, client_id: text, client_secret: text }),
  text => get(`/oidc/auth?client_id=console&id_token_hint=${inHeader(text)}&state=${inHeader(text)}`),
  text => get('/oidc/me', { authorization: `Bearer ${inHeader(text)}` }),
  text =>
    get(`/gpc/?token=${inHeader(text)}`, {
      referer: `http://127.0.0.1/${inHeader(text)}`,
      'user-agent': inHeader(text),
    }),
  text => get(`/sso/?token=${inHeader(text)}`, { origin: inHeader(text), accept: inHeader(text) }),
  text =>
    rawRequest(`${system.origins.web}/ingest/v1/article-daily`, {
      headers: { authorization: `Bearer ${inHeader(text)}` },
      body: text,
    }),
  text =>
    rawRequest(`${system.origins.insight}/exports/report`, {
      headers: { ...JSON_HEADERS, authorization: `Bearer ${admin}` },
      body: JSON.stringify({ [text]: text }),
    }),
  text =>
    rawRequest(`${system.origins.web}/analytics/page-views`, {
      headers: JSON_HEADERS,
      body: JSON.stringify({ path: `/${text}` }),
    }),
]
const inHeader = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent)
const get = (address: string, headers = {}) => rawRequest(`${system.origins.web}${address}`, { method: 'GET', headers })
const form = (address: string, fields: Record<string, string>) =>
  rawRequest(`${system.origins.web}${address}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
const api = (name: string, body: object) =>
  rawRequest(`${system.origins.web}/sso/api/${name}`, {
    headers: { ...JSON_HEADERS, origin: system.origins.web, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  })

test('put anywhere into a request, in six encodings', async () => {
  let sent = 0
  for (const [index, secret] of Object.values(secrets).entries())
    for (const [form, write] of Object.values(FORMS).entries()) {
      const places = PLACES.filter((_, place) => (index + form + place) % SPARED === 0)
      await Promise.all(places.map(put => put(write(secret))))
      // What leads to no address of ours is a long text in a path, or none that could be told from a word.
      if (secret.length > 24) await get(`/gpc/${encodeURIComponent(write(secret))}/x`)
      sent += places.length
    }
  console.warn(`secrets in logs: ${sent} requests, ${system.logged.length} lines`)
  expect(sent).toBeGreaterThanOrEqual((9 * 6 * 30) / SPARED)
  expect(system.logged.length).toBeGreaterThan(sent)
})

test('given to statements that fail in PostgreSQL', async () => {
  for (const secret of Object.values(secrets))
    for (const write of Object.values(FORMS))
      for (const failing of [
        sql`select (${write(secret)}::text || 'x')::bigint`,
        sql`insert into media (id, name) values (1, ${write(secret)}), (1, ${write(secret)})`,
        sql.raw(`select * from "${write(secret).replaceAll('"', '').slice(0, 60)}"`),
      ])
        await expect(inSystem(tx => failing.execute(tx))).rejects.toThrow()
})

test('are in no line of the system’s log, and in none of PostgreSQL’s', () => {
  expect(found(system.logged.join('\n'))).toEqual([])
  expect(found(postgresWrote())).toEqual([])
})

test('would be found there', async () => {
  const before = system.logged.length
  const cluster = await sharedTestCluster()
  await withClient(cluster.url('postgres', 'postgres'), async client => {
    for (const secret of Object.values(secrets))
      for (const write of Object.values(FORMS)) {
        system.dependencies.log.info({ note: write(secret) }, 'planted')
        await client.query(`select set_config('test.planted', $1, false)`, [write(secret)])
        await client.query(`do $$ begin raise log '%', current_setting('test.planted'); end $$`)
      }
  })
  expect(found(system.logged.slice(before).join('\n'))).toHaveLength(54)
  await until(() => (found(postgresWrote()).length === 54 ? true : undefined))
})
