import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { peopleFixture } from '@pc/testing/system/people-fixture.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeLink } from '../../sign-in/server/one-time-link.ts'

const fixture = peopleFixture()
const { as, run, change, makeUser, viewerCode, mailsTo, secretMailedTo, page } = fixture

describe('changes of people', () => {
  test('roles, disabling and deletion end the sessions at once', async () => {
    const admin = await as('iam:admin')
    for (const [name, variables] of [
      ['updateRoles', { roles: ['insight:viewer'] }],
      ['setUserEnabled', { enabled: false }],
      ['deleteUser', {}],
    ] as const) {
      const { uid, email } = await makeUser(['insight:editor'])
      const token = await fixture.system.tokenOf(email)
      expect(await viewerCode(token)).toBeUndefined()
      expect((await change(admin, name, { uid, ...variables })).code, name).toBeUndefined()
      expect(await viewerCode(token), name).toBe('UNAUTHENTICATED')
    }
  })
  test('the person hears at once of being disabled, enabled and deleted, but not who was only invited', async () => {
    const admin = await as('iam:admin')
    const { uid, email } = await makeUser(['insight:viewer'])
    const events = async (address: string) =>
      (await mailsTo(`To: ${address}`)).flatMap(
        mail => /アカウントを(無効にしました|有効に戻しました|削除しました)/.exec(mail)?.[1] ?? [],
      )
    await change(admin, 'setUserEnabled', { uid, enabled: false })
    await change(admin, 'setUserEnabled', { uid, enabled: false }) // nothing changes: no email
    await change(admin, 'setUserEnabled', { uid, enabled: true })
    await change(admin, 'deleteUser', { uid })
    await expect
      .poll(async () => (await events(email)).toSorted())
      .toEqual(['削除しました', '有効に戻しました', '無効にしました'].toSorted())
    const invited = await change(admin, 'inviteUser', {
      input: { email: 'guest@example.jp', roles: ['insight:viewer'] },
    })
    await secretMailedTo('To: guest@example.jp', 1)
    await change(admin, 'deleteUser', { uid: String(invited.data?.inviteUser?.uid) })
    const next = await makeUser(['insight:viewer'])
    await change(admin, 'deleteUser', { uid: next.uid })
    await expect.poll(() => events(next.email)).toEqual(['削除しました'])
    expect(await events('guest@example.jp')).toEqual([])
  })
  test('nobody acts above the own rank or outside the own organisation', async () => {
    const { users } = fixture.system.rows
    const staff = await makeUser(['insight:viewer'])
    const actors = ['insight:publisher_admin', 'iam:admin'] as const
    for (const actor of actors) {
      const token = await as(actor)
      const above = actor === 'iam:admin' ? users.admin.uid : staff.uid
      for (const [name, variables] of [
        ['setUserEnabled', { enabled: false }],
        ['updateEmail', { email: 'taken.over@example.jp' }],
        ['regenerateInviteLink', {}],
        ['deleteUser', {}],
      ] as const)
        expect((await change(token, name, { uid: above, ...variables })).refused, `${actor} ${name}`).toBe(
          'user/rank-too-high',
        )
    }
    const iamAdmin = await as('iam:admin')
    expect((await change(iamAdmin, 'updateRoles', { uid: users['iam:admin'].uid, roles: ['admin'] })).refused).toBe(
      'user/role-not-allowed',
    )
    const publisher = await as('insight:publisher_admin')
    expect((await change(publisher, 'updateRoles', { uid: staff.uid, roles: ['insight:publisher_admin'] })).code).toBe(
      'FORBIDDEN',
    )
    for (const uid of [users.ofB.uid, '00000000-0000-7000-8000-000000000000', 'nonsense']) {
      const answers = await Promise.all([
        change(publisher, 'deleteUser', { uid }),
        change(publisher, 'setUserEnabled', { uid, enabled: false }),
        change(publisher, 'updateEmail', { uid, email: 'z@example.jp' }),
        run(
          'insight',
          publisher,
          'mutation M($input: UpdateUserForPublisherInput!) { updateUserForPublisher(input: $input) { uid } }',
          {
            input: { uid, enabled: false },
          },
        ),
      ])
      expect(answers.map(answer => answer.refused)).toEqual(Array(4).fill('record/not-found'))
    }
  })
  test('a publisher’s administrator manages the own people from the console; an editor nobody', async () => {
    const publisher = await as('insight:publisher_admin')
    const person = await makeUser(['insight:publisher_editor'])
    const update = (token: string, input: object) =>
      run(
        'insight',
        token,
        'mutation M($input: UpdateUserForPublisherInput!) { updateUserForPublisher(input: $input) { roles enabled agreementIds } }',
        { input: { uid: person.uid, ...input } },
      )
    const agreementIds = [String(fixture.system.rows.a.agreementIds[0])]
    expect((await update(publisher, { agreementIds })).data?.updateUserForPublisher).toEqual({
      roles: ['insight:publisher_editor'],
      enabled: true,
      agreementIds,
    })
    expect(
      (await update(publisher, { roles: ['insight:publisher_admin'] })).data?.updateUserForPublisher,
    ).toMatchObject({
      agreementIds: [],
    })
    expect((await update(publisher, { roles: ['insight:viewer'] })).refused).toBe('user/role-not-allowed')
    expect((await update(await as('insight:publisher_editor'), { enabled: false })).code).toBe('FORBIDDEN')
    const { users } = fixture.system.rows
    for (const input of [{ enabled: false }, { roles: ['insight:publisher_editor'] }]) {
      const answer = await run(
        'insight',
        await as('insight:publisher_admin'),
        'mutation M($input: UpdateUserForPublisherInput!) { updateUserForPublisher(input: $input) { uid } }',
        { input: { uid: users['insight:publisher_admin'].uid, ...input } },
      )
      // The organisation has another administrator by now, so a person may demote themselves, but never disable
      // themselves.
      if ('enabled' in input) expect(answer.refused).toBe('user/not-oneself')
      else expect(answer.code).toBeUndefined()
    }
    await fixture.system.dependencies.database.inScope(SYSTEM, async tx => {
      const uid = users['insight:publisher_admin'].uid
      await tx.updateTable('userRoles').set({ roleName: 'insight:publisher_admin' }).where('uid', '=', uid).execute()
    })
  })
  test('the last administrator of the system, and of an organisation, stays; parallel demotions leave one', async () => {
    const { users } = fixture.system.rows
    const admin = await as('admin')
    for (const [name, variables] of [
      ['updateRoles', { roles: ['iam:admin'] }],
      ['setUserEnabled', { enabled: false }],
      ['deleteUser', {}],
    ] as const)
      expect((await change(admin, name, { uid: users.admin.uid, ...variables })).refused, name).toBe(
        'user/last-administrator',
      )
    const other = await makeUser(['admin'])
    const otherToken = await fixture.system.tokenOf(other.email)
    const answers = await Promise.all([
      change(admin, 'updateRoles', { uid: other.uid, roles: ['iam:viewer'] }),
      change(otherToken, 'updateRoles', { uid: users.admin.uid, roles: ['iam:viewer'] }),
    ])
    expect(answers.filter(answer => answer.code === undefined)).toHaveLength(1)
    await fixture.system.dependencies.database.inScope(SYSTEM, async tx => {
      await sql`delete from user_roles where uid in (${users.admin.uid}::uuid, ${other.uid}::uuid)`.execute(tx)
      await sql`insert into user_roles values (${users.admin.uid}::uuid, 'admin')`.execute(tx)
    })
    const alone = await as('ofB')
    for (const [name, variables] of [
      ['deleteUser', {}],
      ['setUserEnabled', { enabled: false }],
    ] as const)
      expect((await change(alone, name, { uid: users.ofB.uid, ...variables })).refused).toBe(
        'user/last-organization-administrator',
      )
  })
  test('an invitation that nobody has accepted is no administrator who could take over', async () => {
    const { users } = fixture.system.rows
    const admin = await as('admin')
    const invited = await change(admin, 'inviteUser', { input: { email: 'heir@example.jp', roles: ['admin'] } })
    expect(invited.code).toBeUndefined()
    for (const [name, variables] of [
      ['updateRoles', { roles: ['iam:admin'] }],
      ['setUserEnabled', { enabled: false }],
      ['deleteUser', {}],
    ] as const)
      expect((await change(admin, name, { uid: users.admin.uid, ...variables })).refused, name).toBe(
        'user/last-administrator',
      )
    const remaining = '{ users(role: "admin", enabled: true, invitation: none, limit: 5) { total } }'
    expect((await run('iam', admin, remaining)).data?.users).toEqual({ total: 1 })
    const uid = String(invited.data?.inviteUser?.uid)
    expect((await change(admin, 'deleteUser', { uid })).code).toBeUndefined()
  })
  test('nobody takes a role that moves money or that they do not hold; others may give it', async () => {
    const { users } = fixture.system.rows
    const give = async (name: 'admin' | 'iam:admin', roles: readonly string[]) =>
      (await change(await as(name), 'updateRoles', { uid: users[name].uid, roles })).refused
    for (const role of ['insight:admin', 'insight:editor', 'insight:publisher_admin'])
      for (const name of ['admin', 'iam:admin'] as const)
        expect(await give(name, [name, role]), `${name} ${role}`).toBe('user/own-money-role')
    expect(await give('iam:admin', ['iam:admin', 'admin'])).toBe('user/role-not-allowed')
    for (const role of ['insight:viewer', 'article:admin', 'video:admin', 'coupon:admin', 'coupon:editor'])
      expect(await give('iam:admin', ['iam:admin', role]), role).toMatch(/^user\/(role-not-allowed|own-money-role)$/)
    expect(await give('iam:admin', ['iam:admin', 'iam:viewer'])).toBe('')
    expect(await give('iam:admin', ['iam:admin'])).toBe('')
    expect(await give('admin', ['admin', 'coupon:editor'])).toBe('')
    expect(await give('admin', ['admin'])).toBe('')
    const other = await makeUser(['insight:viewer'])
    expect(
      (await change(await as('iam:admin'), 'updateRoles', { uid: other.uid, roles: ['insight:admin'] })).code,
    ).toBeUndefined()
    // The other administrators are notified; the person who did it is not.
    const textOf = async (address: string) =>
      (await mailsTo(`To: ${address}`)).filter(mail => mail.includes(`${other.email} に`)).length
    await expect.poll(() => textOf(users.admin.email), { timeout: 60_000 }).toBe(1)
    expect(await textOf(users['iam:admin'].email)).toBe(0)
    const puppet = 'myself.privately@example.com'
    const input = { email: puppet, roles: ['insight:editor'] }
    expect((await change(await as('iam:admin'), 'inviteUser', { input })).code).toBeUndefined()
    await expect
      .poll(
        async () => (await mailsTo(`To: ${users.admin.email}`)).filter(mail => mail.includes(`${puppet} に`)).length,
      )
      .toBe(1)
  })
  test('an own address is changed at the new one; the old one is notified and undoes it', async () => {
    const { uid, email } = await makeUser(['insight:viewer'])
    const newEmail = `new.${email}`
    const secret = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      makeLink(tx, 'EmailChangeLink', { accountId: uid, email: newEmail }, 3600),
    )
    expect((await page()('change-email/confirm', { secret })).body).toEqual({ email: newEmail })
    expect((await page()('change-email/confirm', { secret })).status).toBe(410)
    const objection = await secretMailedTo(`To: ${email}`, 1)
    expect((await page()('account-change/object', { secret: objection })).body).toMatchObject({ isUndone: true })
    const row = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('users').select('email').where('uid', '=', uid).executeTakeFirstOrThrow(),
    )
    expect(row.email).toBe(email)
  })
})
