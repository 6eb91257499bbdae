import { randomBytes } from 'node:crypto'
import { sealSignInSecrets } from '@pc/features/sign-in/server/seal-secrets.ts'
import { base32, totpCode } from '@pc/features/sign-in/server/totp.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { signingKeys } from '@pc/platform/oidc/signing-keys.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type Keyring, openKeyring } from '@pc/platform/secrets/keyring.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wireDependencies } from './wire-dependencies.ts'

/** The issuer's keys and the seeds of one-time codes have to be read again: they lie sealed (docs/adr/0053). */
const PASSWORD = 'the right words here'
const KEYS = [randomBytes(32), randomBytes(32)] as const
/** Two processes or more share the stores of such an installation; nothing asks the address here. */
const SHARED = { CLICKHOUSE_URL: 'http://127.0.0.1:9', SECRETS_KEY: KEYS[0].toString('hex') }
let system: SystemUnderTest

beforeAll(async () => {
  system = await startSystemUnderTest(SHARED)
  const passwordHash = await hashPassword(PASSWORD)
  await inSystem(async tx => {
    for (const { uid } of Object.values(system.rows.users))
      await tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute()
  })
})
afterAll(() => system?.close())
beforeEach(() =>
  inSystem(async tx => {
    await sql`delete from idp_authenticators`.execute(tx)
    await sql`delete from idp_recovery_codes`.execute(tx)
    await sql`delete from idp_attempts`.execute(tx)
    await sql`delete from idp_settings where key = 'sealed_from'`.execute(tx)
  }),
)
const inSystem = <T>(work: Parameters<typeof system.dependencies.database.inScope<T>>[1]) =>
  system.dependencies.database.inScope(SYSTEM, work)
const now = () => Math.floor(Date.now() / 30_000)

function decode32(text: string): Buffer {
  const bits = [...text].map(char => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}
type Person = keyof SystemUnderTest['rows']['users']

function page(name: Person = 'admin') {
  const browser = new TestBrowser(system.origins.web)
  const headers = { origin: system.dependencies.config.webOrigin }
  const api = async (path: string, body: unknown) => {
    const answer = await browser.api(path, body, headers)
    const refusals = (answer.body.refusals ?? []) as readonly { readonly code: string }[]
    const content = answer.body as unknown as Record<string, never>
    return { status: answer.status, body: content, codes: refusals.map(({ code }) => code) }
  }
  const signIn = () => api('sign-in', { email: system.rows.users[name].email, password: PASSWORD })
  return { api, signIn }
}

/** As the screen does it. @returns the seed, as only the person has it now */
async function setUp(name?: Person) {
  const { api, signIn } = page(name)
  expect((await signIn()).status).toBe(200)
  const started = await api('totp/start', {})
  const seed = decode32(String(started.body.secret))
  const typed = { ticket: started.body.ticket, code: totpCode(seed, now()) }
  const lying = await everywhere()
  const confirmed = await api('totp/confirm', typed)
  expect(confirmed.status).toBe(200)
  return { seed, lying, recoveryCodes: confirmed.body.recoveryCodes as unknown as string[] }
}
async function enter(code: string, name?: Person) {
  const { api, signIn } = page(name)
  const { ticket } = (await signIn()).body.secondFactor as unknown as { ticket: string }
  return api('sign-in/second-factor', { ticket, code })
}
/** Of a step later than the one that was used last. */
async function codeWorks(seed: Buffer): Promise<boolean> {
  await inSystem(tx => sql`update idp_authenticators set totp_last_step = null`.execute(tx))
  return (await enter(totpCode(seed, now()))).status === 200
}

/** Every row of every table, as text. */
async function everywhere(): Promise<string> {
  const { rows: tables } = await inSystem(tx =>
    sql<{ name: string }>`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname in ('public', 'app', 'pgboss')
        and has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'select')`.execute(tx),
  )
  expect(tables.length).toBeGreaterThan(80)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await inSystem(tx =>
      sql<{ content: string | null }>`select string_agg(t::text, chr(10)) as content from ${sql.raw(name)} t`.execute(
        tx,
      ),
    )
    texts.push(rows[0]?.content ?? '')
  }
  return texts.join('\n')
}
const FORMS = ['hex', 'base64', 'base64url'] as const
const formsOf = (seed: Buffer) => [base32(seed), ...FORMS.map(form => seed.toString(form))]

