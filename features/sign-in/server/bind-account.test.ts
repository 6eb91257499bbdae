import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { type LeastIssuer, signInAtLeastIssuer, startLeastIssuer } from '@pc/testing/system/least-issuer.ts'
import { externalClient } from '@pc/testing/system/oidc-client.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeFirstAdminLink } from './first-admin.ts'
import { firstAdminByCommand } from './first-admin-command.ts'
import { hashOfLink } from './one-time-link.ts'

const refusals: string[] = []
let db: TestDatabase
let server: IdentityServer
let provider: LeastIssuer

beforeAll(async () => {
  db = await testDatabase()
  // The provider needs the origin and the server needs the issuer, so a free port is found first.
  const probe = await identityServer(db.database)
  const { origin } = probe
  await probe.close()
  provider = await startLeastIssuer(origin)
  server = await identityServer(db.database, {
    env: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId },
    port: Number(new URL(origin).port),
    onRefused: why => refusals.push(why),
  })
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  await server?.close()
  await provider?.close()
  await db?.drop()
})
beforeEach(async () => {
  refusals.length = 0
  await db.database.inScope(SYSTEM, async tx => {
    for (const table of ['invitations', 'user_roles', 'idp_accounts', 'users', 'idp_payloads', 'idp_attempts'])
      await sql`delete from ${sql.table(table)}`.execute(tx)
  })
})

interface Begun {
  readonly ticket: string
  readonly nonce: string
}

/** The browser of one person: its sign-in page, and the code flow as oidc-client-ts runs it. */
function openBrowser() {
  const browser = new TestBrowser(server.origin)
  const client = externalClient(provider, server.origin)
  async function tokenOf(account: string, nonce: string = crypto.randomUUID()): Promise<string> {
    const request = await client.createSigninRequest({ nonce, prompt: 'login' })
    const back = await signInAtLeastIssuer(new TestBrowser(provider.issuer), request.url, account)
    return (await client.processSigninResponse(back)).id_token ?? ''
  }
  const codeOf = (answer: { status: number; body: { refusals?: readonly { code: string }[] } }) =>
    answer.status === 200 ? 'ok' : answer.body.refusals?.[0]?.code
  const begin = async (name: string, input: object) => {
    const answer = await browser.api(name, input)
    expect(codeOf(answer), JSON.stringify(answer.body)).toBe('ok')
    return answer.body as unknown as Begun
  }
  const finish = async (token: string, ticket: unknown) =>
    codeOf(await browser.api('bind', { ticket }, { authorization: `Bearer ${token}` }))
  const bind = async (begun: Begun, account: string) => finish(await tokenOf(account, begun.nonce), begun.ticket)
  const api = async (name: string, input?: object) => codeOf(await browser.api(name, input))
  const accountOf = async (token: string) =>
    codeOf(await browser.api('account', undefined, { authorization: `Bearer ${token}` }))
  return { tokenOf, begin, finish, bind, api, accountOf }
}

const who = (token: string) => server.identity.authenticate(`Bearer ${token}`)
const printed = async () => (await makeFirstAdminLink(db.database, server.origin))?.split('/').at(-1) ?? ''
const run = (statement: ReturnType<typeof sql>) => db.database.inScope(SYSTEM, tx => statement.execute(tx))
const command = (email: string, issuerSubject?: string) =>
  firstAdminByCommand(
    { database: db.database, webOrigin: server.origin, externalIssuer: provider.issuer },
    { email, issuerSubject },
  )
async function invited(email: string): Promise<{ uid: string; secret: string }> {
  const uid = await addUser(db.database, { email })
  const secret = crypto.randomUUID().replaceAll('-', '') + 'x'.repeat(11)
  await run(sql`insert into invitations (uid, secret_sha256, expires_at)
    values (${uid}::uuid, ${hashOfLink(secret)}, now() + interval '1 hour')`)
  return { uid, secret }
}

