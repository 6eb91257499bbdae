import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { peopleFixture } from '@pc/testing/system/people-fixture.ts'
import { WEB_ORIGIN } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

/**
 * Changes that an administrator requests of another person's account, and the consent that each needs before it takes
 * effect.
 */
const fixture = peopleFixture()
const { as, run, change, makeUser, viewerCode, mailsTo, secretMailedTo, page } = fixture

const PASSWORD = 'the right words here'
let passwordHash: string
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
})

const database = <T>(query: RawBuilder<T>) =>
  fixture.system.dependencies.database.inScope(SYSTEM, async tx => (await query.execute(tx)).rows)

/** A person who accepted the invitation long ago and has a password and an authenticator app. */
async function makePerson(roles: Parameters<typeof makeUser>[0] = ['insight:viewer'], organizationId?: bigint) {
  const person = await makeUser(roles, organizationId)
  await database(sql`insert into idp_accounts (uid, password_hash) values (${person.uid}::uuid, ${passwordHash})`)
  return person
}
const addFactor = (uid: string, label = 'アプリ') =>
  database(sql`with codes as (insert into idp_recovery_codes (uid, code_sha256) values (${uid}::uuid, ${label}))
    insert into idp_authenticators (uid, kind, label, totp_secret) values (${uid}::uuid, 'totp', ${label}, 'secret')`)
const stateOf = async (uid: string) => {
  const [row] = await database(
    sql<Record<string, unknown>>`select email, enabled, email_verified_at is not null as is_verified,
      (select password_hash from idp_accounts a where a.uid = u.uid) as password,
      array(select label from idp_authenticators f where f.uid = u.uid) as factors,
      array(select code_sha256 from idp_recovery_codes r where r.uid = u.uid) as codes
    from users u where uid = ${uid}::uuid`,
  )
  return row
}
const pendingOf = async (token: string, uid: string) => {
  const answer = await run(
    'iam',
    token,
    'query Q($uid: ID!) { user(userID: $uid) { pendingChange { id kind newEmail requestedByEmail isOwnRequest } } }',
    { uid },
  )
  return answer.data?.user?.pendingChange as Record<string, unknown> | null
}
const auditOf = (uid: string) =>
  database(
    sql<{ action: string; actor: string | null }>`select action, actor_uid::text as actor from audit_log
      where row_id = ${uid} order by seq`,
  )

/** Requests a change as the user administrator; returns its id and the secrets of the two emails. */
async function requested(person: { uid: string; email: string }, newEmail = `new.${person.email}`) {
  const token = await as('iam:admin')
  expect((await change(token, 'updateEmail', { uid: person.uid, email: newEmail })).code).toBeUndefined()
  const id = String((await pendingOf(token, person.uid))?.id)
  return {
    id,
    newEmail,
    old: await secretMailedTo(`To: ${person.email}`, 1),
    fresh: await secretMailedTo(`To: ${newEmail}`, 1),
  }
}
const agree = (secret: string) => page()('account-change/agree', { secret })
const object = (secret: string) => page()('account-change/object', { secret })

