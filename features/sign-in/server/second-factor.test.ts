import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { softwarePasskey } from '@pc/testing/system/software-passkey.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { totpCode } from './totp.ts'

const PASSWORD = 'a good password for tests'
const ORIGIN = 'https://center.example.jp'
const START = Date.parse('2026-11-20T09:00:00Z')
const clock = fixedClock(new Date(START).toISOString())
let db: TestDatabase
let server: IdentityServer
let email: string
let count = 0

beforeAll(async () => {
  db = await testDatabase({ maxConnections: 10 })
  server = await identityServer(db.database, { clock, env: { WEB_ORIGIN: ORIGIN } })
})
beforeEach(async () => {
  clock.set(new Date(START).toISOString())
  await db.database.inScope(SYSTEM, tx => sql`delete from idp_attempts`.execute(tx))
  email = `taro${++count}@example.jp`
  await addUser(db.database, { email, password: PASSWORD })
  server.mails.length = 0
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  await server?.close()
  await db?.drop()
})

/** The page of the configured origin, whatever port this test listens on. */
function page() {
  const browser = new TestBrowser(server.origin)
  const api = async (name: string, body?: unknown) => {
    const answer = await browser.api(name, body, { origin: ORIGIN })
    return { ...answer, body: answer.body as Record<string, unknown> & typeof answer.body }
  }
  const signIn = () => api('sign-in', { email, password: PASSWORD })
  return { browser, api, signIn }
}
const codes = (answer: { body: { refusals?: readonly { code: string }[] } }) =>
  answer.body.refusals?.map(refusal => refusal.code)
const step = () => Math.floor(clock.now() / 30_000)
const later = (seconds: number) => clock.set(new Date(clock.now() + seconds * 1000).toISOString())

/** Moves every sign-in and every step-up into the past. */
const letHoursPass = () =>
  db.database.inScope(SYSTEM, tx =>
    sql`with older as (update idp_session_uses set proved_at = proved_at - interval '3 hours' returning 1)
      update idp_payloads set payload = jsonb_set(payload, '{loginTs}', to_jsonb(extract(epoch from now())::bigint - 3600))
      where model = 'Session'`.execute(tx),
  )

function decode32(text: string): Buffer {
  const bits = [...text].map(char => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

async function withTotp() {
  const own = page()
  expect((await own.signIn()).status).toBe(200)
  const started = await own.api('totp/start', {})
  const secret = decode32(String(started.body.secret))
  const code = (offset = 0) => totpCode(secret, step() + offset)
  const confirm = (typed: string) => own.api('totp/confirm', { ticket: started.body.ticket, code: typed })
  expect(codes(await confirm('000000'))).toEqual(['sign-in/code-wrong'])
  const confirmed = await confirm(code())
  return { ...own, code, recovery: confirmed.body.recoveryCodes as string[] }
}

describe('one-time codes', () => {
  it('are needed after the password, count once, and give no session before', async () => {
    const { code, recovery } = await withTotp()
    expect(recovery).toHaveLength(10)
    for (const one of recovery) expect(one).toMatch(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
    expect(server.mails.at(-1)?.subject).toContain('2段階認証')
    const { api, signIn, browser } = page()
    const first = await signIn()
    const { ticket } = first.body.secondFactor as { ticket: string }
    expect(first.body.location).toBeUndefined()
    expect((await api('session')).body.user).toBeNull()
    expect(browser.cookies.some(({ name }) => /session|device/.test(name))).toBe(false)
    // The code that switched it on counts no second time.
    expect(codes(await api('sign-in/second-factor', { ticket, code: code() }))).toEqual(['sign-in/code-wrong'])
    later(30)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api('sign-in/second-factor', { ticket, code: code() })),
    )
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
    expect((await api('session')).body.user?.email).toBe(email)
    expect((await api('sign-in/second-factor', { ticket, code: code(1) })).status).toBe(410)
  })
  it('may be replaced by a recovery code, once each, however it is typed', async () => {
    const { recovery } = await withTotp()
    const [one = '', two = ''] = recovery
    const enter = async (typed: string) => {
      const { api, signIn } = page()
      const { ticket } = (await signIn()).body.secondFactor as { ticket: string }
      return (await api('sign-in/second-factor', { ticket, code: typed })).status
    }
    expect(await enter(one)).toBe(200)
    expect(await enter(one)).toBe(401)
    expect(await enter(` ${two.toUpperCase().replace('-', ' ')} `)).toBe(200)
    const stored = await db.database.inScope(SYSTEM, tx =>
      sql<{ all: string }>`select string_agg(c::text, '') as all from idp_recovery_codes c`.execute(tx),
    )
    for (const plain of recovery) expect(stored.rows[0]?.all).not.toContain(plain.replaceAll('-', ''))
  })
  it('notify their owner by email of a recovery code that was used, and of new ones; not of a wrong one', async () => {
    const { recovery, api } = await withTotp()
    const emails = () => server.mails.map(({ to, subject, text }) => [to, subject, text.split('\n\n')[0]])
    const before = emails().length
    const ticketOf = async (own: ReturnType<typeof page>) =>
      ((await own.signIn()).body.secondFactor as { ticket: string }).ticket
    const enter = async (typed: string) => {
      const own = page()
      return (await own.api('sign-in/second-factor', { ticket: await ticketOf(own), code: typed })).status
    }
    expect(await enter('wrong-code')).toBe(401)
    expect(emails().slice(before)).toEqual([])
    expect(await enter(recovery[0]!)).toBe(200)
    expect((await api('step-up', { currentPassword: PASSWORD, code: recovery[1] })).status).toBe(200)
    const used = (left: number) => [
      email,
      '【Publisher Center】リカバリーコードが使われました',
      expect.stringContaining(`リカバリーコードが1個使われました。使えるコードは残り${left}個です。`),
    ]
    expect(emails().slice(before)).toEqual([used(9), used(8)])
    expect((await api('recovery-codes', {})).status).toBe(200)
    expect(emails().slice(before + 2)).toEqual([
      [
        email,
        '【Publisher Center】2段階認証の設定が変更されました',
        'リカバリーコードが作り直されました。以前のコードはもう使えません。',
      ],
    ])
  })
  it('are counted: ten wrong ones in 15 minutes, however many tickets there are', async () => {
    const { code } = await withTotp()
    later(30)
    const tickets = await Promise.all(
      Array.from({ length: 4 }, async () => ((await page().signIn()).body.secondFactor as { ticket: string }).ticket),
    )
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        page().api('sign-in/second-factor', { ticket: tickets[n % 4], code: String(n).padStart(6, '0') }),
      ),
    )
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(10)
    expect((await page().api('sign-in/second-factor', { ticket: tickets[0], code: code() })).status).toBe(429)
    later(15 * 60 + 1)
    const { ticket } = (await page().signIn()).body.secondFactor as { ticket: string }
    expect((await page().api('sign-in/second-factor', { ticket, code: code() })).status).toBe(200)
  })
  it('are not given to a ticket of nobody', async () => {
    for (const ticket of ['', 'x'.repeat(43), undefined, {}])
      expect((await page().api('sign-in/second-factor', { ticket, code: '000000' })).status).toBe(410)
  })
})