/** What signs tokens and cookies: parts of the private keys as a JWK says them. */
async function privateParts(keyring: Keyring | undefined = system.dependencies.keyring): Promise<readonly string[]> {
  const { signing, cookies } = await signingKeys(system.dependencies.database, systemClock, {
    keyring,
    isAlone: true,
  }).current()
  return [...signing.flatMap(({ privateJwk: { d, p, q } }) => [d!, p!, q!]), ...cookies]
}
const row = async () =>
  (
    await inSystem(tx =>
      sql<{ seed: Buffer | null; sealed: string | null; issuer: string }>`select totp_secret as seed,
          sealed_totp_secret as sealed, (select value::text from idp_settings where key = 'issuer_keys') as issuer
        from idp_authenticators where kind = 'totp'`.execute(tx),
    )
  ).rows[0]!
/** As a version before wrote both. */
async function putInTheClear(seed: Buffer): Promise<void> {
  const keys = await signingKeys(system.dependencies.database, systemClock, {
    keyring: system.dependencies.keyring,
    isAlone: true,
  }).current()
  await inSystem(async tx => {
    await sql`update idp_authenticators set totp_secret = ${seed}, sealed_totp_secret = null where kind = 'totp'`.execute(
      tx,
    )
    await sql`update idp_settings set value = ${JSON.stringify(keys)}::jsonb where key = 'issuer_keys'`.execute(tx)
  })
}
const sealNow = (keyring: Keyring | undefined = system.dependencies.keyring, isAlone = false) =>
  sealSignInSecrets({ database: system.dependencies.database, clock: systemClock, atRest: { keyring, isAlone } })

/** Another process of this version on the same database, up to where it would listen. */
async function startAnother(env: Readonly<Record<string, string>>) {
  const { config, database, stats } = system.dependencies
  const stores = { database, stats, databaseUrl: '', close: async () => {} }
  const settings = {
    DATABASE_URL: 'postgres://127.0.0.1/x',
    DATA_DIR: config.dataDir,
    WEB_ORIGIN: config.webOrigin,
    ...SHARED,
    ...env,
  }
  return wireDependencies({ config: readConfig(settings), log: openLog('silent'), clock: systemClock, stores })
}

describe('at rest', () => {
  test('seeds and private keys are in no table and no log, also while a person sets a code up', async () => {
    const token = await system.tokenOf(system.rows.users.admin.email)
    expect(await system.dependencies.authenticate(`Bearer ${token}`)).not.toBeNull()
    const { seed, lying } = await setUp()
    expect(await codeWorks(seed)).toBe(true)
    const kept = lying + (await everywhere())
    const secrets = [...formsOf(seed), ...(await privateParts())]
    expect(secrets.length).toBeGreaterThanOrEqual(8)
    for (const secret of secrets) expect(kept.includes(secret)).toBe(false)
    for (const secret of secrets) expect(system.logged.some(line => line.includes(secret))).toBe(false)
    expect(await row()).toMatchObject({ seed: null, sealed: expect.stringMatching(/^s1\./) })
  })

  test('the seed of one person opens for nobody else, no matter who copied the row', async () => {
    const { seed } = await setUp('iam:admin')
    await setUp()
    await inSystem(tx =>
      sql`update idp_authenticators set sealed_totp_secret = (select sealed_totp_secret from idp_authenticators
        where uid = ${system.rows.users['iam:admin'].uid}::uuid)`.execute(tx),
    )
    const { status, codes } = await enter(totpCode(seed, now()))
    expect([status, codes]).toEqual([503, ['sign-in/code-unreadable']])
  })
})

describe('after an upgrade', () => {
  test('a start seals what was in the clear; codes and tokens of before go on', async () => {
    const token = await system.tokenOf(system.rows.users.admin.email)
    const { seed } = await setUp()
    const before = await privateParts()
    await putInTheClear(seed)
    expect(await codeWorks(seed)).toBe(true)
    const other = await startAnother({})
    const lying = await everywhere()
    for (const secret of [...formsOf(seed), ...before]) expect(lying.includes(secret)).toBe(false)
    expect(await privateParts()).toEqual(before)
    expect(await codeWorks(seed)).toBe(true)
    expect(await other.authenticate(`Bearer ${token}`)).not.toBeNull()
    await other.close()
  })

  test('for an hour the version before still reads everything; then it is sealed', async () => {
    const until = (at: string) =>
      inSystem(tx =>
        sql`insert into idp_settings values ('sealed_from', to_jsonb(now() + ${at}::interval))
          on conflict (key) do update set value = excluded.value`.execute(tx),
      )
    await until('1 hour')
    const { seed } = await setUp()
    await putInTheClear(seed)
    await sealNow()
    expect(await row()).toMatchObject({ seed, sealed: null, issuer: expect.stringContaining('privateJwk') })
    await signingKeys(system.dependencies.database, systemClock, {
      keyring: system.dependencies.keyring,
      isAlone: false,
    }).rotate()
    expect((await row()).issuer).toContain('privateJwk')
    // One process alone has no other beside it.
    await until('-1 second')
    await sealNow()
    const sealed = await row()
    expect(sealed).toMatchObject({ seed: null, issuer: expect.not.stringContaining('privateJwk') })
    await until('1 hour')
    await putInTheClear(seed)
    await sealNow(undefined, true)
    expect(await row()).toMatchObject({ seed: null, issuer: expect.not.stringContaining('privateJwk') })
    expect(await codeWorks(seed)).toBe(true)
  })
})