describe('another person’s address', () => {
  test('stays until both addresses have agreed; the log names the requesting administrator', async () => {
    const { users } = fixture.system.rows
    const person = await makePerson()
    const token = await fixture.system.tokenOf(person.email)
    const { id, newEmail, old, fresh } = await requested(person)
    expect(await pendingOf(await as('admin'), person.uid)).toEqual({
      id,
      kind: 'EMAIL',
      newEmail,
      requestedByEmail: users['iam:admin'].email,
      isOwnRequest: false,
    })
    // Consent from the new mailbox, which the administrator could own, changes nothing: no address, no password, no
    // session.
    expect((await page()('account-change', { secret: fresh })).body).toMatchObject({ side: 'new', isDone: false })
    expect((await agree(fresh)).body).toEqual({ isDone: false })
    expect((await object(fresh)).status).toBe(410)
    expect((await page()('forgot-pass', { email: newEmail })).status).toBe(200)
    expect(await stateOf(person.uid)).toMatchObject({ email: person.email })
    expect(await viewerCode(token)).toBeUndefined()
    expect((await agree(old)).body).toEqual({ isDone: true })
    expect(await stateOf(person.uid)).toMatchObject({ email: newEmail, isVerified: true })
    expect(await viewerCode(token)).toBe('UNAUTHENTICATED')
    expect((await agree(old)).status).toBe(410)
    expect((await agree(fresh)).status).toBe(410)
    expect(await auditOf(person.uid)).toEqual([
      { action: 'ask-for-new-email', actor: users['iam:admin'].uid },
      { action: 'confirm-account-change', actor: person.uid },
      { action: 'change-email', actor: users['iam:admin'].uid },
      { action: 'confirm-account-change', actor: person.uid },
    ])
  })

  test('is confirmed by a second administrator: not by the requester, not by the person, not by a new accomplice', async () => {
    const { users } = fixture.system.rows
    const person = await makePerson(['iam:admin'])
    const { id, newEmail, fresh } = await requested(person)
    const confirm = (token: string, of = id) => change(token, 'confirmAccountChange', { uid: person.uid, id: of })
    const first = await as('iam:admin')
    expect((await confirm(first)).refused).toBe('account-change/own-request')
    expect((await confirm(await fixture.system.tokenOf(person.email))).refused).toBe('account-change/own-account')
    for (const name of ['iam:viewer', 'insight:admin', 'insight:viewer'] as const)
      expect((await confirm(await as(name))).code, name).toBe('FORBIDDEN')
    expect((await confirm(await as('insight:publisher_admin'))).refused).toBe('user/rank-too-high')
    // An account that the first administrator made and gave the same role.
    const accomplice = await makePerson(['insight:viewer'])
    await change(first, 'updateRoles', { uid: accomplice.uid, roles: ['iam:admin'] })
    const token = await fixture.system.tokenOf(accomplice.email)
    expect((await confirm(token)).refused).toBe('account-change/new-administrator')
    for (const wrong of ['0', '999999'])
      expect((await confirm(token, wrong)).refused).toBe('account-change/not-pending')
    expect((await confirm(token, 'x')).code).toBe('BAD_REQUEST')
    expect(await stateOf(person.uid)).toMatchObject({ email: person.email })

    const second = await as('admin')
    const answers = await Promise.all([confirm(second), confirm(second)])
    expect(answers.map(answer => answer.refused).sort()).toEqual(['', 'account-change/not-pending'])
    expect(await stateOf(person.uid)).toMatchObject({ email: newEmail, isVerified: false })
    expect((await auditOf(person.uid)).slice(-2)).toEqual([
      { action: 'change-email', actor: users['iam:admin'].uid },
      { action: 'confirm-account-change', actor: users.admin.uid },
    ])
    expect((await agree(fresh)).status).toBe(410)
  })

  test('is not confirmed for a requester who is a new administrator or none any more', async () => {
    const victim = await makePerson()
    const first = await as('iam:admin')
    const accomplice = await makePerson(['insight:viewer'])
    await change(first, 'updateRoles', { uid: accomplice.uid, roles: ['iam:admin'] })
    const token = await fixture.system.tokenOf(accomplice.email)
    const email = `thief.${victim.email}`
    expect((await change(token, 'updateEmail', { uid: victim.uid, email })).code).toBeUndefined()
    const id = String((await pendingOf(first, victim.uid))?.id)
    const confirm = () => change(first, 'confirmAccountChange', { uid: victim.uid, id })
    expect((await confirm()).refused).toBe('account-change/new-requester')
    await database(sql`update user_roles set given_at = now() - interval '4 days' where uid = ${accomplice.uid}::uuid`)
    const invitation = sql`insert into invitations (uid, invited_by_uid, expires_at, accepted_at)
      values (${accomplice.uid}::uuid, ${accomplice.uid}::uuid, now(), now())`
    await database(invitation)
    expect((await confirm()).refused).toBe('account-change/new-requester')
    await database(sql`delete from invitations where uid = ${accomplice.uid}::uuid`)
    await database(sql`update users set enabled = false where uid = ${accomplice.uid}::uuid`)
    expect((await confirm()).refused).toBe('account-change/new-requester')
    expect(await stateOf(victim.uid)).toMatchObject({ email: victim.email })
    await database(sql`update users set enabled = true where uid = ${accomplice.uid}::uuid`)
    expect((await confirm()).refused).toBe('')
  })

  test('an administrator whose invitation moved to another address is a new one, and the others hear of it', async () => {
    const admin = await as('iam:admin')
    const email = `open.${Math.random().toString(36).slice(2)}@example.jp`
    const invited = await change(admin, 'inviteUser', { input: { email, roles: ['iam:admin'] } })
    const uid = invited.data?.inviteUser?.uid
    await database(sql`update user_roles set given_at = now() - interval '9 days' where uid = ${uid}::uuid`)
    const mover = await makePerson(['iam:admin'])
    const moved = `moved.${email}`
    const answer = await change(await fixture.system.tokenOf(mover.email), 'updateEmail', { uid, email: moved })
    expect(answer.refused).toBe('')
    const boss = fixture.system.rows.users.admin.email
    await expect
      .poll(async () => (await mailsTo(`To: ${boss}`)).filter(mail => mail.includes(moved)).at(-1))
      .toContain(`${mover.email} が、${moved} に`)
    const roles = await database(
      sql`select role_name, given_by_uid::text as by, given_at > now() - interval '1 hour' as is_new
        from user_roles where uid = ${uid}::uuid`,
    )
    expect(roles).toEqual([{ roleName: 'iam:admin', by: mover.uid, isNew: true }])
  })

  test('is refused by an objection, which administrators hear of; nothing brings it back', async () => {
    const person = await makePerson()
    const { id, old, fresh } = await requested(person)
    const before = await stateOf(person.uid)
    await agree(fresh)
    const answers = await Promise.all([object(old), object(old), object(old)])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 410, 410])
    expect(answers.find(answer => answer.status === 200)?.body).toEqual({ isUndone: false, isDisabled: false })
    for (const secret of [old, fresh]) expect((await agree(secret)).status).toBe(410)
    const second = await change(await as('admin'), 'confirmAccountChange', { uid: person.uid, id })
    expect(second.refused).toBe('account-change/not-pending')
    expect(await stateOf(person.uid)).toEqual(before)
    const boss = fixture.system.rows.users.admin.email
    await expect
      .poll(async () => (await mailsTo(`To: ${boss}`)).filter(mail => mail.includes(person.email)).length)
      .toBe(1)
    // It can be requested again.
    expect(await pendingOf(await as('iam:admin'), person.uid)).toBeNull()
  })

  test('is undone by an objection after two administrators did it: address, password, factors, sessions', async () => {
    const person = await makePerson()
    await addFactor(person.uid)
    const before = await stateOf(person.uid)
    const { id, newEmail } = await requested(person)
    await change(await as('admin'), 'confirmAccountChange', { uid: person.uid, id })
    const objection = await secretMailedTo(`To: ${person.email}`, 2)
    // An intruder resets the password and adds a second factor.
    await page()('forgot-pass', { email: newEmail })
    const reset = await secretMailedTo(`To: ${newEmail}`, 2)
    expect((await page()('reset-pass', { secret: reset, newPassword: 'words of a thief' })).status).toBe(200)
    await database(sql`delete from idp_authenticators where uid = ${person.uid}::uuid`)
    await addFactor(person.uid, 'thief')
    // A used code does not become unused again.
    await database(sql`update idp_recovery_codes set used_at = now()
      where uid = ${person.uid}::uuid and code_sha256 = 'アプリ'`)
    const makeKey = (name: string, at: RawBuilder<unknown>) =>
      database(sql`insert into publisher_api_keys
          (organization_id, name, secret_sha256, secret_end, scopes, created_by_uid, created_at, expires_at)
        values (${fixture.system.rows.a.organizationId}, ${name}, sha256(${name}::bytea), 'abcd', array['reports'],
          ${person.uid}::uuid, ${at}, now() + interval '1 day')`)
    await makeKey('own key', sql`now() - interval '1 day'`)
    await makeKey('key of a thief', sql`now()`)
    const thief = await fixture.system.tokenOf(newEmail)
    expect(await viewerCode(thief)).toBeUndefined()

    expect((await page()('account-change', { secret: objection })).body).toMatchObject({ isDone: true, side: 'old' })
    expect((await agree(objection)).status).toBe(410)
    expect((await object(objection)).body).toEqual({ isUndone: true, isDisabled: false })
    expect(await stateOf(person.uid)).toEqual({ ...before, isVerified: true })
    expect(await viewerCode(thief)).toBe('UNAUTHENTICATED')
    const used = sql`select code_sha256 as code from idp_recovery_codes where uid = ${person.uid}::uuid and used_at is not null`
    expect(await database(used)).toEqual([{ code: 'アプリ' }])
    const valid = sql`select name from publisher_api_keys where created_by_uid = ${person.uid}::uuid and revoked_at is null`
    expect(await database(valid)).toEqual([{ name: 'own key' }])
    const boss = fixture.system.rows.users.admin.email
    for (const to of [person.email, boss])
      await expect.poll(async () => (await mailsTo(`To: ${to}`)).at(-1)).toContain('登録されたWebhook')
    expect((await object(objection)).status).toBe(410)
    expect((await page()('sign-in', { email: person.email, password: PASSWORD })).status).toBe(200)
    expect((await page()('sign-in', { email: newEmail, password: 'words of a thief' })).status).toBe(401)
  })

  test('leaves the address of before to nobody else while it can be undone', async () => {
    const person = await makePerson()
    const { id } = await requested(person)
    const [admin, second] = [await as('iam:admin'), await as('admin')]
    await change(second, 'confirmAccountChange', { uid: person.uid, id })
    const objection = await secretMailedTo(`To: ${person.email}`, 2)
    const input = { email: person.email, roles: ['insight:viewer'] }
    expect((await change(admin, 'inviteUser', { input })).refused).toBe('user/email-taken')
    const open = await change(admin, 'inviteUser', { input: { ...input, email: `open.${person.email}` } })
    const uid = open.data?.inviteUser?.uid
    expect((await change(admin, 'updateEmail', { uid, email: person.email })).refused).toBe('user/email-taken')
    const other = await makePerson()
    await change(admin, 'updateEmail', { uid: other.uid, email: person.email })
    const waiting = String((await pendingOf(admin, other.uid))?.id)
    expect((await change(second, 'confirmAccountChange', { uid: other.uid, id: waiting })).refused).toBe(
      'user/email-taken',
    )
    expect((await object(objection)).body).toEqual({ isUndone: true, isDisabled: false })
    expect(await stateOf(person.uid)).toMatchObject({ email: person.email })
  })

  test('is undone together with every later change, whose emails open nothing any more', async () => {
    const person = await makePerson()
    const thiefs = ['one', 'two'].map(name => `${name}.${person.email}`)
    const browser = new TestBrowser(fixture.system.origins.web)
    const call = (name: string, body: object) => browser.api(name, body, { origin: WEB_ORIGIN })
    await call('sign-in', { email: person.email, password: PASSWORD })
    for (const email of thiefs) {
      expect((await call('change-email', { email })).status).toBe(200)
      const secret = await secretMailedTo(`To: ${email}`, 1)
      expect((await page()('change-email/confirm', { secret })).status).toBe(200)
    }
    const first = await secretMailedTo(`To: ${person.email}`, 1)
    const second = await secretMailedTo(`To: ${thiefs[0]}`, 2)
    // A third change is pending, requested by an accomplice.
    const email = `three.${person.email}`
    expect((await change(await as('iam:admin'), 'updateEmail', { uid: person.uid, email })).code).toBeUndefined()
    const third = await Promise.all([secretMailedTo(`To: ${thiefs[1]}`, 2), secretMailedTo(`To: ${email}`, 1)])
    expect((await object(first)).body).toEqual({ isUndone: true, isDisabled: false })
    expect((await object(second)).status).toBe(410)
    for (const secret of third) expect((await agree(secret)).status).toBe(410)
    expect(await stateOf(person.uid)).toMatchObject({ email: person.email })
    const states = await database(
      sql<{ state: string }>`select state from account_changes where uid = ${person.uid}::uuid`,
    )
    expect(states.map(row => row.state)).toEqual(['refused', 'refused', 'refused'])
  })

  test('is not undone to an address that is somebody else’s by now: the account is disabled', async () => {
    const person = await makePerson()
    const { id } = await requested(person)
    await change(await as('admin'), 'confirmAccountChange', { uid: person.uid, id })
    const objection = await secretMailedTo(`To: ${person.email}`, 2)
    const other = await makeUser([])
    await database(sql`update account_changes set state = 'withdrawn' where id = ${id}`)
    await database(sql`update users set email = ${person.email} where uid = ${other.uid}::uuid`)
    await database(sql`update account_changes set state = 'done' where id = ${id}`)
    expect((await object(objection)).body).toEqual({ isUndone: true, isDisabled: true })
    expect(await stateOf(person.uid)).toMatchObject({ enabled: false, password: passwordHash })
    const boss = fixture.system.rows.users.admin.email
    await expect
      .poll(async () => (await mailsTo(`To: ${boss}`)).filter(mail => mail.includes(person.email)).at(-1))
      .toContain('アカウントを無効にしました')
    expect((await mailsTo(`To: ${person.email}`)).filter(mail => mail.includes('異議の申し立てを受け付け'))).toEqual([])
  })

  test('ends without effect: taken, disabled, changed by the person, too old, withdrawn', async () => {
    const admin = await as('iam:admin')
    const both = async ({ old, fresh }: { old: string; fresh: string }) => [
      (await agree(fresh)).status,
      (await agree(old)).status,
    ]
    const taken = await makePerson()
    const ofTaken = await requested(taken)
    const other = await makeUser([])
    await database(sql`update users set email = ${ofTaken.newEmail} where uid = ${other.uid}::uuid`)
    expect(await both(ofTaken)).toEqual([200, 400])
    const confirmed = await change(await as('admin'), 'confirmAccountChange', { uid: taken.uid, id: ofTaken.id })
    expect(confirmed.refused).toBe('user/email-taken')

    const disabled = await makePerson()
    const ofDisabled = await requested(disabled)
    await change(admin, 'setUserEnabled', { uid: disabled.uid, enabled: false })
    expect(await both(ofDisabled)).toEqual([200, 410])
    await change(admin, 'setUserEnabled', { uid: disabled.uid, enabled: true })
    expect((await agree(ofDisabled.old)).status).toBe(410)

    const moved = await makePerson()
    const ofMoved = await requested(moved)
    await database(sql`update users set email = 'moved@example.jp' where uid = ${moved.uid}::uuid`)
    const stale = await change(await as('admin'), 'confirmAccountChange', { uid: moved.uid, id: ofMoved.id })
    expect(stale.refused).toBe('account-change/not-pending')
    const next = await change(admin, 'updateEmail', { uid: moved.uid, email: 'moved.again@example.jp' })
    expect(next.refused).toBe('')
    expect(await both(ofMoved)).toEqual([410, 410])

    const late = await makePerson()
    const ofLate = await requested(late)
    await database(sql`update account_changes set expires_at = now() where uid = ${late.uid}::uuid`)
    expect(await both(ofLate)).toEqual([410, 410])
    const second = await change(await as('admin'), 'confirmAccountChange', { uid: late.uid, id: ofLate.id })
    expect(second.refused).toBe('account-change/not-pending')
    expect((await change(admin, 'updateEmail', { uid: late.uid, email: 'again@example.jp' })).code).toBeUndefined()

    const person = await makePerson()
    const ofPerson = await requested(person)
    const twice = await change(admin, 'updateEmail', { uid: person.uid, email: 'other@example.jp' })
    expect(twice.refused).toBe('user/change-pending')
    const withdraw = await change(await as('admin'), 'withdrawAccountChange', { uid: person.uid, id: ofPerson.id })
    expect(withdraw.data?.withdrawAccountChange).toMatchObject({ pendingChange: null })
    expect(await both(ofPerson)).toEqual([410, 410])
    for (const one of [taken, disabled, late, person])
      expect(await stateOf(one.uid)).toMatchObject({ email: one.email })
  })

  test('is agreed to by the person’s own session, after a step-up, and by no other', async () => {
    const person = await makePerson()
    const browser = new TestBrowser(fixture.system.origins.web)
    const call = (name: string, body?: object) => browser.api(name, body, { origin: WEB_ORIGIN })
    expect((await call('account-change/own/agree', {})).status).toBe(401)
    expect((await call('sign-in', { email: person.email, password: PASSWORD })).status).toBe(200)
    expect((await call('account-change/own')).body).toEqual({ change: null })
    // The change on the screen is withdrawn, and another one is pending.
    const shown = await requested(person, `shown.${person.email}`)
    expect((await call('account-change/own')).body).toMatchObject({ change: { id: shown.id } })
    await change(await as('admin'), 'withdrawAccountChange', { uid: person.uid, id: shown.id })
    const newEmail = `new.${person.email}`
    await change(await as('iam:admin'), 'updateEmail', { uid: person.uid, email: newEmail })
    const fresh = await secretMailedTo(`To: ${newEmail}`, 1)
    const id = String((await pendingOf(await as('iam:admin'), person.uid))?.id)
    expect((await call('account-change/own')).body).toMatchObject({ change: { id, kind: 'email', newEmail } })
    for (const body of [{ id: shown.id }, {}])
      for (const name of ['agree', 'object'])
        expect((await call(`account-change/own/${name}`, body)).status, name).toBe(410)
    await database(sql`update idp_session_uses set proved_at = null where uid = ${person.uid}::uuid`)
    await database(sql`update idp_payloads set payload = jsonb_set(payload, '{loginTs}', '1') where model = 'Session'
      and account_id = ${person.uid}`)
    const withoutStepUp = await call('account-change/own/agree', { id })
    expect([401, 403]).toContain(withoutStepUp.status)
    expect(await stateOf(person.uid)).toMatchObject({ email: person.email })
    const again = new TestBrowser(fixture.system.origins.web)
    const steppedUp = (name: string, body?: object) => again.api(name, body, { origin: WEB_ORIGIN })
    await steppedUp('sign-in', { email: person.email, password: PASSWORD })
    // A session only counts as the old address.
    expect((await steppedUp('account-change/own/agree', { id })).body).toEqual({ isDone: false })
    expect(await stateOf(person.uid)).toMatchObject({ email: person.email })
    expect((await steppedUp('account-change/own')).body).toMatchObject({ change: { isAgreed: true } })
    expect((await agree(fresh)).body).toEqual({ isDone: true })
    expect(await stateOf(person.uid)).toMatchObject({ email: newEmail })
    expect((await steppedUp('account-change/own')).status).toBe(401)
  })

  test('is not the administrator’s own to change this way, nor anybody’s above or outside', async () => {
    const { users } = fixture.system.rows
    const admin = await as('iam:admin')
    const email = 'elsewhere@example.jp'
    const refusedFor = async (token: string, uid: string) =>
      (await change(token, 'updateEmail', { uid, email })).refused
    expect(await refusedFor(admin, users['iam:admin'].uid)).toBe('user/own-email')
    expect(await refusedFor(admin, users.admin.uid)).toBe('user/rank-too-high')
    const boss = await makePerson(['admin'])
    const byBoss = await change(await as('admin'), 'updateEmail', { uid: boss.uid, email })
    expect(byBoss.code).toBeUndefined()
    const id = String((await pendingOf(await as('admin'), boss.uid))?.id)
    for (const name of ['confirmAccountChange', 'withdrawAccountChange'] as const)
      expect((await change(admin, name, { uid: boss.uid, id })).refused, name).toBe('user/rank-too-high')
    expect(await refusedFor(admin, (await makePerson()).uid)).toBe('')
    expect((await change(admin, 'updateEmail', { uid: (await makePerson()).uid, email: boss.email })).refused).toBe(
      'user/email-taken',
    )
  })
})