describe('what protects the account', () => {
  it('is changed only after a recent step-up', async () => {
    const { api, code } = await withTotp()
    await letHoursPass()
    expect((await api('security')).body).toMatchObject({ hasTotp: true, needsStepUp: true, recoveryCodesLeft: 10 })
    for (const name of [
      'change-email',
      'totp/start',
      'totp/confirm',
      'totp/remove',
      'recovery-codes',
      'passkeys/start',
      'passkeys/confirm',
      'passkeys/remove',
    ])
      expect(codes(await api(name, {})), name).toEqual(['sign-in/step-up-needed'])
    later(30)
    expect(codes(await api('step-up', { currentPassword: 'wrong', code: code() }))).toEqual([
      'sign-in/current-password-wrong',
    ])
    expect(codes(await api('step-up', { currentPassword: PASSWORD, code: '000000' }))).toEqual(['sign-in/code-wrong'])
    expect((await api('step-up', { currentPassword: PASSWORD, code: code() })).status).toBe(200)
    expect((await api('totp/remove', {})).status).toBe(200)
    expect((await api('security')).body).toMatchObject({ hasTotp: false, needsStepUp: false, recoveryCodesLeft: 0 })
    expect((await page().signIn()).body.location).toBe('/gpc/')
  })
  it('is nobody else’s business: all of it needs a session', async () => {
    const { api } = page()
    for (const name of [
      'step-up',
      'totp/start',
      'passkeys/start',
      'recovery-codes',
      'sessions/end',
      'sessions/end-all',
    ])
      expect((await api(name, {})).status, name).toBe(401)
    for (const name of ['security', 'sessions']) expect((await api(name)).status, name).toBe(401)
  })
})