describe('the first administrator, at a provider that says nothing but who it is', () => {
  it('is the person who signs in there from the printed link, with the address that was typed', async () => {
    const secret = await printed()
    const { tokenOf, begin, bind, finish, accountOf, api } = openBrowser()
    const { nonce } = await begin('first-admin/bind', { secret, email: ' Boss@Example.jp ' })
    expect(Object.keys(decodeJwt(await tokenOf('boss', nonce))).sort()).toEqual([
      'aud',
      'auth_time',
      'exp',
      'iat',
      'iss',
      'nonce',
      'sub',
    ])
    const begun = await begin('first-admin/bind', { secret, email: ' Boss@Example.jp ' })
    expect(await bind(begun, 'boss')).toBe('ok')
    const token = await tokenOf('boss')
    expect(await who(token)).toMatchObject({ email: 'boss@example.jp', roles: ['admin'], subject: 'boss' })
    expect(await accountOf(token)).toBe('ok')
    // Neither link nor ticket works twice; and there is no new link, because an administrator exists.
    expect(await finish(await tokenOf('boss', begun.nonce), begun.ticket)).toBe('sign-in/request-expired')
    expect(refusals).toEqual(['binding: sign-in/request-expired'])
    expect(await api('first-admin/show', { secret })).toBe('sign-in/link-expired')
    expect(await api('first-admin/bind', { secret, email: 'other@example.jp' })).toBe('sign-in/link-expired')
    expect(await makeFirstAdminLink(db.database, server.origin)).toBeUndefined()
    expect(await command('late@example.jp')).toMatchObject({ status: 409 })
    const audited = await db.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow(),
    )
    expect(audited).toMatchObject({ action: 'make-first-administrator', after: { issuer: provider.issuer } })
  })

  it('is nobody without the link, no matter who signs in there; the log says why', async () => {
    await printed()
    const { tokenOf, accountOf, finish, api } = openBrowser()
    const token = await tokenOf('stranger')
    expect(await who(token)).toBeUndefined()
    expect(await accountOf(token)).toBe('sign-in/not-registered')
    expect(await accountOf(`${token.slice(0, -8)}AAAAAAAA`)).toBe('sign-in/token-refused')
    expect(refusals).toEqual(['not-registered', 'signature'])
    for (const ticket of [undefined, '', 'x'.repeat(43)])
      expect(await finish(token, ticket)).toBe('sign-in/request-expired')
    for (const secret of ['', 'x'.repeat(43), 'x'.repeat(5000)])
      expect(await api('first-admin/bind', { secret, email: 'stranger@example.jp' })).toBe('sign-in/link-expired')
    expect(await api('first-admin', { secret: await printed(), email: 'a@example.jp', password: 'x'.repeat(20) })).toBe(
      'sign-in/not-here',
    )
  })

  it('needs the token of this very sign-in, not one that somebody has from elsewhere', async () => {
    const { tokenOf, begin, finish } = openBrowser()
    const begun = await begin('first-admin/bind', { secret: await printed(), email: 'boss@example.jp' })
    const other = await begin('first-admin/bind', { secret: await printed(), email: 'boss@example.jp' })
    expect(await finish(await tokenOf('boss'), begun.ticket)).toBe('sign-in/request-expired')
    expect(await finish(await tokenOf('boss', other.nonce), begun.ticket)).toBe('sign-in/request-expired')
    // The second link has invalidated the first, also for a person who was using it.
    expect(await finish(await tokenOf('boss', begun.nonce), begun.ticket)).toBe('sign-in/link-expired')
    expect(await finish(await tokenOf('boss', other.nonce), other.ticket)).toBe('ok')
  })

  it('is one of two who come at once, with the one link or with two', async () => {
    const secret = await printed()
    const people = await Promise.all(
      Array.from({ length: 4 }, async (_, n) => {
        const { tokenOf, begin, finish } = openBrowser()
        const begun = await begin('first-admin/bind', { secret, email: `boss${n}@example.jp` })
        const token = await tokenOf(`boss-${n}`, begun.nonce)
        return () => finish(token, begun.ticket)
      }),
    )
    const answers = await Promise.all(people.map(go => go()))
    expect(answers.sort()).toEqual(['ok', ...Array(3).fill('sign-in/link-expired')])
    const users = await db.database.inScope(SYSTEM, tx => tx.selectFrom('users').select('email').execute())
    expect(users).toHaveLength(1)
  })

  it('takes over nobody: neither a user by the address, nor an account that is bound already', async () => {
    const { begin, bind, api } = openBrowser()
    await addUser(db.database, { email: 'taro@example.jp', roles: ['insight:viewer'] })
    expect(await command('taro@example.jp')).toMatchObject({ status: 409 })
    const { link } = (await command('boss@example.jp')).body as { link: string }
    const secret = link.split('/').at(-1) ?? ''
    // The operator has fixed the address, so a typed one is ignored.
    const begun = await begin('first-admin/bind', { secret, email: 'taro@example.jp' })
    await run(sql`update users set oidc_issuer = ${provider.issuer}, oidc_subject = 'taro'`)
    expect(await bind(begun, 'taro')).toBe('sign-in/account-in-use')
    expect(await api('first-admin/show', { secret })).toBe('ok')
    const again = await begin('first-admin/bind', { secret, email: '' })
    await run(sql`insert into users (email) values ('boss@example.jp')`)
    expect(await bind(again, 'boss')).toBe('sign-in/email-taken')
    expect(await api('first-admin/bind', { secret, email: '' })).toBe('sign-in/email-taken')
  })

  it('is bound by the command, and an administrator of a former issuer again, by name alone', async () => {
    const { tokenOf, begin, bind } = openBrowser()
    expect(await command('boss@example.jp', 'the boss')).toMatchObject({ status: 400 })
    expect(await command('nonsense', 'boss')).toMatchObject({ status: 400 })
    expect(await command('boss@example.jp', 'boss')).toEqual({ status: 200, body: { bound: 'boss@example.jp' } })
    const uid = (await who(await tokenOf('boss')))?.uid
    expect(uid).toBeDefined()
    await run(sql`update users set oidc_issuer = 'https://former.example'`)
    expect(await who(await tokenOf('boss'))).toBeUndefined()
    const { link } = (await command('boss@example.jp')).body as { link: string }
    expect(await bind(await begin('first-admin/bind', { secret: link.split('/').at(-1) }), 'boss-2')).toBe('ok')
    expect((await who(await tokenOf('boss-2')))?.uid).toBe(uid)
    expect(await who(await tokenOf('boss'))).toBeUndefined()
  })
})

