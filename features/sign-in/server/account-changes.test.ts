import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '@pc/platform/clock.ts'
import { outboxMail } from '@pc/platform/mail/outbox-mail.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { consoleClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFirstAdminLink } from './first-admin.ts'

const PASSWORD = 'the password of before'
const NEW_PASSWORD = '新しい合い言葉はとても長い'
let db: TestDatabase
let server: IdentityServer

beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database)
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  await server?.close()
  await db?.drop()
})

const codes = (answer: { body: { refusals?: readonly { code: string; path: readonly string[] }[] } }) =>
  answer.body.refusals?.map(({ code, path: at }) => [code, ...at].join(' '))
const who = (token = '') => server.identity.authenticate(`Bearer ${token}`)
async function signedIn(email: string, password = PASSWORD) {
  const browser = new TestBrowser(server.origin)
  const answer = await browser.api('sign-in', { email, password })
  expect(answer.status).toBe(200)
  return { browser, token: (await silentTokens(browser, consoleClient(server.origin))).id_token ?? '' }
}

// First, while the database is empty.
describe('the first administrator', () => {
  it('is the person who holds the one link of an empty system, once', async () => {
    const voided = (await makeFirstAdminLink(db.database, server.origin)) ?? ''
    const link = (await makeFirstAdminLink(db.database, server.origin)) ?? ''
    expect(link).toMatch(new RegExp(`^${server.origin}/sso#/first-admin/[\\w-]{43}$`))
    const secretOf = (each: string) => each.split('/').at(-1)
    const browser = new TestBrowser(server.origin)
    const make = (secret: unknown, change = {}) =>
      browser.api('first-admin', { secret, email: 'Boss@example.jp', password: NEW_PASSWORD, ...change })
    for (const secret of [secretOf(voided), 'x'.repeat(43), '', undefined, '%'])
      expect((await make(secret)).status).toBe(410)
    expect(codes(await make(secretOf(link), { email: 'nonsense' }))).toEqual(['sign-in/email-invalid email'])
    expect(codes(await make(secretOf(link), { password: 'short' }))).toEqual(['sign-in/password-too-short password'])
    // Both refusals at once.
    expect(codes(await make(secretOf(link), { email: 'nonsense', password: 'short' }))).toEqual([
      'sign-in/email-invalid email',
      'sign-in/password-too-short password',
    ])
    // The sign-in screen says that the first administrator's link is waiting.
    expect((await browser.api('session')).body.isEmpty).toBe(true)
    const stored = await db.database.inScope(SYSTEM, tx =>
      sql<{ all: string }>`select string_agg(p::text, '') as all from idp_payloads p`.execute(tx),
    )
    expect(stored.rows[0]?.all).not.toContain(secretOf(link))

    const answers = await Promise.all(Array.from({ length: 5 }, () => make(secretOf(link))))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 410, 410, 410, 410])
    const { browser: boss, token } = await signedIn('boss@example.jp', NEW_PASSWORD)
    expect((await who(token))?.roles).toEqual(['admin'])
    expect((await boss.api('session')).body.user?.email).toBe('boss@example.jp')
    expect((await new TestBrowser(server.origin).api('session')).body.isEmpty).toBe(false)
    expect(await makeFirstAdminLink(db.database, server.origin)).toBeUndefined()
  })
})

