import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type LeastIssuer, signInAtLeastIssuer, startLeastIssuer } from '@pc/testing/system/least-issuer.ts'
import { externalClient } from '@pc/testing/system/oidc-client.ts'
import { decodedMail } from '@pc/testing/system/people-fixture.ts'
import { needingStepUp } from '@pc/testing/system/sample-requests.ts'
import { atItsOwnOrigin, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstAdminByCommand } from '../../sign-in/server/first-admin-command.ts'

let system: SystemUnderTest
let provider: LeastIssuer
let origin: string
let admin: string

beforeAll(async () => {
  const own = await atItsOwnOrigin()
  origin = own.WEB_ORIGIN
  provider = await startLeastIssuer(origin)
  system = await startSystemUnderTest({ ...own, OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId })
  await system.dependencies.jobs.work(system.dependencies.jobHandlers)
  const command = { database: system.dependencies.database, webOrigin: origin, externalIssuer: provider.issuer }
  expect((await firstAdminByCommand(command, { email: 'boss@example.jp', issuerSubject: 'boss' })).status).toBe(200)
  admin = await tokenOf('boss')
})
afterAll(async () => {
  await system?.close()
  await provider?.close()
})

/** A token that says the person has just signed in. */
const FRESH = { prompt: 'login', max_age: 0 } as const
async function tokenOf(account: string, nonce: string = crypto.randomUUID(), how: object = FRESH): Promise<string> {
  const client = externalClient(provider, origin)
  const request = await client.createSigninRequest({ nonce, ...how })
  const back = await signInAtLeastIssuer(new TestBrowser(provider.issuer), request.url, account)
  return (await client.processSigninResponse(back)).id_token ?? ''
}
async function change(query: string, variables: object) {
  const { json } = await system.ask('iam', query, admin, variables)
  const refusals = (json.errors?.[0]?.extensions.refusals ?? []) as { code: string }[]
  return { data: json.data as Record<string, Record<string, unknown>>, refused: refusals[0]?.code }
}
async function mailsTo(address: string): Promise<readonly string[]> {
  const folder = path.join(system.dependencies.config.dataDir, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml')).sort()
  const mails = await Promise.all(files.map(file => readFile(path.join(folder, file), 'utf8')))
  return mails.map(decodedMail).filter(mail => mail.includes(`To: ${address}`))
}
/** The secret in the nth email with such a link. */
async function secretMailedTo(
  address: string,
  nth: number,
  link: 'invite' | 'account-change' = 'invite',
): Promise<string> {
  const read = async () => (await mailsTo(address)).filter(mail => mail.includes(`#/${link}/`))
  await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBe(nth)
  const message = (await read()).at(-1) ?? ''
  if (link === 'invite') expect(message).toContain('会社のアカウントでサインイン')
  return /#\/(?:invite|account-change)\/([\w-]{43})/.exec(message)?.[1] ?? ''
}
const decide = async (what: 'agree' | 'object', secret: string) =>
  (await new TestBrowser(origin).api(`account-change/${what}`, { secret })).status
async function bind(secret: string, account: string): Promise<number> {
  const browser = new TestBrowser(origin)
  const begun = JSON.parse((await browser.api('invite/bind', { secret })).text)
  const token = await tokenOf(account, begun.nonce)
  return (await browser.api('bind', { ticket: begun.ticket }, { authorization: `Bearer ${token}` })).status
}
const viewer = async (account: string) =>
  ((await system.ask('iam', '{ viewer { uid } }', await tokenOf(account))).json.data as { viewer?: { uid: string } })
    ?.viewer?.uid

const INVITE = 'mutation M($input: InviteUserInput!) { inviteUser(input: $input) { uid accountAtIssuer } }'
const AGAIN = 'mutation M($uid: ID!) { regenerateInviteLink(uid: $uid) { accountAtIssuer invitation { expiresAt } } }'
const EMAIL = 'mutation M($uid: ID!, $email: String!) { updateEmail(uid: $uid, email: $email) { email } }'

test('people are invited to sign in at the provider, and to bind another account; nobody is taken over on the way', async () => {
  const email = 'hana@example.jp'
  const invited = await change(INVITE, { input: { email, roles: ['insight:viewer'], organizationId: null } })
  expect(invited.data.inviteUser).toMatchObject({ accountAtIssuer: 'MISSING' })
  const uid = String(invited.data.inviteUser?.uid)
  expect(await viewer('hana')).toBeUndefined()
  expect(system.logged.join('')).toMatch(
    /"why":"not-registered","subject":"hana","detail":"no user has this account; an invitation/,
  )
  expect(await bind(await secretMailedTo(email, 1), 'hana')).toBe(200)
  expect(await viewer('hana')).toBe(uid)

  // Binds another account at the provider by a new email to the same address, once the person agrees. The old account
  // works until then.
  expect((await change(AGAIN, { uid })).data.regenerateInviteLink).toEqual({
    accountAtIssuer: 'BOUND',
    invitation: null,
  })
  expect(await decide('agree', await secretMailedTo(email, 1, 'account-change'))).toBe(200)
  const secret = await secretMailedTo(email, 2)
  expect(await viewer('hana')).toBe(uid)
  // A user administrator cannot redirect that email.
  expect((await change(EMAIL, { uid, email: 'thief@example.jp' })).refused).toBe('user/email-elsewhere')
  expect(await bind(secret, 'boss')).toBe(409)
  expect(await bind(secret, 'hana-2')).toBe(200)
  expect(await viewer('hana-2')).toBe(uid)
  expect(await viewer('hana')).toBeUndefined()
  // The person objects: the previous account is bound again.
  expect(await decide('object', await secretMailedTo(email, 2, 'account-change'))).toBe(200)
  expect(await viewer('hana')).toBe(uid)
  expect(await viewer('hana-2')).toBeUndefined()
})

test('what could move money or let somebody in asks for a fresh sign-in at the provider', async () => {
  const ask = async (token: string) => {
    const input = { email: 'saburo@example.jp', roles: ['insight:viewer'], organizationId: null }
    const [error] = (await system.ask('iam', INVITE, token, { input })).json.errors ?? []
    return [error?.extensions.code, error?.extensions.needsStepUp, error?.message]
  }
  const unsaid = await ask(await tokenOf('boss', undefined, {}))
  expect(unsaid).toEqual(['FORBIDDEN', true, expect.stringContaining('会社のアカウントでもう一度サインイン')])
  expect(unsaid.at(-1)).toContain('auth_time')
  expect(await ask(await tokenOf('boss'))).toEqual([undefined, undefined, undefined])
})

test('every mutation and import that asks who is there refuses a session whose sign-in is unsaid or too long ago', async () => {
  const { iamSchema, insightSchema, importKinds } = system.dependencies
  const questions = [
    ...needingStepUp(iamSchema).map(question => ({ api: 'iam' as const, ...question })),
    ...needingStepUp(insightSchema).map(question => ({ api: 'insight' as const, ...question })),
  ]
  const kinds = importKinds.filter(({ needsStepUp }) => needsStepUp)
  expect([questions.length, kinds.length]).toEqual([expect.toSatisfy(count => count > 40), 7])
  /** The names of the operations that required a step-up. */
  const asking = async (token: string) => {
    const found: string[] = []
    for (const { api, name, query } of questions) {
      const [error] = (await system.ask(api, query, token)).json.errors ?? []
      if (error?.extensions.code === 'FORBIDDEN' && error.extensions.needsStepUp === true) found.push(name)
    }
    for (const { name } of kinds) {
      const answer = await fetch(`${system.origins.insight}/imports?confirm=1&kind=${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ importId: '1', previewSha256: 'x' }),
      })
      if (answer.status === 403 && ((await answer.json()) as { needsStepUp?: boolean }).needsStepUp) found.push(name)
    }
    return found
  }
  const all = [...questions, ...kinds].map(({ name }) => name)
  expect(await asking(await tokenOf('boss', undefined, {}))).toEqual(all)
  expect(await asking(await tokenOf('boss @700', undefined, { max_age: 3_600 }))).toEqual(all)
  // Nine minutes are short enough, so the refusal came from the requested time.
  const input = { email: 'no address', roles: ['insight:viewer'], organizationId: null }
  const nine = await system.ask('iam', INVITE, await tokenOf('boss @540', undefined, { max_age: 3_600 }), { input })
  expect(nine.json.errors?.[0]?.extensions).toMatchObject({ refusals: [{ code: 'user/email-invalid' }] })
})

test('somebody who was here before the provider came is invited to it, at the known address alone', async () => {
  const { uid, email } = system.rows.users['insight:viewer']
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.updateTable('users').set({ emailVerifiedAt: new Date() }).where('uid', '=', uid).execute(),
  )
  expect((await change(AGAIN, { uid })).data.regenerateInviteLink).toMatchObject({ accountAtIssuer: 'MISSING' })
  expect(await decide('agree', await secretMailedTo(email, 1, 'account-change'))).toBe(200)
  const secret = await secretMailedTo(email, 1)
  await change(EMAIL, { uid, email: 'thief@example.jp' })
  const { json } = await system.ask('iam', 'query Q($uid: ID!) { user(userID: $uid) { email } }', admin, { uid })
  expect(json.data).toEqual({ user: { email } })
  expect(await bind(secret, 'viewer')).toBe(200)
  expect(await viewer('viewer')).toBe(uid)
})

test('a second administrator’s unconfirmed address makes nobody invited: it is not changed alone after another invitation', async () => {
  const { uid } = system.rows.users['insight:editor']
  const run = (query: ReturnType<typeof sql>) => system.dependencies.database.inScope(SYSTEM, tx => query.execute(tx))
  await run(sql`update users set email_verified_at = null where uid = ${uid}::uuid`)
  await run(sql`insert into account_changes
      (uid, kind, email, new_email, requested_by_uid, source_address, expires_at, state, settled_at, confirmed_by_uid)
    select uid, 'email', 'before@example.jp', email, ${system.rows.users.admin.uid}::uuid, '127.0.0.1',
      now() + interval '1 day', 'done', now(), ${system.rows.users['iam:admin'].uid}::uuid from users where uid = ${uid}::uuid`)
  await run(sql`insert into invitations (uid, invited_by_uid, secret_sha256, expires_at)
    values (${uid}::uuid, ${system.rows.users.admin.uid}::uuid, repeat('a', 64), now() + interval '1 day')`)
  const before = await run(sql`select email from users where uid = ${uid}::uuid`)
  await change(EMAIL, { uid, email: 'thief.of.editor@example.jp' })
  expect((await run(sql`select email from users where uid = ${uid}::uuid`)).rows).toEqual(before.rows)
})

test('administrators hear of a new one also at an address that nobody has confirmed yet', async () => {
  const { uid, email } = system.rows.users['iam:admin']
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.updateTable('users').set({ emailVerifiedAt: null }).where('uid', '=', uid).execute(),
  )
  const input = { email: 'accomplice@example.jp', roles: ['iam:admin'], organizationId: null }
  expect((await change(INVITE, { input })).refused).toBeUndefined()
  const heard = async () => (await mailsTo(email)).filter(mail => mail.includes('accomplice@example.jp')).length
  await expect.poll(heard, { timeout: 60_000 }).toBe(1)
})