describe('passkeys', () => {
  async function withPasskey() {
    const own = page()
    await own.signIn()
    const key = softwarePasskey(ORIGIN)
    const { options } = (await own.api('passkeys/start', {})).body as { options: Parameters<typeof key.create>[0] }
    const passkey = key.create(options)
    const added = await own.api('passkeys/confirm', { passkey, label: 'テストの鍵' })
    expect(added.status).toBe(200)
    expect(added.body.recoveryCodes).toHaveLength(10)
    // The same answer again: its challenge is used up.
    expect(codes(await own.api('passkeys/confirm', { passkey, label: 'x' }))).toEqual(['sign-in/passkey-not-added'])
    return { ...own, key }
  }
  const question = async ({ api }: ReturnType<typeof page>, ticket = '') =>
    (await api('sign-in/passkey-options', { ticket })).body.options as { challenge: string; rpId: string }

  it('sign in alone and as the second factor, each question once', async () => {
    const { key, api } = await withPasskey()
    expect((await api('security')).body.passkeys).toMatchObject([{ label: 'テストの鍵' }])
    const alone = page()
    const passkey = key.get(await question(alone))
    expect((await alone.api('sign-in/passkey', { passkey, originalPath: '/gpc/#/users' })).body.location).toBe(
      '/gpc/#/users',
    )
    expect((await page().api('sign-in/passkey', { passkey })).status).toBe(401)
    const second = page()
    const { ticket, hasPasskey } = (await second.signIn()).body.secondFactor as { ticket: string; hasPasskey: boolean }
    expect(hasPasskey).toBe(true)
    const answer = key.get(await question(second, ticket))
    expect((await second.api('sign-in/second-factor', { ticket, passkey: answer })).status).toBe(200)
  })
  it('are refused after their removal, and anyone who has one hears of other ways', async () => {
    const { key, api } = await withPasskey()
    const [{ id }] = (await api('security')).body.passkeys as [{ id: string }]
    expect((await api('passkeys/remove', { id })).status).toBe(200)
    const alone = page()
    const refused = await alone.api('sign-in/passkey', { passkey: key.get(await question(alone)) })
    expect([refused.status, codes(refused)]).toEqual([401, ['sign-in/passkey-wrong']])
    expect(JSON.stringify(refused.body)).toMatch(/削除された可能性.*パスワード.*別の方法/)
  })
  it('are refused from another page, for another account, with a counter that went back, or made by others', async () => {
    const { key } = await withPasskey()
    const evil = softwarePasskey('https://center.example.jp.evil.example')
    const other = page()
    expect((await other.api('sign-in/passkey', { passkey: evil.get(await question(other)) })).status).toBe(401)
    expect((await other.api('sign-in/passkey', { passkey: key.get(await question(other)) })).status).toBe(200)
    key.setCounter(0)
    expect((await other.api('sign-in/passkey', { passkey: key.get(await question(other)) })).status).toBe(401)
    key.setCounter(10)
    email = `other${count}@example.jp`
    await addUser(db.database, { email, password: PASSWORD })
    await withPasskey()
    const { ticket } = (await other.signIn()).body.secondFactor as { ticket: string }
    const passkey = key.get(await question(other, ticket))
    expect((await other.api('sign-in/second-factor', { ticket, passkey })).status).toBe(401)
    for (const odd of [{}, { id: 'x' }, [], { id: key.id, response: {} }])
      expect((await other.api('sign-in/passkey', { passkey: odd })).status).toBe(401)
  })
  it('prove who is there: the password alone no longer does, a recovery code beside it does', async () => {
    const own = await withPasskey()
    const recovery = ((await own.api('recovery-codes', {})).body.recoveryCodes as string[])[0]
    await letHoursPass()
    expect((await own.api('security')).body).toMatchObject({
      needsStepUp: true,
      canProveByPasskey: true,
      needsCode: true,
    })
    expect(codes(await own.api('step-up', { currentPassword: PASSWORD }))).toEqual(['sign-in/code-required'])
    expect(codes(await own.api('step-up', { currentPassword: PASSWORD, code: 'x' }))).toEqual(['sign-in/code-wrong'])
    expect((await own.api('security')).body).toMatchObject({ needsStepUp: true })
    const requested = async () => (await own.api('step-up/passkey-options', {})).body.options as { challenge: string }
    const right = own.key.get(await requested())
    expect((await own.api('step-up', { passkey: right })).status).toBe(200)
    expect((await own.api('security')).body).toMatchObject({ needsStepUp: false })
    await letHoursPass()
    // Each question once, and the question of a sign-in is another one.
    expect(codes(await own.api('step-up', { passkey: right }))).toEqual(['sign-in/passkey-wrong'])
    const signIn = own.key.get(await question(page()))
    expect(codes(await own.api('step-up', { passkey: signIn }))).toEqual(['sign-in/passkey-wrong'])
    expect((await page().api('sign-in/passkey', { passkey: own.key.get(await requested()) })).status).toBe(401)
    for (const odd of [{}, [], 'x', null, { id: own.key.id }])
      expect((await own.api('step-up', { passkey: odd })).status).not.toBe(200)
    expect((await own.api('step-up', { currentPassword: PASSWORD, code: recovery })).status).toBe(200)
  })
  it('prove nothing for somebody else’s session', async () => {
    const first = await withPasskey()
    email = `second${count}@example.jp`
    await addUser(db.database, { email, password: PASSWORD })
    const second = await withPasskey()
    await letHoursPass()
    const { options } = (await first.api('step-up/passkey-options', {})).body as { options: { challenge: string } }
    for (const passkey of [second.key.get(options), first.key.get(options)])
      expect(codes(await second.api('step-up', { passkey }))).toEqual(['sign-in/passkey-wrong'])
    expect((await page().api('step-up/passkey-options', {})).status).toBe(401)
  })
  it('need a host name, and say so', async () => {
    const plain = await identityServer(db.database, { clock })
    const browser = new TestBrowser(plain.origin)
    expect(codes(await browser.api('sign-in/passkey-options', {}))).toEqual(['sign-in/passkeys-need-host'])
    expect((await browser.api('session')).body).toMatchObject({ provider: { kind: 'embedded', hasPasskeys: false } })
    await plain.close()
  })
})
