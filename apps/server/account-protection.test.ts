import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { totpCode } from '@pc/features/sign-in/server/totp.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { consoleClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import { needingStepUp } from '@pc/testing/system/sample-requests.ts'
import { atItsOwnOrigin, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** What a stolen session must not do, and how somebody who lost a second factor is helped. */
const PASSWORD = 'the right words here'
let system: SystemUnderTest
let origin: string

beforeAll(async () => {
  const env = await atItsOwnOrigin()
  system = await startSystemUnderTest(env)
  origin = env.WEB_ORIGIN
  await system.dependencies.jobs.work(system.dependencies.jobHandlers)
  const passwordHash = await hashPassword(PASSWORD)
  await system.dependencies.database.inScope(SYSTEM, async tx => {
    for (const { uid } of Object.values(system.rows.users))
      await tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute()
  })
})
afterAll(() => system?.close())

type Name = keyof SystemUnderTest['rows']['users']
const update = (query: ReturnType<typeof sql>) => system.dependencies.database.inScope(SYSTEM, tx => query.execute(tx))

/** Signed in through the screens' own endpoints, with the token of that very session. */
async function signedIn(name: Name) {
  const { uid, email } = system.rows.users[name]
  const browser = new TestBrowser(origin)
  const answer = await browser.api('sign-in', { email, password: PASSWORD })
  expect(answer.status, answer.text).toBe(200)
  const token = (await silentTokens(browser, consoleClient(origin))).id_token ?? ''
  const ask = async (api: 'iam' | 'insight', query: string, variables?: object) => {
    const { json } = await system.ask(api, query, token, variables)
    const [error] = json.errors ?? []
    const refusals = (error?.extensions.refusals ?? []) as { code: string }[]
    return {
      data: json.data as Record<string, unknown> | null,
      code: error?.extensions.code,
      needsStepUp: error?.extensions.needsStepUp === true,
      refused: refusals.map(refusal => refusal.code).join(' '),
    }
  }
  return { uid, email, browser, token, ask }
}
/** Moves every sign-in and every step-up into the past. */
const letMinutesPass = (minutes: number) =>
  update(sql`with older as (update idp_session_uses set proved_at = proved_at - ${minutes} * interval '1 minute' returning 1)
    update idp_payloads set payload = jsonb_set(payload, '{loginTs}',
      to_jsonb((payload ->> 'loginTs')::bigint - ${minutes * 60})) where model = 'Session' and payload ? 'loginTs'`)

/**
 * Every mutation, by whether it asks who is there: a new one has to be put here, and its author to decide. It asks where
 * money could go elsewhere afterwards, or where somebody could come in who is not meant to.
 */
const ASKS = {
  iam: [
    ...['inviteUser', 'regenerateInviteLink', 'updateEmail', 'updateRoles', 'resetSecondFactor', 'deleteUser'],
    ...['confirmAccountChange', 'setUserEnabled', 'deleteOrganization', 'saveSecondFactorRule'],
  ],
  insight: [
    ...['inviteUserForPublisher', 'updateUserForPublisher', 'saveWebhook', 'renewWebhookSecret', 'createApiKey'],
    // Accounts, rates and terms.
    ...['createBankAccount', 'approveBankAccount', 'createAgreements', 'upsertAgreement'],
    ...['upsertPublisherWithAgreementPublisherRules', 'createPublisherWithAgreementPublisherRulesFromStaging'],
    // The payer's side.
    ...[
      'saveReturnsFirstMonth',
      'savePayoutSetting',
      'saveDatedRate',
      'removeDatedSetting',
      'saveTransferFees',
      'saveTransferSource',
    ],
    ...['saveWithholdingRate', 'removeWithholdingRate'],
    // A month, and the money of it.
    ...['finalizeMonthlyDividendManualOperation', 'createTransferBatch', 'settleTransfers', 'importTransferResult'],
    'resendTransferRecords',
    ...['markPaid', 'markReturned', 'requestTransferRecall', 'decideTransferRecall', 'noteTransferRecallByBank'],
    ...['requestRecalledTransferPayment', 'decideRecalledTransferPayment', 'correctTransferReturnFee'],
  ],
} as const
const DOES_NOT_ASK = {
  iam: [...['createOrganization', 'updateOrganization', 'startViewAs', 'endViewAs'], 'withdrawAccountChange'],
  insight: [
    // Ends something, and gives nothing: in an emergency it must be quick.
    'cancelBankAccountSwitches', // keeps the account that is in use
    ...['rejectBankAccount', 'revokeApiKey', 'pauseWebhook', 'deleteWebhook', 'cancelTransferBatch', 'discardImport'],
    // Repeats what was decided, or is decided by what follows.
    ...['exportTransferBatch', 'redeliverWebhook', 'pingWebhook', 'computeMonth', 'runInvariants', 'createDividend'],
    ...[
      'acknowledgeCloseCheck',
      'withdrawDividend',
      'importHolidayFile',
      'importInvoiceRegister',
      'saveJournalAccounts',
    ],
    // Papers: the amounts in them are final.
    ...['saveStatementSettings', 'confirmStatement', 'objectToStatement', 'resolveStatement', 'reviseStatement'],
    ...['recordStatementSending', 'withdrawStatementObjection'],
    ...['issueStatements', 'addAgreementDocument', 'removeAgreementDocument', 'placeLegalHold', 'releaseLegalHold'],
    // Contents, and what people write to each other.
    ...['upsertPublisher', 'upsertFeed', 'createFeedFromStaging', 'createMedium', 'updateMedium', 'abandonIngestBatch'],
    ...['deleteMediumArticle', 'restoreMediumArticle', 'upsertAnnouncement', 'readAnnouncements', 'noteDownload'],
    ...['askQuestion', 'writeQuestionMessage', 'resolveQuestion', 'assignQuestion', 'readQuestion'],
    ...['saveAnswerTemplate', 'deleteAnswerTemplate'],
    // One's own views.
    ...['saveBoard', 'pinToBoard', 'deleteBoard', 'restoreBoard', 'saveAnnotation', 'deleteAnnotation'],
    ...['restoreAnnotation', 'savePreference', 'saveView', 'saveWhatIfDraft', 'deleteWhatIfDraft'],
    ...['saveReportMail', 'pauseReportMail', 'deleteReportMail', 'restoreReportMail', 'sendReportMailTest'],
    ...['deleteSavedView', 'restoreSavedView'],
  ],
} as const
const APIS = ['iam', 'insight'] as const
const schemaOf = (api: (typeof APIS)[number]) =>
  api === 'iam' ? system.dependencies.iamSchema : system.dependencies.insightSchema
const mutationsOf = (api: (typeof APIS)[number]) => Object.values(schemaOf(api).getMutationType()?.getFields() ?? {})

const UPDATE_ROLES =
  'mutation M($uid: ID!, $roles: [String!]!) { updateRoles(uid: $uid, roles: $roles) { roles { name } } }'
const CONFIRM = 'mutation M($uid: ID!, $id: ID!) { confirmAccountChange(uid: $uid, id: $id) { uid hasSecondFactor } }'
const RESET = 'mutation M($uid: ID!) { resetSecondFactor(uid: $uid) { uid hasSecondFactor } }'

describe('what would let a stolen session stay', () => {
  test('needs a step-up of the last ten minutes: which mutations those are, and which imports', () => {
    for (const api of APIS) {
      const asking = mutationsOf(api).filter(({ extensions }) => extensions.needsStepUp === true)
      const others = mutationsOf(api).filter(({ extensions }) => extensions.needsStepUp !== true)
      expect(asking.map(({ name }) => name).sort()).toEqual([...ASKS[api]].sort())
      expect(others.map(({ name }) => name).sort()).toEqual([...DOES_NOT_ASK[api]].sort())
    }
    const kinds = system.dependencies.importKinds.map(({ name, needsStepUp }) => [name, needsStepUp === true])
    expect(Object.fromEntries(kinds)).toEqual({
      ...{ organizations: false, publishers: false, feeds: false },
      ...{ agreements: true, terms: true, rules: true, 'opening-balances': true, users: true },
      ...{ 'bank-accounts': true, 'agreement-accounts': true },
    })
  })
  test('is refused without one, changes nothing, and goes on after the password was given again', async () => {
    const admin = await signedIn('admin')
    const { uid } = system.rows.users['insight:viewer']
    const give = (roles: string[]) => admin.ask('iam', UPDATE_ROLES, { uid, roles })
    expect((await give(['insight:viewer'])).code).toBeUndefined()
    await letMinutesPass(11)
    const refused = await give(['admin'])
    expect([refused.code, refused.needsStepUp, refused.data]).toEqual(['FORBIDDEN', true, null])
    const roles = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('userRoles').select('roleName').where('uid', '=', uid).execute(),
    )
    expect(roles).toEqual([{ roleName: 'insight:viewer' }])
    // Everything else goes on.
    expect((await admin.ask('iam', '{ viewer { uid } }')).code).toBeUndefined()
    expect((await admin.browser.api('step-up', { currentPassword: 'wrong' })).status).toBe(400)
    expect((await give(['insight:viewer'])).needsStepUp).toBe(true)
    expect((await admin.browser.api('step-up', { currentPassword: PASSWORD })).status).toBe(200)
    expect((await give(['insight:viewer', 'coupon:editor'])).code).toBeUndefined()
    await letMinutesPass(11)
    expect((await give(['insight:viewer'])).needsStepUp).toBe(true)
  })
  test('protects letting somebody in again; who keeps somebody out is not held up', async () => {
    const admin = await signedIn('admin')
    await letMinutesPass(11)
    const { uid } = system.rows.users['coupon:editor']
    const enable = (enabled: boolean) =>
      admin.ask(
        'iam',
        'mutation M($uid: ID!, $enabled: Boolean!) { setUserEnabled(uid: $uid, enabled: $enabled) { enabled } }',
        {
          uid,
          enabled,
        },
      )
    expect((await enable(false)).code).toBeUndefined()
    expect((await enable(true)).needsStepUp).toBe(true)
    expect((await admin.browser.api('step-up', { currentPassword: PASSWORD })).status).toBe(200)
    expect((await enable(true)).code).toBeUndefined()
  })
  test('counts for one session: not for another one of the same person', async () => {
    const thief = await signedIn('iam:admin')
    await letMinutesPass(11)
    const owner = await signedIn('iam:admin')
    expect((await owner.browser.api('step-up', { currentPassword: PASSWORD })).status).toBe(200)
    const { uid } = system.rows.users['insight:viewer']
    const give = (who: typeof owner) => who.ask('iam', UPDATE_ROLES, { uid, roles: ['insight:viewer'] })
    expect((await give(owner)).code).toBeUndefined()
    expect((await give(thief)).needsStepUp).toBe(true)
  })
  test('every sensitive mutation asks, before it looks at its input', async () => {
    const admin = await signedIn('admin')
    await letMinutesPass(11)
    for (const api of APIS) {
      for (const { name, query } of needingStepUp(schemaOf(api))) {
        const answer = await admin.ask(api, query)
        expect([name, answer.code, answer.needsStepUp]).toEqual([name, 'FORBIDDEN', true])
      }
    }
  })
})

