import { SECOND_FACTOR_ROLES } from '@pc/domain/access/second-factor.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type LeastIssuer, signInAtLeastIssuer, startLeastIssuer } from '@pc/testing/system/least-issuer.ts'
import { consoleClient, externalClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import { atItsOwnOrigin, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { firstAdminByCommand } from './first-admin-command.ts'
import { totpCode } from './totp.ts'

const PASSWORD = 'the right words here'
const NOTICE = '{ secondFactorNotice { dueAt isAtIssuer } }'
const RULE =
  '{ secondFactorRule { isRequired graceDays revision roles isAtIssuer } peopleWithoutSecondFactor { total emails } }'
const SAVE =
  'mutation M($on: Boolean!, $days: Int!, $was: Int) { saveSecondFactorRule(isRequired: $on, graceDays: $days, expectedRevision: $was) { isRequired graceDays } }'

let system: SystemUnderTest
const change = (query: ReturnType<typeof sql>) => system.dependencies.database.inScope(SYSTEM, tx => query.execute(tx))
/** Moves the rule and every role into the past. */
const letDaysPass = (days: number) =>
  change(sql`with older as (update user_roles set given_at = given_at - ${days} * interval '1 day' returning 1)
    update second_factor_rule set required_from = required_from - ${days} * interval '1 day'`)
async function requested(api: 'iam' | 'insight', query: string, token: string, variables?: object) {
  const { json } = await system.ask(api, query, token, variables)
  const [error] = json.errors ?? []
  const refusals = (error?.extensions.refusals ?? []) as { code: string }[]
  return { data: json.data as Record<string, unknown>, code: error?.extensions.code, refused: refusals[0]?.code }
}

describe('with accounts of our own', () => {
  let origin: string
  beforeAll(async () => {
    const env = await atItsOwnOrigin()
    system = await startSystemUnderTest(env)
    origin = env.WEB_ORIGIN
    const passwordHash = await hashPassword(PASSWORD)
    for (const { uid } of Object.values(system.rows.users))
      await system.dependencies.database.inScope(SYSTEM, tx =>
        tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute(),
      )
  })
  beforeEach(async () => {
    await change(sql`delete from idp_authenticators`)
    await change(sql`update user_roles set given_at = now()`)
    await change(sql`update second_factor_rule set is_required = true, grace_days = 14, required_from = now()`)
  })
  afterAll(() => system?.close())

  async function signedIn(name: keyof SystemUnderTest['rows']['users'], originalPath = '/gpc/#/x') {
    const { email, uid } = system.rows.users[name]
    const browser = new TestBrowser(origin)
    const { location } = (await browser.api('sign-in', { email, password: PASSWORD, originalPath })).body
    const token = (await silentTokens(browser, consoleClient(origin))).id_token ?? ''
    return { browser, token, location, email, uid }
  }
  async function enrol(browser: TestBrowser) {
    const started = (await browser.api('totp/start', {})).body as unknown as { secret: string; ticket: string }
    const bits = [...started.secret].map(char =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'),
    )
    const seed = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
    const code = totpCode(seed, Math.floor(Date.now() / 30_000))
    expect((await browser.api('totp/confirm', { ticket: started.ticket, code })).status).toBe(200)
  }

  test('a new installation requires one of the roles that move money or manage accounts, and of no other', async () => {
    const { token } = await signedIn('admin')
    const { data } = await requested('iam', RULE, token)
    expect(data.secondFactorRule).toMatchObject({
      isRequired: true,
      graceDays: 14,
      roles: SECOND_FACTOR_ROLES,
      isAtIssuer: false,
    })
    for (const name of ['insight:viewer', 'insight:publisher_editor'] as const) {
      const person = await signedIn(name)
      expect(person.location).toBe('/gpc/#/x')
      expect((await requested('iam', NOTICE, person.token)).data.secondFactorNotice).toBeNull()
    }
  })
  test('for the days of grace people are warned and go on; then they can set one up, and nothing else', async () => {
    const { browser, token, location } = await signedIn('insight:admin')
    expect(location).toBe(`/sso#/second-factor/${encodeURIComponent('/gpc/#/x')}`)
    const notice = (await requested('iam', NOTICE, token)).data.secondFactorNotice as { dueAt: string }
    expect(Math.round((Date.parse(notice.dueAt) - Date.now()) / 86_400_000)).toBe(14)
    expect((await browser.api('session')).body.user).toMatchObject({ mustEnrol: false })
    await letDaysPass(15)
    expect((await requested('iam', '{ viewer { uid } }', token)).code).toBe('UNAUTHENTICATED')
    expect((await requested('insight', '{ agreements { total } }', token)).code).toBe('UNAUTHENTICATED')
    const renewed = (await silentTokens(browser, consoleClient(origin))).id_token ?? ''
    expect((await requested('iam', '{ viewer { uid } }', renewed)).code).toBe('UNAUTHENTICATED')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const upload = await fetch(`${system.origins.insight}/imports?kind=organizations`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect(upload.status).toBe(401)
    expect((await browser.api('session')).body.user).toMatchObject({ mustEnrol: true })
    expect((await system.dependencies.identity.mintToken(system.rows.users['insight:admin'].email)).status).toBe(409)
    await enrol(browser)
    expect((await requested('iam', '{ viewer { uid } }', token)).code).toBeUndefined()
    expect((await browser.api('session')).body.user).toMatchObject({ mustEnrol: false })
    // Without the factor the grace period is over at once, because it is counted from the first need.
    expect((await browser.api('totp/remove', {})).status).toBe(200)
    expect((await requested('iam', '{ viewer { uid } }', token)).code).toBe('UNAUTHENTICATED')
  })
  test('the days begin with the role, also where the rule is older', async () => {
    await change(sql`update second_factor_rule set required_from = now() - interval '1 year'`)
    const { uid } = system.rows.users['insight:viewer']
    const admin = await signedIn('admin')
    await enrol(admin.browser)
    const roles = ['insight:viewer', 'insight:admin']
    const UPDATE = 'mutation M($uid: ID!, $roles: [String!]!) { updateRoles(uid: $uid, roles: $roles) { uid } }'
    expect((await requested('iam', UPDATE, admin.token, { uid, roles })).code).toBeUndefined()
    const person = await signedIn('insight:viewer')
    expect((await requested('iam', NOTICE, person.token)).data.secondFactorNotice).not.toBeNull()
    expect((await requested('iam', UPDATE, admin.token, { uid, roles: ['insight:viewer'] })).code).toBeUndefined()
  })
  test('is changed by people who give roles; switched on only by somebody who has one, so that nobody is shut out', async () => {
    const admin = await signedIn('iam:admin')
    const set = (token: string, on: boolean, days: number, was?: number) =>
      requested('iam', SAVE, token, { on, days, ...(was === undefined ? {} : { was }) })
    expect((await set(admin.token, false, 14)).refused).toBe('second-factor-rule/own-missing')
    await enrol(admin.browser)
    expect((await set(admin.token, false, 14)).data.saveSecondFactorRule).toEqual({ isRequired: false, graceDays: 14 })
    await change(sql`delete from idp_authenticators`)
    await letDaysPass(100)
    expect((await requested('iam', '{ viewer { uid } }', admin.token)).code).toBeUndefined()
    const refused = await set(admin.token, true, 0)
    expect([refused.code, refused.refused]).toEqual(['BAD_REQUEST', 'second-factor-rule/own-missing'])
    for (const days of [-1, 91, 2_147_483_647])
      expect((await set(admin.token, false, days)).refused).toBe('second-factor-rule/grace-out-of-range')
    await enrol(admin.browser)
    const { revision } = (await requested('iam', RULE, admin.token)).data.secondFactorRule as { revision: number }
    expect((await set(admin.token, true, 7, revision)).data.saveSecondFactorRule).toEqual({
      isRequired: true,
      graceDays: 7,
    })
    expect((await set(admin.token, false, 7, revision)).refused).toBe('record/edited-by-other')
    // For a person who was never asked for one, the grace period begins now.
    const editor = await signedIn('insight:editor')
    expect((await requested('iam', '{ viewer { uid } }', editor.token)).code).toBeUndefined()
    for (const name of ['insight:admin', 'insight:publisher_admin', 'iam:viewer'] as const) {
      const { token } = await signedIn(name)
      expect((await requested('iam', RULE, token)).code, name).toBe('FORBIDDEN')
      expect((await set(token, false, 14)).code, name).toBe('FORBIDDEN')
    }
    const people = (await requested('iam', RULE, admin.token)).data.peopleWithoutSecondFactor as { emails: string[] }
    expect(people.emails).toContain(editor.email)
    expect(people.emails).not.toContain(admin.email)
    const log = await system.dependencies.database.inScope(SYSTEM, tx =>
      sql<{ after: object }>`select after from audit_log where row_id = 'second-factor' order by seq`.execute(tx),
    )
    expect(log.rows.map(({ after }) => after)).toMatchObject([
      { isRequired: false },
      { isRequired: true, graceDays: 7 },
    ])
  })
  test('the days of grace are changed only by somebody who has a factor', async () => {
    const admin = await signedIn('iam:admin')
    const set = async (days: number) => (await requested('iam', SAVE, admin.token, { on: true, days })).refused
    expect(await set(0)).toBe('second-factor-rule/own-missing')
    expect(await set(13)).toBe('second-factor-rule/own-missing')
    expect(await set(14)).toBeUndefined()
    expect(await set(15)).toBe('second-factor-rule/own-missing')
    await enrol(admin.browser)
    expect(await set(15)).toBeUndefined()
    expect(await set(0)).toBeUndefined()
  })
  test('an operator helps an administrator who lost every factor, by a command; nobody else this way', async () => {
    const admin = await signedIn('admin')
    await enrol(admin.browser)
    await letDaysPass(15)
    const parts = { database: system.dependencies.database, webOrigin: origin, externalIssuer: undefined }
    const reset = (email: string) => firstAdminByCommand(parts, { email, resetSecondFactor: true })
    expect((await reset(system.rows.users['insight:admin'].email)).status).toBe(409)
    expect((await reset('nobody@example.jp')).status).toBe(409)
    expect(await reset(admin.email)).toEqual({ status: 200, body: { reset: admin.email } })
    expect((await requested('iam', '{ viewer { uid } }', admin.token)).code).toBe('UNAUTHENTICATED')
    const again = await signedIn('admin')
    expect((await again.browser.api('session')).body.user).toMatchObject({ mustEnrol: true })
    await enrol(again.browser)
    expect((await requested('iam', '{ viewer { uid } }', again.token)).code).toBeUndefined()
  })
})

describe('with a provider of the company', () => {
  let provider: LeastIssuer
  let origin: string
  beforeAll(async () => {
    const own = await atItsOwnOrigin()
    origin = own.WEB_ORIGIN
    provider = await startLeastIssuer(origin)
    system = await startSystemUnderTest({ ...own, OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId })
    const command = { database: system.dependencies.database, webOrigin: origin, externalIssuer: provider.issuer }
    expect((await firstAdminByCommand(command, { email: 'boss@example.jp', issuerSubject: 'boss' })).status).toBe(200)
  })
  afterAll(async () => {
    await system?.close()
    await provider?.close()
  })
  async function tokenOf(account: string): Promise<string> {
    const client = externalClient(provider, origin)
    const request = await client.createSigninRequest({ nonce: crypto.randomUUID(), prompt: 'login', max_age: 0 })
    const back = await signInAtLeastIssuer(new TestBrowser(provider.issuer), request.url, account)
    return (await client.processSigninResponse(back)).id_token ?? ''
  }

  test('its token decides: a factor that it names is enough, none that it names is missing, and silence is its own affair', async () => {
    await letDaysPass(15)
    const come = async (account: string) => (await requested('iam', '{ viewer { uid } }', await tokenOf(account))).code
    expect(await come('boss')).toBeUndefined()
    expect(await come('boss pwd mfa')).toBeUndefined()
    expect(await come('boss hwk user')).toBeUndefined()
    for (const weak of ['pwd', 'sms', 'tel', 'pop', 'face'])
      expect(await come(`boss ${weak}`), weak).toBe('UNAUTHENTICATED')
    const browser = new TestBrowser(origin)
    const refusal = await browser.api('account', undefined, { authorization: `Bearer ${await tokenOf('boss pwd')}` })
    expect([refusal.status, refusal.body.refusals?.[0]?.code]).toEqual([403, 'sign-in/second-factor-missing'])
    expect(system.logged.join('')).toContain('second-factor-missing')
    // The way out when a provider never reports it: the grace period starts again.
    const parts = { database: system.dependencies.database, webOrigin: origin, externalIssuer: provider.issuer }
    expect((await firstAdminByCommand(parts, { email: 'boss@example.jp', resetSecondFactor: true })).status).toBe(200)
    const token = await tokenOf('boss pwd')
    expect((await requested('iam', NOTICE, token)).data.secondFactorNotice).toMatchObject({ isAtIssuer: true })
    // During the grace period the rule is switched off by a sign-in with a second factor, as always.
    const off = async (account: string) =>
      (await requested('iam', SAVE, await tokenOf(account), { on: false, days: 14 })).refused
    expect(await off('boss pwd')).toBe('second-factor-rule/own-missing')
    expect(await off('boss')).toBe('second-factor-rule/not-said')
    expect(await off('boss otp')).toBeUndefined()
    const on = async (account: string) =>
      (await requested('iam', SAVE, await tokenOf(account), { on: true, days: 14 })).refused
    expect(await on('boss pwd')).toBe('second-factor-rule/own-missing')
    expect(await on('boss')).toBe('second-factor-rule/not-said')
    expect(await on('boss mfa')).toBeUndefined()
  })

  test('no days of grace, which shut out everybody whose token names no factor, are undone by the command', async () => {
    const save = async (account: string, days: number) =>
      (await requested('iam', SAVE, await tokenOf(account), { on: true, days })).refused
    expect(await save('boss mfa', 14)).toBeUndefined()
    expect(await save('boss pwd', 0)).toBe('second-factor-rule/own-missing')
    expect(await save('boss', 0)).toBe('second-factor-rule/not-said')
    expect(await save('boss mfa', 0)).toBeUndefined()
    const read = async (account: string) => {
      const { data, code } = await requested('iam', RULE, await tokenOf(account))
      return { code, rule: data?.secondFactorRule as { graceDays: number; revision: number } | undefined }
    }
    expect((await read('boss pwd')).code).toBe('UNAUTHENTICATED')
    const before = (await read('boss mfa')).rule
    const parts = { database: system.dependencies.database, webOrigin: origin, externalIssuer: provider.issuer }
    const reset = () => firstAdminByCommand(parts, { email: 'boss@example.jp', resetSecondFactor: true })
    expect((await reset()).status).toBe(200)
    const after = await read('boss pwd')
    expect(after.code).toBeUndefined()
    expect(after.rule).toMatchObject({ graceDays: 14, revision: (before?.revision ?? 0) + 1 })
    // A longer grace period stays.
    expect(await save('boss mfa', 30)).toBeUndefined()
    expect((await reset()).status).toBe(200)
    expect((await read('boss pwd')).rule).toMatchObject({ graceDays: 30 })
    const log = await system.dependencies.database.inScope(SYSTEM, tx =>
      sql<{
        before: object
        after: object
        actor: string | null
      }>`select before, after, actor_uid as actor from audit_log
        where row_id = 'second-factor' and source_address = 'system:command' order by seq desc limit 2`.execute(tx),
    )
    expect(log.rows.map(({ actor }) => actor)).toEqual([null, null])
    expect(log.rows.at(-1)).toMatchObject({ before: { graceDays: 0 }, after: { graceDays: 14 } })
  })
})
