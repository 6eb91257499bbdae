import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Role } from '@pc/domain/access/role.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { CANARY_B } from '@pc/testing/two-organizations.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SystemUnderTest, startSystemUnderTest, WEB_ORIGIN } from './system-under-test.ts'

let system: SystemUnderTest
beforeAll(async () => {
  system = await startSystemUnderTest()
  await system.parts.jobs.work(system.parts.jobHandlers)
  const { uid } = system.rows.users.disabled
  await system.parts.database.inScope(SYSTEM, tx =>
    tx.updateTable('users').set({ enabled: false }).where('uid', '=', uid).execute(),
  )
})
beforeEach(() => system.parts.database.inScope(SYSTEM, tx => sql`delete from sent_mails`.execute(tx)))
afterAll(() => system?.close())

const as = (name: keyof SystemUnderTest['rows']['users']) => system.tokenOf(system.rows.users[name].email)
type Api = 'iam' | 'insight'

async function run(api: Api, token: string, query: string, variables?: object) {
  const { json } = await system.ask(api, query, token, variables)
  const [error] = json.errors ?? []
  const refusals = (error?.extensions.refusals ?? []) as { code: string; message: string; path: string[] }[]
  return {
    data: json.data as Record<string, Record<string, unknown>> | null | undefined,
    code: error?.extensions.code,
    refused: refusals.map(refusal => refusal.code).join(' '),
    message: error?.message,
  }
}
const MUTATIONS = {
  inviteUser:
    'mutation M($input: InviteUserInput!) { inviteUser(input: $input) { uid email invitation { expiresAt } } }',
  regenerateInviteLink: 'mutation M($uid: ID!) { regenerateInviteLink(uid: $uid) { uid } }',
  updateEmail: 'mutation M($uid: ID!, $email: String!) { updateEmail(uid: $uid, email: $email) { uid email } }',
  updateRoles:
    'mutation M($uid: ID!, $roles: [String!]!, $agreementIds: [ID!]) { updateRoles(uid: $uid, roles: $roles, agreementIds: $agreementIds) { roles { name } agreementIds } }',
  setUserEnabled:
    'mutation M($uid: ID!, $enabled: Boolean!) { setUserEnabled(uid: $uid, enabled: $enabled) { enabled } }',
  deleteUser: 'mutation M($uid: ID!) { deleteUser(uid: $uid) { uid } }',
  createOrganization: 'mutation M($name: String!) { createOrganization(name: $name) { id name } }',
  updateOrganization: 'mutation M($id: ID!, $name: String!) { updateOrganization(id: $id, name: $name) { id name } }',
  deleteOrganization: 'mutation M($id: ID!) { deleteOrganization(id: $id) { id } }',
  startViewAs: 'mutation M($uid: ID!, $reason: String!) { startViewAs(uid: $uid, reason: $reason) { uid } }',
} as const
const change = (token: string, name: keyof typeof MUTATIONS, variables: object) =>
  run('iam', token, MUTATIONS[name], variables)

async function makeUser(roles: readonly Role[], organizationId: bigint | null = system.rows.a.organizationId) {
  const email = `person${Math.random().toString(36).slice(2, 10)}@example.jp`
  return system.parts.database.inScope(SYSTEM, async tx => {
    const { uid } = await tx
      .insertInto('users')
      .values({ email, organizationId })
      .returning('uid')
      .executeTakeFirstOrThrow()
    for (const roleName of roles) await tx.insertInto('userRoles').values({ uid, roleName }).execute()
    return { uid, email }
  })
}
async function lastAudit() {
  const found = await system.parts.database.inScope(SYSTEM, tx =>
    tx.selectFrom('auditLog').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow(),
  )
  return found
}
const viewerCode = async (token: string) => (await run('iam', token, '{ viewer { uid } }')).code