describe('among people of a publisher', () => {
  test('the other administrators hear of a new one, who cannot confirm yet; staff stays unnamed', async () => {
    const { users } = fixture.system.rows
    const first = await as('insight:publisher_admin')
    const witness = await makePerson(['insight:publisher_admin'])
    await database(sql`update users set email_verified_at = now() where uid = ${witness.uid}::uuid`)
    const heard = () => mailsTo(`To: ${witness.email}`)
    const accomplice = await makePerson(['insight:publisher_editor'])
    const given = await run(
      'insight',
      first,
      'mutation M($input: UpdateUserForPublisherInput!) { updateUserForPublisher(input: $input) { roles } }',
      { input: { uid: accomplice.uid, roles: ['insight:publisher_admin'] } },
    )
    expect(given.code).toBeUndefined()
    await expect.poll(async () => (await heard()).length).toBe(1)
    expect((await heard())[0]).toContain(`${users['insight:publisher_admin'].email} が、${accomplice.email} に`)
    const other = await makePerson(['insight:publisher_editor'])
    const staff = await makeUser(['iam:admin'], null)
    await change(await fixture.system.tokenOf(staff.email), 'updateRoles', {
      uid: other.uid,
      roles: ['insight:publisher_admin'],
    })
    await expect.poll(async () => (await heard()).length).toBe(2)
    const [, second] = await heard()
    expect(second).toContain(`運営の担当者 が、${other.email} に`)
    expect(second).not.toContain(staff.email)
    expect(await mailsTo(`To: ${other.email}`)).toEqual([])
    // Staff may request changes too; the organisation's administrator, who does not see roles of staff, can still
    // confirm.
    const person = await makePerson(['insight:publisher_editor'])
    await change(await fixture.system.tokenOf(staff.email), 'updateEmail', {
      uid: person.uid,
      email: `y.${person.email}`,
    })
    const { id } = (await pendingOf(first, person.uid)) as { id: string }
    const confirm = (token: string) => change(token, 'confirmAccountChange', { uid: person.uid, id })
    expect((await confirm(await fixture.system.tokenOf(accomplice.email))).refused).toBe(
      'account-change/new-administrator',
    )
    expect((await confirm(first)).refused).toBe('account-change/new-email-unconfirmed')
    expect((await agree(await secretMailedTo(`To: y.${person.email}`, 1))).body).toEqual({ isDone: false })
    expect((await confirm(first)).refused).toBe('')
  })

  test('a colleague’s address needs a second administrator of the organisation; staff stays unnamed', async () => {
    const { a, b, users } = fixture.system.rows
    const first = await as('insight:publisher_admin')
    const colleague = await makePerson(['insight:publisher_admin'])
    const person = await makePerson(['insight:publisher_editor'])
    const email = `moved.${person.email}`
    expect((await change(first, 'updateEmail', { uid: person.uid, email })).code).toBeUndefined()
    const { id } = (await pendingOf(first, person.uid)) as { id: string }
    const confirm = (token: string) => change(token, 'confirmAccountChange', { uid: person.uid, id })
    expect((await confirm(first)).refused).toBe('account-change/own-request')
    expect((await confirm(await as('ofB'))).refused).toBe('record/not-found')
    expect((await change(await as('ofB'), 'withdrawAccountChange', { uid: person.uid, id })).refused).toBe(
      'record/not-found',
    )
    const unproven = await confirm(await fixture.system.tokenOf(colleague.email))
    expect(unproven.refused).toBe('account-change/new-email-unconfirmed')
    expect((await agree(await secretMailedTo(`To: ${email}`, 1))).body).toEqual({ isDone: false })
    expect((await confirm(await fixture.system.tokenOf(colleague.email))).data?.confirmAccountChange).toMatchObject({
      email,
      pendingChange: null,
    })
    expect((await auditOf(person.uid)).slice(-2)).toEqual([
      { action: 'change-email', actor: users['insight:publisher_admin'].uid },
      { action: 'confirm-account-change', actor: colleague.uid },
    ])
    // The address belongs to a person of another organisation. The answer is that for an address without an account,
    // and it stays so, because its owner gets no email. Nothing is half done.
    const next = await makePerson(['insight:publisher_editor'], a.organizationId)
    const foreign = await makePerson(['insight:publisher_editor'], b.organizationId)
    await change(first, 'updateEmail', { uid: next.uid, email: foreign.email })
    const waiting = (await pendingOf(first, next.uid)) as { id: string }
    const confirmWaiting = async () =>
      change(await fixture.system.tokenOf(colleague.email), 'confirmAccountChange', { uid: next.uid, id: waiting.id })
    expect(await confirmWaiting()).toMatchObject({ refused: unproven.refused, code: unproven.code })
    expect(await pendingOf(first, next.uid)).toMatchObject({ id: waiting.id })
    // A request by staff does not show an operator's address.
    const third = await makePerson(['insight:publisher_editor'])
    const staff = await fixture.system.tokenOf((await makeUser(['iam:admin'], null)).email)
    await change(staff, 'updateEmail', { uid: third.uid, email: `x.${third.email}` })
    expect(await pendingOf(first, third.uid)).toMatchObject({ requestedByEmail: null, isOwnRequest: false })
  })
})