describe('the key', () => {
  test('is changed: both are sealed with the new one, then the old one is not needed', async () => {
    const { seed } = await setUp()
    const before = await privateParts()
    await sealNow(openKeyring([KEYS[1], KEYS[0]]))
    const after = openKeyring([KEYS[1]])
    expect(await privateParts(after)).toEqual(before)
    expect((await row()).sealed?.startsWith(after.newestPrefix)).toBe(true)
    await sealNow(openKeyring([KEYS[0], KEYS[1]]))
    expect(await codeWorks(seed)).toBe(true)
  })

  test('is missing or another one: no start, in words that say what to do; nothing is changed', async () => {
    const { seed } = await setUp()
    const before = await everywhere()
    const wrong = startAnother({ SECRETS_KEY: randomBytes(32).toString('hex') })
    await expect(wrong).rejects.toThrow(
      /署名鍵を開けません（鍵 [0-9a-f]{8} がありません）[\s\S]*元の値を[\s\S]*renew-issuer-keys/,
    )
    await expect(startAnother({ SECRETS_KEY: '' })).rejects.toThrow(/SECRETS_KEY/)
    expect(await everywhere()).toBe(before)
    expect(await codeWorks(seed)).toBe(true)
  })

  test('does not open a seed: no code counts, a recovery code does, and a new one is not kept in the clear', async () => {
    const { seed, recoveryCodes } = await setUp()
    await inSystem(tx =>
      sql`update idp_authenticators set totp_last_step = null, sealed_totp_secret = ${openKeyring([KEYS[1]]).seal(
        seed.toString('base64url'),
        'totp-seed',
        `user ${system.rows.users.admin.uid}`,
      )}`.execute(tx),
    )
    const refused = await enter(totpCode(seed, now()))
    expect([refused.status, refused.codes]).toEqual([503, ['sign-in/code-unreadable']])
    expect((await enter('x'.repeat(24))).codes).toEqual(['sign-in/code-unreadable'])
    expect((await enter(recoveryCodes[0]!)).status).toBe(200)
    expect((await enter(recoveryCodes[0]!)).status).toBe(503)
  })
})

test('without a key what an earlier version kept is read, and nothing new is kept', async () => {
  const keys = await signingKeys(system.dependencies.database, systemClock, {
    keyring: system.dependencies.keyring,
    isAlone: true,
  }).current()
  const bare = await startSystemUnderTest(
    { ...SHARED, SECRETS_KEY: '' },
    {
      prepare: database =>
        database.inScope(SYSTEM, async tx => {
          await sql`insert into idp_settings values ('issuer_keys', ${JSON.stringify(keys)}::jsonb)`.execute(tx)
        }),
    },
  )
  try {
    const token = await bare.tokenOf(bare.rows.users.admin.email)
    expect(await bare.dependencies.authenticate(`Bearer ${token}`)).not.toBeNull()
    expect(bare.logged.join('')).toContain('SECRETS_KEY')
    await expect(bare.dependencies.identity.issuer!.rotateSigningKey()).rejects.toThrow('SECRETS_KEY')
    const passwordHash = await hashPassword(PASSWORD)
    const { uid, email } = bare.rows.users.admin
    await bare.dependencies.database.inScope(SYSTEM, async tx => {
      await tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute()
    })
    const browser = new TestBrowser(bare.origins.web)
    const headers = { origin: bare.dependencies.config.webOrigin }
    expect((await browser.api('sign-in', { email, password: PASSWORD }, headers)).status).toBe(200)
    expect(await browser.api('totp/start', {}, headers)).toMatchObject({
      status: 503,
      body: { refusals: [{ code: 'sign-in/no-secrets-key' }] },
    })
  } finally {
    await bare.close()
  }
  await expect(startSystemUnderTest({ ...SHARED, SECRETS_KEY: '' })).rejects.toThrow('SECRETS_KEY')
})