describe('somebody who was invited', () => {
  it('is bound by the link of the email and the sign-in that follows, once', async () => {
    const { uid, secret } = await invited('hana@example.jp')
    const { tokenOf, begin, bind, accountOf, api } = openBrowser()
    expect(await accountOf(await tokenOf('hana'))).toBe('sign-in/not-registered')
    expect(await api('invite', { secret })).toBe('ok')
    const first = await begin('invite/bind', { secret })
    const second = await begin('invite/bind', { secret })
    expect(await bind(first, 'hana')).toBe('ok')
    expect((await who(await tokenOf('hana')))?.uid).toBe(uid)
    expect(await bind(second, 'thief')).toBe('sign-in/link-expired')
    expect(await api('invite/bind', { secret })).toBe('sign-in/link-expired')
    expect(await api('invite/accept', { secret, password: 'x'.repeat(20) })).toBe('sign-in/not-here')
    await run(sql`update users set enabled = false`)
    expect(await accountOf(await tokenOf('hana'))).toBe('sign-in/disabled')
  })

  it('is bound again by a new invitation alone, and never to the account of somebody else', async () => {
    const { uid, secret } = await invited('hana@example.jp')
    const { tokenOf, begin, bind } = openBrowser()
    expect(await bind(await begin('invite/bind', { secret }), 'hana-old')).toBe('ok')
    const renewed = 'y'.repeat(43)
    await run(sql`update invitations set accepted_at = null, secret_sha256 = ${hashOfLink(renewed)}`)
    const other = await invited('jiro@example.jp')
    expect(await bind(await begin('invite/bind', { secret: other.secret }), 'hana-old')).toBe('sign-in/account-in-use')
    expect((await who(await tokenOf('hana-old')))?.uid).toBe(uid)
    expect(await bind(await begin('invite/bind', { secret: renewed }), 'hana-new')).toBe('ok')
    expect((await who(await tokenOf('hana-new')))?.uid).toBe(uid)
    expect(await who(await tokenOf('hana-old'))).toBeUndefined()
    expect(await bind(await begin('invite/bind', { secret: other.secret }), 'jiro')).toBe('ok')
  })

  it('is nobody any more when disabled or too late on the way', async () => {
    const { secret } = await invited('late@example.jp')
    const { begin, bind } = openBrowser()
    const begun = await begin('invite/bind', { secret })
    await run(sql`update users set enabled = false`)
    expect(await bind(begun, 'late')).toBe('sign-in/link-expired')
    await run(sql`update users set enabled = true`)
    await run(sql`update invitations set expires_at = now()`)
    expect(await bind(begun, 'late')).toBe('sign-in/link-expired')
  })
})