describe('another person’s second factors', () => {
  test('stay until the person agrees by email, or a second administrator; an objection brings them back', async () => {
    const { users } = fixture.system.rows
    const person = await makePerson()
    await addFactor(person.uid)
    const before = await stateOf(person.uid)
    const token = await fixture.system.tokenOf(person.email)
    const admin = await as('iam:admin')
    expect((await change(admin, 'resetSecondFactor', { uid: person.uid })).data?.resetSecondFactor).toEqual({
      uid: person.uid,
      hasSecondFactor: true,
    })
    expect((await change(admin, 'resetSecondFactor', { uid: person.uid })).refused).toBe('user/change-pending')
    expect(await stateOf(person.uid)).toEqual(before)
    expect(await viewerCode(token)).toBeUndefined()
    const { id } = (await pendingOf(admin, person.uid)) as { id: string }
    expect((await change(admin, 'confirmAccountChange', { uid: person.uid, id })).refused).toBe(
      'account-change/own-request',
    )
    expect((await agree(await secretMailedTo(`To: ${person.email}`, 1))).body).toEqual({ isDone: true })
    expect(await stateOf(person.uid)).toMatchObject({ factors: [], codes: [] })
    expect(await viewerCode(token)).toBe('UNAUTHENTICATED')
    expect((await auditOf(person.uid)).filter(row => row.action === 'reset-second-factor')).toEqual([
      { action: 'reset-second-factor', actor: users['iam:admin'].uid },
    ])
    const objection = await secretMailedTo(`To: ${person.email}`, 2)
    expect((await object(objection)).body).toEqual({ isUndone: true, isDisabled: false })
    expect(await stateOf(person.uid)).toEqual({ ...before, isVerified: true })
  })
})

test('during the impersonation of a person of a publisher nothing is requested, confirmed or withdrawn', async () => {
  const person = await makePerson(['insight:publisher_admin'])
  const staff = await as('insight:admin')
  expect(
    (await change(staff, 'startViewAs', { uid: person.uid, reason: '問い合わせの調査のため' })).code,
  ).toBeUndefined()
  const victim = await makePerson(['insight:publisher_editor'])
  for (const [name, variables] of [
    ['updateEmail', { email: 'thief@example.jp' }],
    ['resetSecondFactor', {}],
    ['confirmAccountChange', { id: '1' }],
    ['withdrawAccountChange', { id: '1' }],
  ] as const)
    expect((await change(staff, name, { uid: victim.uid, ...variables })).code, name).toBe('FORBIDDEN')
  await run('iam', staff, 'mutation { endViewAs }')
})