/** Text of every mail to an address, in the order of sending. */
async function mailsTo(address: string): Promise<string[]> {
  const folder = path.join(system.parts.config.dataDir, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml')).sort()
  const mails = await Promise.all(files.map(file => readFile(path.join(folder, file), 'utf8')))
  return mails.filter(mail => mail.includes(address)).map(decodedMail)
}
function decodedMail(source: string): string {
  const parts = source.split(/\r\n\r\n/)
  return parts
    .map((part, at) =>
      /base64/i.test(parts[at - 1] ?? '') ? Buffer.from(part.split('\r\n--')[0] ?? '', 'base64').toString() : part,
    )
    .join('\n')
}
async function secretMailedTo(address: string, nth: number): Promise<string> {
  await expect.poll(async () => (await mailsTo(address)).length, { timeout: 20_000 }).toBe(nth)
  return (await mailsTo(address)).at(-1)?.match(/#\/[\w-]+\/([\w-]{43})/)?.[1] ?? ''
}
const page = () => {
  const browser = new TestBrowser(system.origins.web)
  return (name: string, body?: unknown, headers = {}) => browser.api(name, body, { origin: WEB_ORIGIN, ...headers })
}

describe('invitations', () => {
  const invite = (token: string, input: object) =>
    change(token, 'inviteUser', { input: { roles: ['insight:publisher_editor'], ...input } })

  test('are accepted by the link of a mail, once; a new link voids the one before', async () => {
    const admin = await as('iam:admin')
    const { organizationId, agreementIds } = system.rows.a
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
      actorUid: system.rows.users['iam:admin'].uid,
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
    const guest = await system.tokenOf(email)
    const seen = await run('insight', guest, '{ agreements(limit: 10, offset: 0) { nodes { id } } }')
    expect(seen.data?.agreements?.nodes).toEqual([{ id: String(agreementIds[0]) }])
    const stored = await system.parts.database.inScope(SYSTEM, tx =>
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
        system.parts.database.inScope(SYSTEM, tx =>
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
    await fetch(`${system.origins.iam}/query`, {
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
      expect((await invite(admin, { email: system.rows.users.ofB.email })).refused).toBe('user/email-taken')
    expect((await invite(admin, { email: 'one.more@example.jp' })).refused).toBe('mail/too-many')
    expect(
      (await invite(await as('admin'), { email: 'one.more@example.jp', roles: ['insight:viewer'] })).code,
    ).toBeUndefined()
  })
  test('by a publisher lead into the own organisation, with roles of a publisher, and to own agreements', async () => {
    const publisher = await as('insight:publisher_admin')
    const b = system.rows.b
    const invited = await invite(publisher, { email: 'into.own@example.jp', organizationId: String(b.organizationId) })
    const row = await system.parts.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('users')
        .select('organizationId')
        .where('uid', '=', String(invited.data?.inviteUser?.uid))
        .executeTakeFirst(),
    )
    expect(row?.organizationId).toBe(system.rows.a.organizationId)
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
    const agreementIds = [String(system.rows.a.agreementIds[1])]
    expect(
      (await forConsole({ email: 'y@example.jp', roles: ['insight:publisher_editor'], agreementIds })).data
        ?.inviteUserForPublisher,
    ).toMatchObject({ roles: ['insight:publisher_editor'], agreementIds })
  })
})

describe('changes of people', () => {
  test('roles, disabling and deletion end the sessions at once', async () => {
    const admin = await as('iam:admin')
    for (const [name, variables] of [
      ['updateRoles', { roles: ['insight:viewer'] }],
      ['setUserEnabled', { enabled: false }],
      ['deleteUser', {}],
    ] as const) {
      const { uid, email } = await makeUser(['insight:editor'])
      const token = await system.tokenOf(email)
      expect(await viewerCode(token)).toBeUndefined()
      expect((await change(admin, name, { uid, ...variables })).code, name).toBeUndefined()
      expect(await viewerCode(token), name).toBe('UNAUTHENTICATED')
    }
  })
  test('nobody acts above the own rank or outside the own organisation', async () => {
    const { users } = system.rows
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
    const agreementIds = [String(system.rows.a.agreementIds[0])]
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
    const { users } = system.rows
    for (const input of [{ enabled: false }, { roles: ['insight:publisher_editor'] }]) {
      const answer = await run(
        'insight',
        await as('insight:publisher_admin'),
        'mutation M($input: UpdateUserForPublisherInput!) { updateUserForPublisher(input: $input) { uid } }',
        { input: { uid: users['insight:publisher_admin'].uid, ...input } },
      )
      // Another administrator of the organisation exists by now: demoting oneself is allowed then, disabling never.
      if ('enabled' in input) expect(answer.refused).toBe('user/not-oneself')
      else expect(answer.code).toBeUndefined()
    }
    await system.parts.database.inScope(SYSTEM, async tx => {
      const uid = users['insight:publisher_admin'].uid
      await tx.updateTable('userRoles').set({ roleName: 'insight:publisher_admin' }).where('uid', '=', uid).execute()
    })
  })
  test('the last administrator of the system, and of an organisation, stays; parallel demotions leave one', async () => {
    const { users } = system.rows
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
    const otherToken = await system.tokenOf(other.email)
    const answers = await Promise.all([
      change(admin, 'updateRoles', { uid: other.uid, roles: ['iam:viewer'] }),
      change(otherToken, 'updateRoles', { uid: users.admin.uid, roles: ['iam:viewer'] }),
    ])
    expect(answers.filter(answer => answer.code === undefined)).toHaveLength(1)
    await system.parts.database.inScope(SYSTEM, async tx => {
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
  test('an address is changed by its new owner only, and the old one is told', async () => {
    const admin = await as('admin')
    const person = await makeUser(['insight:viewer'])
    const email = `new.${person.email}`
    expect((await change(admin, 'updateEmail', { uid: person.uid, email })).data?.updateEmail).toMatchObject({
      email: person.email,
    })
    const secret = await secretMailedTo(email, 1)
    expect((await page()('change-email/confirm', { secret })).body).toEqual({ email })
    expect((await page()('change-email/confirm', { secret })).status).toBe(410)
    await expect
      .poll(async () => (await mailsTo(`<${person.email}>`)).length + (await mailsTo(`To: ${person.email}`)).length)
      .toBeGreaterThan(0)
    expect((await change(admin, 'updateEmail', { uid: person.uid, email: 'nonsense' })).refused).toBe(
      'user/email-invalid',
    )
  })
})

describe('lists', () => {
  test('users by search, organisation and state; within the own rows', async () => {
    const query = `query Q($q: String, $organizationId: ID, $enabled: Boolean, $userIDs: [ID!]) {
      users(q: $q, organizationId: $organizationId, enabled: $enabled, userIDs: $userIDs, limit: 1000) { total nodes { uid email organizationId } } }`
    const list = async (token: string, variables: object) =>
      (await run('iam', token, query, variables)).data?.users as {
        total: number
        nodes: { uid: string; email: string }[]
      }
    const admin = await as('iam:viewer')
    expect((await list(admin, { q: 'canary' })).nodes).toMatchObject([{ email: system.rows.users.ofB.email }])
    expect((await list(admin, { q: '%' })).total).toBe(0)
    expect((await list(admin, { organizationId: String(system.rows.b.organizationId) })).total).toBe(1)
    expect((await list(admin, { userIDs: [system.rows.users.ofB.uid, 'nonsense'] })).total).toBe(1)
    const own = await list(await as('insight:publisher_admin'), {})
    expect(own.total).toBeGreaterThan(5)
    expect(JSON.stringify(own).toUpperCase()).not.toContain(CANARY_B)
    expect(
      (await list(await as('insight:publisher_admin'), { organizationId: String(system.rows.b.organizationId) })).total,
    ).toBe(0)
  })
  test('roles say what they are for and which of them the caller may give', async () => {
    const names = async (token: string) => {
      const { data } = await run('iam', token, '{ roles { total nodes { name label description isGivable } } }')
      const nodes = data?.roles?.nodes as { name: string; description: string; isGivable: boolean }[]
      expect(nodes.every(role => role.description.endsWith('。'))).toBe(true)
      return nodes.filter(role => role.isGivable).map(role => role.name)
    }
    expect(await names(await as('admin'))).toHaveLength(15)
    expect(await names(await as('iam:admin'))).toHaveLength(14)
    expect(await names(await as('iam:viewer'))).toEqual([])
    expect(await names(await as('insight:publisher_admin'))).toEqual([
      'insight:publisher_admin',
      'insight:publisher_editor',
    ])
  })
})

describe('organisations', () => {
  test('are made, renamed and, when nobody and nothing belongs to them, deleted; otherwise the refusal says what does', async () => {
    const admin = await as('iam:admin')
    const made = await change(admin, 'createOrganization', { name: ' 新しい 会社\n ' })
    expect(made.data?.createOrganization?.name).toBe('新しい 会社')
    const id = String(made.data?.createOrganization?.id)
    expect((await change(admin, 'updateOrganization', { id, name: '' })).refused).toBe('organization/name-required')
    expect((await change(admin, 'updateOrganization', { id, name: '別の会社' })).data?.updateOrganization?.name).toBe(
      '別の会社',
    )
    const person = await makeUser(['insight:publisher_admin'], BigInt(id))
    const token = await system.tokenOf(person.email)
    const refused = await change(admin, 'deleteOrganization', { id })
    expect(refused.refused).toBe('organization/in-use')
    expect(refused.message).toContain('ユーザー1人')
    // So an organisation is never gone while its user is signed in.
    expect(await viewerCode(token)).toBeUndefined()
    await change(admin, 'deleteUser', { uid: person.uid })
    expect(await viewerCode(token)).toBe('UNAUTHENTICATED')
    expect((await change(admin, 'deleteOrganization', { id })).code).toBeUndefined()
    expect((await change(admin, 'deleteOrganization', { id })).refused).toBe('organization/not-found')
  })
})

describe('people with two roles, or none', () => {
  test('two roles of insight give the rows of the wider one', async () => {
    const total = async (roles: readonly Role[]) => {
      const { email } = await makeUser(roles)
      const { data } = await run(
        'insight',
        await system.tokenOf(email),
        '{ agreements(limit: 9, offset: 0) { total } }',
      )
      return data?.agreements?.total
    }
    expect(await total(['insight:publisher_editor'])).toBe(0) // works for none yet
    expect(await total(['insight:publisher_editor', 'insight:publisher_admin'])).toBe(3)
    expect(await total(['insight:publisher_editor', 'insight:viewer'])).toBe(6)
    expect(await total(['insight:publisher_admin', 'coupon:admin'])).toBe(3)
  })
  test('two roles give what either gives; none gives only the own user, and no policies', async () => {
    const two = await makeUser(['insight:publisher_editor', 'coupon:editor'])
    const token = await system.tokenOf(two.email)
    const { data } = await run('iam', token, '{ policies { nodes { resources { name } } } }')
    const text = JSON.stringify(data)
    expect(text).toContain('coupon:coupon.')
    expect(text).toContain('insight:publisher.')
    const none = await as('nobody')
    expect((await run('iam', none, '{ policies { total } }')).code).toBe('FORBIDDEN')
    expect((await run('iam', none, '{ viewer { roles } }')).data?.viewer).toEqual({ roles: [] })
    expect((await run('insight', none, '{ agreements(limit: 1, offset: 0) { total } }')).code).toBe('FORBIDDEN')
  })
})

describe('the explanation of access', () => {
  const explain = async (token: string, variables: object) =>
    run(
      'iam',
      token,
      'query Q($userID: ID!, $action: String!, $resource: String!, $rowId: ID) { explainAccess(userID: $userID, action: $action, resource: $resource, rowId: $rowId) { isAllowed sentence role } }',
      variables,
    )
  test('answers for rows, within what the asker may see', async () => {
    const { users, a, b } = system.rows
    const admin = await as('iam:viewer')
    const question = {
      userID: users['insight:publisher_editor'].uid,
      action: 'read:show',
      resource: 'insight:agreement.',
    }
    const ask = async (rowId: bigint) =>
      (await explain(admin, { ...question, rowId: String(rowId) })).data?.explainAccess
    expect(await ask(a.agreementIds[0] ?? 0n)).toMatchObject({ isAllowed: true, role: 'insight:publisher_editor' })
    expect(await ask(a.agreementIds[1] ?? 0n)).toMatchObject({ isAllowed: false })
    expect((await ask(b.agreementIds[0] ?? 0n))?.sentence).toContain('担当する契約のもの')
    const publisher = await as('insight:publisher_admin')
    const foreign = await explain(publisher, { ...question, rowId: String(b.agreementIds[0]) })
    const missing = await explain(publisher, { ...question, rowId: '999999' })
    expect([foreign.refused, foreign.message]).toEqual([missing.refused, missing.message])
    expect((await explain(publisher, { ...question, userID: users.ofB.uid })).refused).toBe('record/not-found')
    expect((await explain(admin, { ...question, action: 'read' })).refused).toBe('access/action-unknown')
    expect((await explain(admin, { ...question, resource: '' })).refused).toBe('access/resource-unknown')
  })
})

describe('a view taken on by staff', () => {
  const VIEWER = '{ viewer { uid email actingAs { staffEmail reason endsAt } } }'
  test('shows what the person sees, changes nothing, ends by itself, and is logged', async () => {
    const { users, a } = system.rows
    const staff = await as('insight:admin')
    const other = await as('insight:admin')
    const target = users['insight:publisher_editor']
    const start = (uid: string, reason = '問い合わせの確認のため') => change(staff, 'startViewAs', { uid, reason })
    expect((await start(target.uid, ' ')).refused).toBe('view-as/reason-required')
    expect((await start(users.admin.uid)).refused).toBe('view-as/not-a-publisher')
    expect((await start(users.nobody.uid)).refused).toBe('view-as/not-a-publisher')
    expect((await change(await as('insight:editor'), 'startViewAs', { uid: target.uid, reason: 'because' })).code).toBe(
      'FORBIDDEN',
    )
    expect((await start(target.uid)).code).toBeUndefined()
    expect(await lastAudit()).toMatchObject({ action: 'start-view-as', actorUid: users['insight:admin'].uid })

    const seen = await run('iam', staff, VIEWER)
    expect(seen.data?.viewer).toMatchObject({ uid: target.uid, actingAs: { staffEmail: users['insight:admin'].email } })
    const agreements = `query Q($uid: ID!) { agreements(limit: 10, offset: 0, param: { userUid: $uid }) { nodes { id notes } } }`
    const asStaff = await system.ask('insight', agreements, staff, { uid: users['insight:admin'].uid })
    expect(asStaff.json.data).toEqual({ agreements: { nodes: [{ id: String(a.agreementIds[0]), notes: null }] } })
    expect(
      (await run('iam', staff, 'query Q($id: ID!) { user(userID: $id) { uid } }', { id: users['insight:admin'].uid }))
        .data?.user,
    ).toEqual({ uid: target.uid })
    // Only this session: another one of the same person is untouched.
    expect((await run('iam', other, VIEWER)).data?.viewer).toMatchObject({
      uid: users['insight:admin'].uid,
      actingAs: null,
    })

    const administrator = await system.tokenOf(users.admin.email)
    expect(
      (
        await change(administrator, 'startViewAs', {
          uid: users['insight:publisher_admin'].uid,
          reason: 'テストのため',
        })
      ).code,
    ).toBeUndefined()
    // That every mutation is refused meanwhile, the authorisation matrix shows.
    const viewed = await run(
      'insight',
      administrator,
      'mutation M($input: UpdateUserForPublisherInput!) { updateUserForPublisher(input: $input) { uid } }',
      {
        input: { uid: target.uid, enabled: false },
      },
    )
    expect([viewed.code, viewed.message]).toEqual([
      'FORBIDDEN',
      expect.stringContaining('として表示している間は、変更できません'),
    ])

    expect((await run('iam', staff, 'mutation { endViewAs }')).data).toEqual({ endViewAs: true })
    expect(await lastAudit()).toMatchObject({
      action: 'end-view-as',
      actorUid: users['insight:admin'].uid,
      actingAsUid: target.uid,
    })
    expect((await run('iam', staff, VIEWER)).data?.viewer).toMatchObject({ uid: users['insight:admin'].uid })
    expect((await run('iam', staff, 'mutation { endViewAs }')).refused).toBe('view-as/not-started')

    expect((await start(target.uid)).code).toBeUndefined()
    await system.parts.database.inScope(SYSTEM, tx => sql`update view_as_sessions set expires_at = now()`.execute(tx))
    expect((await run('iam', staff, VIEWER)).data?.viewer).toMatchObject({ actingAs: null })
    expect((await start(target.uid)).code).toBeUndefined()
    await system.parts.database.inScope(SYSTEM, tx => sql`delete from view_as_sessions`.execute(tx))
  })
})

describe('the audit log', () => {
  test('knows of files that the console makes, also during a view', async () => {
    const note =
      'mutation M($fileName: String!, $lines: Int!) { noteDownload(fileName: $fileName, lines: $lines, screen: "/gpc/#/reports/dashboard") }'
    const { users } = system.rows
    const file = { fileName: 'dashboard_2026-10-01_2026-10-31.csv', lines: 32 }
    expect((await run('insight', await as('insight:publisher_editor'), note, file)).data).toEqual({
      noteDownload: true,
    })
    expect(await lastAudit()).toMatchObject({
      action: 'download',
      actorUid: users['insight:publisher_editor'].uid,
      actingAsUid: null,
      after: { ...file, screen: '/gpc/#/reports/dashboard' },
    })
    const staff = await as('admin')
    const target = users['insight:publisher_admin'].uid
    expect((await change(staff, 'startViewAs', { uid: target, reason: 'テストのため' })).code).toBeUndefined()
    expect((await run('insight', staff, note, file)).code).toBeUndefined()
    expect(await lastAudit()).toMatchObject({ action: 'download', actorUid: users.admin.uid, actingAsUid: target })
    await run('iam', staff, 'mutation { endViewAs }')
    for (const wrong of [
      { ...file, fileName: '' },
      { ...file, fileName: 'a\n' },
      { ...file, lines: -1 },
    ])
      expect((await run('insight', staff, note, wrong)).refused).toBe('download/not-noted')
  })
  test('is read by administrators only, newest first, with search; sign-ins and refusals are in it', async () => {
    const query =
      'query Q($q: String, $param: AuditLogParam) { auditLog(limit: 50, offset: 0, q: $q, param: $param) { total nodes { action actorEmail rowId sourceAddress resourceLabel after } } }'
    expect((await run('iam', await as('insight:admin'), query)).code).toBe('FORBIDDEN')
    const { uid, email } = await makeUser(['insight:viewer'])
    const { hashPassword } = await import('@pc/platform/oidc/password-hash.ts')
    const passwordHash = await hashPassword('the right words here')
    await system.parts.database.inScope(SYSTEM, tx =>
      tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute(),
    )
    const signIn = page()
    await signIn('sign-in', { email, password: 'wrong' })
    await signIn('sign-in', { email, password: 'the right words here' })
    await signIn('sign-out', {})
    const admin = await as('iam:admin')
    const { data } = await run('iam', admin, query, { param: { rowId: uid } })
    expect(
      ((data?.auditLog?.nodes ?? []) as { action: string; actorEmail: string | null }[]).map(
        ({ action, actorEmail }) => [action, actorEmail],
      ),
    ).toEqual([
      ['sign-out', email],
      ['sign-in', email],
      ['sign-in-refused', null],
    ])
    expect((await run('iam', admin, query, { q: 'ALPHA' })).data?.auditLog?.total).toBeGreaterThanOrEqual(0)
    expect((await run('iam', admin, query, { param: { actorUid: 'nonsense' } })).code).toBe('BAD_REQUEST')
    const log = JSON.stringify((await run('iam', admin, query, { q: null })).data)
    for (const secret of ['the right words here', 'my own new words']) expect(log).not.toContain(secret)
  })
})