describe('changing the password', () => {
  it('needs the current one and a good new one, and ends every other session', async () => {
    await addUser(db.database, { email: 'taro@example.jp', password: PASSWORD })
    const here = await signedIn('taro@example.jp')
    const there = await signedIn('taro@example.jp')
    const change = (currentPassword: string, newPassword: string) =>
      here.browser.api('change-pass', { currentPassword, newPassword })
    expect(codes(await change('wrong', NEW_PASSWORD))).toEqual(['sign-in/current-password-wrong currentPassword'])
    expect(codes(await change(PASSWORD, PASSWORD))).toEqual(['sign-in/password-unchanged newPassword'])
    const weak = [
      '',
      'short',
      'aaaaaaaaaaaaaa',
      'password12345',
      'abcdefghijklmnop',
      'taro@example.jp',
      'p'.repeat(129),
      '123123123123123',
    ]
    for (const password of weak) expect(codes(await change(PASSWORD, password))?.[0]).toMatch(/^sign-in\/password-/)
    expect(await who(there.token)).toBeDefined()

    expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect(await who(there.token)).toBeUndefined()
    expect(await who(here.token)).toBeDefined()
    expect((await there.browser.api('session')).body.user).toBeNull()
    expect((await silentTokens(here.browser, consoleClient(server.origin))).id_token).toBeTruthy()
    expect(
      (await new TestBrowser(server.origin).api('sign-in', { email: 'taro@example.jp', password: PASSWORD })).status,
    ).toBe(401)
    await signedIn('taro@example.jp', NEW_PASSWORD)
  })

  it('is for people who are signed in, with limited guesses', async () => {
    const input = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect(codes(await new TestBrowser(server.origin).api('change-pass', input))).toEqual(['sign-in/not-signed-in'])
    await addUser(db.database, { email: 'guess@example.jp', password: PASSWORD })
    const { browser } = await signedIn('guess@example.jp')
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => browser.api('change-pass', { ...input, currentPassword: `guess ${n}` })),
    )
    expect(guesses.filter(answer => answer.status === 400)).toHaveLength(10)
    expect(guesses.filter(answer => answer.status === 429)).toHaveLength(20)
  })
})

describe('changing the e-mail address', () => {
  it('is confirmed at the new address, once, and the old one is notified', async () => {
    await addUser(db.database, { email: 'old@example.jp', password: PASSWORD })
    await addUser(db.database, { email: 'taken@example.jp', password: PASSWORD })
    const { browser } = await signedIn('old@example.jp')
    const ask = (email: string) => browser.api('change-email', { email })
    for (const email of [
      '',
      'x',
      'a@b',
      'a@example.jp\r\nBcc: x@example.jp',
      'a@example.jp, b@example.jp',
      '"a b"@example.jp',
      `${'a'.repeat(250)}@example.jp`,
    ]) {
      expect(codes(await ask(email))).toEqual(['sign-in/email-invalid email'])
    }
    expect(codes(await ask('OLD@example.jp'))).toEqual(['sign-in/email-unchanged email'])
    server.mails.length = 0
    const taken = await ask('taken@example.jp')
    expect([taken.status, taken.text, server.mails.length]).toEqual([200, '{}', 0])
    await ask('first@example.jp')
    expect([(await ask('New@example.jp')).status, server.mails.length]).toEqual([200, 2])
    const secrets = server.mails.map(mail => /#\/change-email\/([\w-]{43})/.exec(mail.text)?.[1])
    expect(server.mails[1]?.to).toBe('new@example.jp')
    expect(server.mails[1]?.text).toContain(`${server.origin}/sso#/change-email/`)

    const anywhere = new TestBrowser(server.origin)
    expect((await anywhere.api('change-email/confirm', { secret: secrets[0] })).status).toBe(410)
    const confirmed = await Promise.all(
      [1, 2, 3].map(() => anywhere.api('change-email/confirm', { secret: secrets[1] })),
    )
    expect(confirmed.map(answer => answer.status).sort()).toEqual([200, 410, 410])
    expect(server.mails[2]?.to).toBe('old@example.jp')
    expect((await browser.api('session')).body.user?.email).toBe('new@example.jp')
    await signedIn('new@example.jp')
  })
})

describe('mail without a server', () => {
  it('lies as a readable file in the outbox, for the operator alone', async () => {
    const folder = path.join(await mkdtemp(path.join(tmpdir(), 'outbox-')), 'outbox')
    const send = outboxMail(folder, systemClock)
    await send({ to: 'a@example.jp', subject: '確認', text: 'こんにちは\n' })
    const [name = ''] = await readdir(folder)
    const text = await readFile(path.join(folder, name), 'utf8')
    expect(text).toContain('To: a@example.jp')
    expect(Buffer.from(text.split('\r\n\r\n')[1] ?? '', 'base64').toString()).toBe('こんにちは\n')
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600)
    await expect(send({ to: 'a@example.jp\r\nBcc: b@example.jp', subject: 'x', text: 'x' })).rejects.toThrow()
    for (const control of ['\n', '\r\n', '\t', '\0', '\u007f', '\u0085', '\u001f'])
      for (const typed of [`a@example.jp${control}`, `${control}a@example.jp`, `a${control}@example.jp`])
        expect(mailAddress(typed), JSON.stringify(typed)).toBeUndefined()
    expect(mailAddress(' Taro.Yamada+x@Example.co.jp ')).toBe('taro.yamada+x@example.co.jp')
  })
})
