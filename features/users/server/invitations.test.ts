import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { MUTATIONS, peopleFixture } from '@pc/testing/system/people-fixture.ts'
import { WEB_ORIGIN } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const fixture = peopleFixture()
const { as, run, change, lastAudit, mailsTo, secretMailedTo, page } = fixture

describe('invitations', () => {
  const invite = (token: string, input: object) =>
    change(token, 'inviteUser', { input: { roles: ['insight:publisher_editor'], ...input } })

  test('are accepted by the link of a mail, once; a new link voids the one before', async () => {
    const admin = await as('iam:admin')
    const { organizationId, agreementIds } = fixture.system.rows.a
    const email = 'guest@example.jp'
    const invited = await invite(admin, {
      email: ' Guest@Example.jp ',
      organizationId: String(organizationId),
      agreementIds: [String(agreementIds[0])],
    })
    expect(invited.data?.inviteUser).toMatchObject({ email, invitation: { expiresAt: expect.any(String) } })
    const uid = String(invited.data?.inviteUser?.uid)
    expect(await lastAudit()).toMatchObject({
      action: 'invite',
      rowId: uid,
      actorUid: fixture.system.rows.users['iam:admin'].uid,
    })
    const first = await secretMailedTo(email, 1)
    expect((await mailsTo(email))[0]).toContain(`${WEB_ORIGIN}/sso#/invite/${first}`)
    expect((await page()('invite', { secret: first })).body).toEqual({ email, organization: 'ALPHA 株式会社' })
    expect((await change(admin, 'regenerateInviteLink', { uid })).code).toBeUndefined()
    expect((await page()('invite', { secret: first })).status).toBe(410)
    const second = await secretMailedTo(email, 2)
    const accept = (secret: unknown, password = 'my own new words') => page()('invite/accept', { secret, password })
    for (const secret of [first, '', undefined, 'x'.repeat(43)]) expect((await accept(secret)).status).toBe(410)
    expect((await accept(second, 'password12')).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(second)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 410, 410, 410, 410])
    expect((await accept(second)).status).toBe(410)
    expect((await change(admin, 'regenerateInviteLink', { uid })).refused).toBe('user/already-active')
    const guest = await fixture.system.tokenOf(email)
    const seen = await run('insight', guest, '{ agreements(limit: 10, offset: 0) { nodes { id } } }')
    expect(seen.data?.agreements?.nodes).toEqual([{ id: String(agreementIds[0]) }])
    const stored = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      sql<{ all: string }>`select (select string_agg(i::text, '') from invitations i)
        || (select coalesce(string_agg(j::text, ''), '') from pgboss.job j) as all`.execute(tx),
    )
    expect(stored.rows[0]?.all.length).toBeGreaterThan(10)
    for (const secret of [first, second]) expect(stored.rows[0]?.all).not.toContain(secret)
  })
  test('lead nowhere once the person is disabled or deleted, or the time is over', async () => {
    const admin = await as('iam:admin')
    const stops: readonly ((uid: string) => Promise<unknown>)[] = [
      uid => change(admin, 'setUserEnabled', { uid, enabled: false }),
      uid => change(admin, 'deleteUser', { uid }),
      uid =>
        fixture.system.dependencies.database.inScope(SYSTEM, tx =>
          sql`update invitations set expires_at = now() where uid = ${uid}::uuid`.execute(tx),
        ),
    ]
    for (const [n, stop] of stops.entries()) {
      const email = `stopped${n}@example.jp`
      const input = { email, roles: ['insight:viewer'], organizationId: null }
      const uid = String((await invite(admin, input)).data?.inviteUser?.uid)
      const secret = await secretMailedTo(email, 1)
      await stop(uid)
      expect((await page()('invite', { secret })).status).toBe(410)
      expect((await page()('invite/accept', { secret, password: 'my own new words' })).status).toBe(410)
      expect((await page()('sign-in', { email, password: 'my own new words' })).status).toBe(401)
    }
  })
  test('have one effect for one submission, however often it is sent', async () => {
    const admin = await as('iam:admin')
    const email = 'once@example.jp'
    const query =
      'mutation M($input: InviteUserInput!, $key: String) { inviteUser(input: $input, idempotencyKey: $key) { uid createdAt invitation { expiresAt } } }'
    const send = () => run('iam', admin, query, { input: { email, roles: ['insight:viewer'] }, key: 'submission-1' })
    const answers = [await send(), ...(await Promise.all([send(), send()]))]
    expect(new Set(answers.map(answer => JSON.stringify(answer.data))).size).toBe(1)
    expect(answers[0]?.code).toBeUndefined()
    await secretMailedTo(email, 1)
  })
  test('go out for the configured origin only, whatever Host and Forwarded say', async () => {
    const email = 'host@example.jp'
    await fetch(`${fixture.system.origins.iam}/query`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await as('admin')}`,
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'x-host': 'evil.example',
      },
      body: JSON.stringify({
        query: MUTATIONS.inviteUser,
        variables: { input: { email, roles: ['insight:viewer'] } },
      }),
    })
    await secretMailedTo(email, 1)
    const [mail = ''] = await mailsTo(email)
    expect(mail).not.toContain('evil.example')
    expect(mail.match(/https?:\/\/[^/\s"]+/g)?.every(origin => origin === WEB_ORIGIN)).toBe(true)
  })
  test('take one strict address: no line breaks, no second recipient, no display names', async () => {
    const admin = await as('admin')
    const odd = [
      'a@example.jp\r\nBcc: evil@example.jp',
      'a@example.jp\nX: y',
      'a@example.jp,b@example.jp',
      'a@example.jp;b@example.jp',
      'A <a@example.jp>',
      '"a b"@example.jp',
      'a@example',
      '@example.jp',
      'a@exa mple.jp',
      'a(comment)@example.jp',
      'a@[127.0.0.1]',
      `${'a'.repeat(250)}@example.jp`,
      '',
    ]
    for (const email of odd)
      expect((await invite(admin, { email, roles: ['insight:viewer'] })).refused, JSON.stringify(email)).toBe(
        'user/email-invalid',
      )
  })
  test('stop at twenty an hour for one sender, also in parallel and when they fail', async () => {
    const admin = await as('insight:publisher_admin')
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => invite(admin, { email: `many${n}@example.jp` })),
    )
    expect(answers.filter(answer => answer.code === undefined)).toHaveLength(15)
    for (let n = 0; n < 5; n++)
      expect((await invite(admin, { email: fixture.system.rows.users.ofB.email })).refused).toBe('user/email-taken')
    expect((await invite(admin, { email: 'one.more@example.jp' })).refused).toBe('mail/too-many')
    expect(
      (await invite(await as('admin'), { email: 'one.more@example.jp', roles: ['insight:viewer'] })).code,
    ).toBeUndefined()
  })
  test('notify those who see everybody of no account that their list of people does not show', async () => {
    const { users } = fixture.system.rows
    const find = 'query Q($q: String) { users(limit: 5, offset: 0, q: $q) { nodes { email } } }'
    const open = await invite(await as('admin'), { email: 'waits@example.jp', roles: ['insight:viewer'] })
    expect(open.code).toBeUndefined()
    const addresses = [
      ...(['admin', 'iam:admin', 'disabled', 'ofB', 'nobody'] as const).map(name => users[name].email),
      'waits@example.jp',
    ]
    for (const actor of ['admin', 'iam:admin'] as const) {
      const token = await as(actor)
      for (const email of addresses) {
        const about = `${actor} ${email}`
        expect((await invite(token, { email, roles: ['insight:viewer'] })).refused, about).toBe('user/email-taken')
        const found = (await run('iam', token, find, { q: email })).data?.users?.nodes
        expect(found, about).toContainEqual({ email })
      }
    }
  })
  test('beyond the limit say nothing about an address: taken or free, the answer is the same byte for byte', async () => {
    const admin = await as('insight:publisher_admin')
    const open = await invite(admin, { email: 'open.invitation@example.jp' })
    const uid = String(open.data?.inviteUser?.uid)
    for (let n = 1; n < 20; n++) await invite(admin, { email: fixture.system.rows.users.ofB.email })
    const answerTo = async (query: string, variables: object, api: 'iam' | 'insight' = 'iam') => {
      const { status, text } = await fixture.system.ask(api, query, admin, variables)
      return [status, text.replace(/"requestId":"[^"]*"/g, '')]
    }
    const forConsole =
      'mutation M($input: InviteUserForPublisherInput!) { inviteUserForPublisher(input: $input) { uid } }'
    const input = (email: string) => ({ input: { email, roles: ['insight:publisher_editor'] } })
    for (const [n, name] of (['iam:admin', 'ofB', 'disabled', 'insight:viewer'] as const).entries()) {
      const { email: taken } = fixture.system.rows.users[name]
      const free = `free${n}@example.jp`
      const [first, ...others] = [
        ...(await Promise.all([taken, free].map(email => answerTo(MUTATIONS.inviteUser, input(email))))),
      ]
      expect(first?.[1]).toContain('mail/too-many')
      expect(others, name).toEqual([first])
      const [update, ...updates] = await Promise.all(
        [taken, free].map(email => answerTo(MUTATIONS.updateEmail, { uid, email })),
      )
      expect(update?.[1]).toContain('mail/too-many')
      expect(updates, name).toEqual([update])
      const [shown, ...alsoShown] = await Promise.all(
        [taken, free].map(email => answerTo(forConsole, input(email), 'insight')),
      )
      expect(shown?.[1]).toContain('mail/too-many')
      expect(alsoShown, name).toEqual([shown])
    }
  })
  test('count every attempt that could have found an account, also those that are refused for another reason', async () => {
    const admin = await as('insight:publisher_admin')
    const wrong = { agreementIds: [String(fixture.system.rows.b.agreementIds[0])] }
    const emails = Array.from({ length: 10 }, (_, n) => [
      `probe${n}@example.jp`,
      fixture.system.rows.users.ofB.email,
    ]).flat()
    const answers = await Promise.all(emails.map(email => invite(admin, { email, ...wrong })))
    expect(answers.map(answer => answer.refused)).toEqual(
      Array.from({ length: 10 }, () => ['user/agreement-not-found', 'user/email-taken']).flat(),
    )
    expect((await invite(admin, { email: 'probe.more@example.jp', ...wrong })).refused).toBe('mail/too-many')
  })
  test('are counted exactly when many addresses are tried at the same moment', async () => {
    const admin = await as('insight:publisher_admin')
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => invite(admin, { email: fixture.system.rows.users['iam:admin'].email })),
    )
    expect(answers.filter(answer => answer.refused === 'user/email-taken')).toHaveLength(20)
    expect(answers.filter(answer => answer.refused === 'mail/too-many')).toHaveLength(20)
  })
  test('count no attempt that says nothing about an address', async () => {
    const admin = await as('insight:publisher_admin')
    for (let n = 0; n < 21; n++) {
      expect((await invite(admin, { email: 'no address' })).refused).toBe('user/email-invalid')
      expect((await invite(admin, { email: 'x@example.jp', roles: ['admin'] })).refused).toBe('user/role-not-allowed')
      const uid = fixture.system.rows.users.ofB.uid
      expect((await change(admin, 'updateEmail', { uid, email: 'x@example.jp' })).refused).toBe('record/not-found')
    }
    expect((await invite(admin, { email: 'counted.none@example.jp' })).code).toBeUndefined()
  })
  test('by a publisher lead into the own organisation, with roles of a publisher, and to own agreements', async () => {
    const publisher = await as('insight:publisher_admin')
    const b = fixture.system.rows.b
    const invited = await invite(publisher, { email: 'into.own@example.jp', organizationId: String(b.organizationId) })
    const row = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('users')
        .select('organizationId')
        .where('uid', '=', String(invited.data?.inviteUser?.uid))
        .executeTakeFirst(),
    )
    expect(row?.organizationId).toBe(fixture.system.rows.a.organizationId)
    for (const role of ['admin', 'iam:admin', 'insight:viewer', 'coupon:admin', 'article:publisher_admin'])
      expect((await invite(publisher, { email: 'x@example.jp', roles: [role] })).refused, role).toBe(
        'user/role-not-allowed',
      )
    expect(
      (await invite(publisher, { email: 'x@example.jp', roles: ['insight:publisher_admin', 'admin'] })).refused,
    ).toBe('user/role-not-allowed')
    expect(
      (await invite(publisher, { email: 'x@example.jp', agreementIds: [String(b.agreementIds[0])] })).refused,
    ).toBe('user/agreement-not-found')
    const forConsole = (input: object) =>
      run(
        'insight',
        publisher,
        'mutation M($input: InviteUserForPublisherInput!) { inviteUserForPublisher(input: $input) { uid roles agreementIds } }',
        { input },
      )
    expect((await forConsole({ email: 'y@example.jp', roles: ['insight:editor'] })).refused).toBe(
      'user/role-not-allowed',
    )
    const agreementIds = [String(fixture.system.rows.a.agreementIds[1])]
    expect(
      (await forConsole({ email: 'y@example.jp', roles: ['insight:publisher_editor'], agreementIds })).data
        ?.inviteUserForPublisher,
    ).toMatchObject({ roles: ['insight:publisher_editor'], agreementIds })
  })
})
