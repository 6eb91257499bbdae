import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { consoleClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PASSWORD = 'a good password for tests'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1'
let db: TestDatabase
let server: IdentityServer

beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database, { env: { TRUSTED_PROXIES: '1' } })
  await addUser(db.database, { email: 'taro@example.jp', password: PASSWORD, roles: ['insight:viewer'] })
  await addUser(db.database, { email: 'hana@example.jp', password: PASSWORD })
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  await server?.close()
  await db?.drop()
})

const who = (token = '') => server.identity.authenticate(`Bearer ${token}`)
let network = 0
async function signedIn(email: string, userAgent: string, password = PASSWORD) {
  const browser = new TestBrowser(server.origin)
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': `198.51.100.${++network}` }
  const answer = await browser.api('sign-in', { email, password }, headers)
  expect(answer.status).toBe(200)
  return { browser, token: (await silentTokens(browser, consoleClient(server.origin))).id_token ?? '' }
}
interface Listed {
  nodes: { id: string; device: string; isCurrent: boolean; address: string }[]
}
const list = async (browser: TestBrowser) => ((await browser.api('sessions')).body as unknown as Listed).nodes
/** The last path segment of the link in the latest email to an address. */
async function mailedSecret(to: string): Promise<string> {
  return expect
    .poll(() => server.mails.findLast(mail => mail.to === to)?.text.match(/#\/[\w-]+\/([\w-]{43})/)?.[1])
    .toBeDefined()
    .then(() => server.mails.findLast(mail => mail.to === to)?.text.match(/#\/[\w-]+\/([\w-]{43})/)?.[1] ?? '')
}

describe('the list of sessions', () => {
  it('names the devices, ends one, or all of them, on the next request', async () => {
    const pc = await signedIn('taro@example.jp', CHROME)
    const phone = await signedIn('taro@example.jp', PHONE)
    const stranger = await signedIn('hana@example.jp', CHROME)
    const seen = await list(phone.browser)
    expect(seen.map(one => one.device).sort()).toEqual(expect.arrayContaining(['Chrome / Windows']))
    expect(seen).toHaveLength(2)
    expect(seen.filter(one => one.isCurrent)).toHaveLength(1)
    const other = seen.find(one => !one.isCurrent)?.id ?? ''

    expect((await stranger.browser.api('sessions/end', { id: other })).status).toBe(200)
    // Text that PostgreSQL cannot store names nothing.
    for (const id of ['\0', '\ud800', 'x\0'])
      expect((await stranger.browser.api('sessions/end', { id })).status, JSON.stringify(id)).toBe(200)
    expect(await who(pc.token)).toBeDefined()
    await phone.browser.api('sessions/end', { id: other })
    expect(await who(pc.token)).toBeUndefined()
    expect(await who(phone.token)).toBeDefined()
    expect((await pc.browser.api('session')).body.user).toBeNull()

    const again = await signedIn('taro@example.jp', CHROME)
    await phone.browser.api('sessions/end-all', {})
    for (const token of [phone.token, again.token]) expect(await who(token)).toBeUndefined()
    expect(await who(stranger.token)).toBeDefined()
  })

  it('is written at most once a minute, and a page that starts again grants nothing new', async () => {
    const { browser } = await signedIn('hana@example.jp', CHROME)
    const written = () =>
      db.database.inScope(SYSTEM, async tx => {
        const { rows } = await sql<{ version: string }>`
          select 'grant ' || p.id || ' ' || p.xmin as version from idp_payloads p where model = 'Grant'
          union all select 'use ' || s.session_uid || ' ' || s.xmin from idp_session_uses s order by 1`.execute(tx)
        return rows.map(({ version }) => version)
      })
    const before = await written()
    await silentTokens(browser, consoleClient(server.origin))
    expect(await written()).toEqual(before)
    await db.database.inScope(SYSTEM, tx =>
      sql`update idp_session_uses set last_used_at = now() - interval '61 seconds'`.execute(tx),
    )
    const { id } = (await list(browser)).find(one => one.isCurrent)!
    await silentTokens(browser, consoleClient(server.origin))
    const [used] = await db.database.readSingleStatement(
      SYSTEM,
      sql<{ isNow: boolean }>`select last_used_at > now() - interval '30 seconds' as is_now
        from idp_session_uses where session_uid = ${id}`,
    )
    expect(used).toEqual({ isNow: true })
  })
})

describe('a forgotten password', () => {
  const reset = (secret: string, newPassword: string) =>
    new TestBrowser(server.origin).api('reset-pass', { secret, newPassword })

  it('is reset by the link of a mail, once; every session ends', async () => {
    const { token } = await signedIn('taro@example.jp', CHROME)
    const ask = () => new TestBrowser(server.origin).api('forgot-pass', { email: ' TARO@example.jp' })
    expect((await ask()).text).toBe('{}')
    const voided = await mailedSecret('taro@example.jp')
    server.mails.length = 0
    await ask()
    const secret = await mailedSecret('taro@example.jp')
    expect((await reset(voided, 'my very new words')).status).toBe(410)
    expect((await reset(secret, 'password123')).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 5 }, () => reset(secret, 'my very new words')))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 410, 410, 410, 410])
    expect(await who(token)).toBeUndefined()
    await signedIn('taro@example.jp', CHROME, 'my very new words')
    expect(server.mails.at(-1)?.subject).toContain('パスワードが変更されました')
    const stored = await db.database.inScope(SYSTEM, tx =>
      sql<{ all: string }>`select string_agg(p::text, '') as all from idp_payloads p`.execute(tx),
    )
    expect(stored.rows[0]?.all).not.toContain(secret)
  })
  it('confirms the address that the link was mailed to, and no other', async () => {
    const email = 'mika@example.jp'
    const uid = await addUser(db.database, { email, password: PASSWORD })
    const run = (query: RawBuilder<unknown>) => db.database.inScope(SYSTEM, tx => query.execute(tx))
    const isConfirmed = async () =>
      (await run(sql`select from users where uid = ${uid}::uuid and email_verified_at is not null`)).rows.length > 0
    const mailed = async () => {
      server.mails.length = 0
      await new TestBrowser(server.origin).api('forgot-pass', { email })
      return mailedSecret(email)
    }
    await run(sql`update users set email_verified_at = null where uid = ${uid}::uuid`)
    const secret = await mailed()
    await run(sql`update users set email = 'other@example.jp' where uid = ${uid}::uuid`)
    expect((await reset(secret, 'my very new words')).status).toBe(200)
    expect(await isConfirmed()).toBe(false)
    await run(sql`update users set email = ${email} where uid = ${uid}::uuid`)
    expect((await reset(await mailed(), 'my other new words')).status).toBe(200)
    expect(await isConfirmed()).toBe(true)
  })
  it('reveals nobody who has an account, and mails one mailbox three times at most', async () => {
    const ask = (email: string) =>
      new TestBrowser(server.origin).api('forgot-pass', { email }, { 'x-forwarded-for': `192.0.2.${++network % 250}` })
    server.mails.length = 0
    const answers = []
    for (const email of ['hana@example.jp', 'nobody@example.jp', 'gone@example.jp']) {
      const { status, text, headers } = await ask(email)
      answers.push(JSON.stringify([status, text, [...headers.keys()].filter(name => name !== 'date').sort()]))
    }
    expect(new Set(answers).size).toBe(1)
    for (let n = 0; n < 6; n++) expect((await ask('hana@example.jp')).status).toBe(200)
    await expect.poll(() => server.mails.length).toBe(3)
    expect(server.mails.every(mail => mail.to === 'hana@example.jp')).toBe(true)
    expect((await ask('a@example.jp\r\nBcc: b@example.jp')).status).toBe(400)
  })
})