describe('a lost second factor', () => {
  /** Sets up the authenticator app as its screen does. */
  async function withTotp(name: Name) {
    const person = await signedIn(name)
    const started = (await person.browser.api('totp/start', {})).body as { ticket?: string; secret?: string }
    const bits = [...(started.secret ?? '')]
      .map(char => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
      .join('')
    const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
    const code = totpCode(secret, Math.floor(Date.now() / 30_000))
    expect((await person.browser.api('totp/confirm', { ticket: started.ticket, code })).status).toBe(200)
    return person
  }
  const signInAnswer = async (email: string) =>
    (await new TestBrowser(origin).api('sign-in', { email, password: PASSWORD })).body as {
      secondFactor?: object
      location?: string
    }
  async function mailsTo(address: string): Promise<string[]> {
    const folder = path.join(system.dependencies.config.dataDir, 'outbox')
    const files = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml')).sort()
    const mails = await Promise.all(files.map(file => readFile(path.join(folder, file), 'utf8')))
    return mails.filter(mail => mail.includes(address))
  }

  test('is reset by two administrators: the password alone signs in, sessions end, the person is notified, the log knows', async () => {
    const person = await withTotp('insight:editor')
    expect((await signInAnswer(person.email)).secondFactor).toBeDefined()
    const admin = await signedIn('iam:admin')
    const shown = await admin.ask('iam', 'query Q($id: ID!) { user(userID: $id) { hasSecondFactor } }', {
      id: person.uid,
    })
    expect(shown.data).toEqual({ user: { hasSecondFactor: true } })
    // The email about the new factor leaves by the queue.
    await expect.poll(async () => (await mailsTo(person.email)).length, { timeout: 60_000 }).toBe(1)
    const before = 1
    expect((await admin.ask('iam', RESET, { uid: person.uid })).data).toEqual({
      resetSecondFactor: { uid: person.uid, hasSecondFactor: true },
    })
    expect((await signInAnswer(person.email)).secondFactor).toBeDefined()
    const [change] = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('accountChanges').select('id').where('uid', '=', person.uid).execute(),
    )
    const second = await signedIn('admin')
    const confirmed = await second.ask('iam', CONFIRM, { uid: person.uid, id: String(change?.id) })
    expect(confirmed.data).toEqual({ confirmAccountChange: { uid: person.uid, hasSecondFactor: false } })
    expect((await person.ask('iam', '{ viewer { uid } }')).code).toBe('UNAUTHENTICATED')
    const answer = await signInAnswer(person.email)
    // The role of this person needs a new one.
    expect([answer.secondFactor, answer.location]).toEqual([undefined, '/sso#/second-factor/%2Fgpc%2F'])
    const left = await system.dependencies.database.inScope(SYSTEM, tx =>
      sql`select 1 from idp_recovery_codes where uid = ${person.uid}::uuid`.execute(tx),
    )
    expect(left.rows).toEqual([])
    await expect.poll(async () => (await mailsTo(person.email)).length, { timeout: 60_000 }).toBeGreaterThan(before)
    const [log] = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').selectAll().where('action', '=', 'reset-second-factor').execute(),
    )
    expect(log).toMatchObject({
      actorUid: admin.uid,
      rowId: person.uid,
      after: { confirmedByUid: second.uid },
    })
    expect((await admin.ask('iam', RESET, { uid: person.uid })).refused).toBe('user/no-second-factor')
  })

  test('is nobody’s to reset who is below, outside, or oneself', async () => {
    const target = await withTotp('admin')
    const owner = await signedIn('iam:admin')
    expect((await owner.ask('iam', RESET, { uid: target.uid })).refused).toBe('user/rank-too-high')
    const publisher = await signedIn('insight:publisher_admin')
    const refusedAs = async (uid: string) => (await publisher.ask('iam', RESET, { uid })).refused
    expect(await refusedAs(system.rows.users.ofB.uid)).toBe('record/not-found')
    expect(await refusedAs('00000000-0000-7000-8000-000000000000')).toBe('record/not-found')
    expect(await refusedAs(publisher.uid)).toBe('user/own-second-factor')
    expect(await refusedAs(system.rows.users['insight:viewer'].uid)).toBe('user/rank-too-high')
    const colleague = await withTotp('insight:publisher_editor')
    expect((await publisher.ask('iam', RESET, { uid: colleague.uid })).code).toBeUndefined()
    for (const name of ['iam:viewer', 'insight:admin', 'insight:viewer'] as const)
      expect((await (await signedIn(name)).ask('iam', RESET, { uid: target.uid })).code, name).toBe('FORBIDDEN')
    expect((await signInAnswer(target.email)).secondFactor).toBeDefined()
  })
})
