import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { peopleFixture } from '@pc/testing/system/people-fixture.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const fixture = peopleFixture()
const { as, run, change, makeUser, lastAudit, page } = fixture

describe('impersonation', () => {
  const VIEWER = '{ viewer { uid email actingAs { staffEmail reason endsAt } } }'
  test('shows what the person sees, changes nothing, ends automatically, and is logged', async () => {
    const { users, a } = fixture.system.rows
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
    const asStaff = await fixture.system.ask('insight', agreements, staff, { uid: users['insight:admin'].uid })
    expect(asStaff.json.data).toEqual({ agreements: { nodes: [{ id: String(a.agreementIds[0]), notes: null }] } })
    expect(
      (await run('iam', staff, 'query Q($id: ID!) { user(userID: $id) { uid } }', { id: users['insight:admin'].uid }))
        .data?.user,
    ).toEqual({ uid: target.uid })
    // Only this session: another session of the same person is unaffected.
    expect((await run('iam', other, VIEWER)).data?.viewer).toMatchObject({
      uid: users['insight:admin'].uid,
      actingAs: null,
    })

    const administrator = await fixture.system.tokenOf(users.admin.email)
    expect(
      (
        await change(administrator, 'startViewAs', {
          uid: users['insight:publisher_admin'].uid,
          reason: 'テストのため',
        })
      ).code,
    ).toBeUndefined()
    // The authorisation matrix shows that every mutation is refused meanwhile.
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
    await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      sql`update view_as_sessions set expires_at = now()`.execute(tx),
    )
    expect((await run('iam', staff, VIEWER)).data?.viewer).toMatchObject({ actingAs: null })
    expect((await start(target.uid)).code).toBeUndefined()
    await fixture.system.dependencies.database.inScope(SYSTEM, tx => sql`delete from view_as_sessions`.execute(tx))
  })
})

describe('the audit log', () => {
  test('knows of files that the console makes, also during an impersonation', async () => {
    const note =
      'mutation M($fileName: String!, $lines: Int!) { noteDownload(fileName: $fileName, lines: $lines, screen: "/gpc/#/reports/dashboard") }'
    const { users } = fixture.system.rows
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
    await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
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
