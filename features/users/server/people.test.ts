import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { peopleFixture } from '@pc/testing/system/people-fixture.ts'
import { CANARY_B } from '@pc/testing/system/two-organizations.ts'
import { describe, expect, test } from 'vitest'

const fixture = peopleFixture()
const { as, run, change, makeUser, viewerCode } = fixture

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
    expect((await list(admin, { q: 'canary' })).nodes).toMatchObject([{ email: fixture.system.rows.users.ofB.email }])
    expect((await list(admin, { q: '%' })).total).toBe(0)
    expect((await list(admin, { organizationId: String(fixture.system.rows.b.organizationId) })).total).toBe(1)
    expect((await list(admin, { userIDs: [fixture.system.rows.users.ofB.uid, 'nonsense'] })).total).toBe(1)
    const own = await list(await as('insight:publisher_admin'), {})
    expect(own.total).toBeGreaterThan(5)
    expect(JSON.stringify(own).toUpperCase()).not.toContain(CANARY_B)
    expect(
      (
        await list(await as('insight:publisher_admin'), {
          organizationId: String(fixture.system.rows.b.organizationId),
        })
      ).total,
    ).toBe(0)
  })
  test('roles say what they are for and which of them the caller may give', async () => {
    const names = async (token: string) => {
      const { data } = await run('iam', token, '{ roles { total nodes { name label description isGivable } } }')
      const nodes = data?.roles?.nodes as { name: string; description: string; isGivable: boolean }[]
      expect(nodes.every(role => role.description.endsWith('。'))).toBe(true)
      return nodes.filter(role => role.isGivable).map(role => role.name)
    }
    expect(await names(await as('admin'))).toEqual(ROLES)
    expect(await names(await as('iam:admin'))).toEqual(ROLES.filter(role => role !== 'admin'))
    expect(await names(await as('iam:viewer'))).toEqual([])
    expect(await names(await as('insight:publisher_admin'))).toEqual(rolesOf('publisher'))
  })
})

describe('organisations', () => {
  test('are made, renamed and, when nobody and nothing belongs to them, deleted; otherwise the refusal says what does', async () => {
    const admin = await as('iam:admin')
    const made = await change(admin, 'createOrganization', { name: ' 新しい 会社\n ' })
    expect(made.data?.createOrganization?.name).toBe('新しい 会社')
    const id = String(made.data?.createOrganization?.id)
    expect((await change(admin, 'updateOrganization', { id, name: '' })).refused).toBe('organization/name-required')
    for (const name of ['振込先\u202e社会式株', '株式会社\nサンプル', '\u2068サンプル\u2069']) {
      const hidden = await change(admin, 'updateOrganization', { id, name })
      expect(hidden.refused).toBe('name/hidden-characters')
      expect(hidden.message).toContain('表示されない文字')
    }
    expect((await change(admin, 'updateOrganization', { id, name: '別の会社' })).data?.updateOrganization?.name).toBe(
      '別の会社',
    )
    const person = await makeUser(['insight:publisher_admin'], BigInt(id))
    const token = await fixture.system.tokenOf(person.email)
    const refused = await change(admin, 'deleteOrganization', { id })
    expect(refused.refused).toBe('organization/in-use')
    expect(refused.message).toContain('ユーザー1人')
    // So an organisation is never deleted while one of its users is signed in.
    expect(await viewerCode(token)).toBeUndefined()
    await change(admin, 'deleteUser', { uid: person.uid })
    expect(await viewerCode(token)).toBe('UNAUTHENTICATED')
    expect((await change(admin, 'deleteOrganization', { id })).code).toBeUndefined()
    expect((await change(admin, 'deleteOrganization', { id })).refused).toBe('organization/not-found')
  })

  test('have the address of the payee: read in any width, kept where it is not sent, seen by its own people', async () => {
    const admin = await as('iam:admin')
    const ADDRESS = `mutation M($id: ID!, $postalCode: String, $address: String) {
      updateOrganization(id: $id, name: "住所の会社", postalCode: $postalCode, address: $address) { postalCode address } }`
    const id = String((await change(admin, 'createOrganization', { name: '住所の会社' })).data?.createOrganization?.id)
    const save = (parts: object) => run('iam', admin, ADDRESS, { id, ...parts })
    const where = { postalCode: '100-0001', address: '東京都千代田区千代田1-1' }
    const saved = await save({ ...where, postalCode: '〒１００－０００１' })
    expect(saved.data?.updateOrganization).toEqual(where)
    expect(await fixture.lastAudit()).toMatchObject({ before: { postalCode: '', address: '' }, after: where })
    expect((await save({})).data?.updateOrganization).toEqual(where)
    expect((await save({ postalCode: '1234' })).refused).toBe('organization/postal-code-invalid')
    expect((await save({ address: '東'.repeat(201) })).refused).toBe('organization/address-too-long')
    expect((await save({ address: '東京都\n千代田区' })).refused).toBe('name/hidden-characters')
    expect((await save({ address: '' })).refused).toBe('organization/address-missing')
    const read = `query Q($id: ID!) { organization(id: $id) { address } }`
    const person = await makeUser(['insight:publisher_admin'], BigInt(id))
    const own = await run('iam', await fixture.system.tokenOf(person.email), read, { id })
    expect(own.data?.organization).toEqual({ address: where.address })
    const stranger = await run('iam', await as('insight:publisher_admin'), read, { id })
    expect(stranger.data?.organization).toBeNull()
    expect((await save({ postalCode: '', address: '' })).data?.updateOrganization).toEqual({
      ...{ postalCode: '', address: '' },
    })
  })

  test('renamed by two people: the second sees who was faster and keeps nothing of it by accident', async () => {
    const admin = await as('iam:admin')
    const made = await change(admin, 'createOrganization', { name: '同時編集の会社' })
    const id = String(made.data?.createOrganization?.id)
    const read = async () =>
      (await run('iam', admin, `{ organization(id: "${id}") { name revision } }`)).data?.organization
    expect(await read()).toEqual({ name: '同時編集の会社', revision: 1 })
    const rename = (token: string, name: string, expectedRevision: number | null) =>
      run(
        'iam',
        token,
        `mutation M($name: String!, $expectedRevision: Int) {
          updateOrganization(id: "${id}", name: $name, expectedRevision: $expectedRevision) { name revision } }`,
        { name, expectedRevision },
      )
    // Both opened the first revision and save at the same moment; exactly one of them wins.
    const other = await as('admin')
    const both = await Promise.all([rename(admin, '同時編集の会社A', 1), rename(other, '同時編集の会社B', 1)])
    expect(both.map(one => one.refused).sort()).toEqual(['', 'record/edited-by-other'])
    const lost = both.find(one => one.refused !== '')
    expect(lost?.message).toContain('この内容を変更しました')
    const won = both.find(one => one.refused === '')?.data?.updateOrganization
    expect(await read()).toEqual(won)
    expect(won).toMatchObject({ revision: 2 })
    // A stale revision is refused before the question about the same name, even when it sends the stored name.
    expect((await rename(other, String(won?.name), 1)).refused).toBe('record/edited-by-other')
    expect(await fixture.lastAudit()).toMatchObject({ after: { name: won?.name, revision: 2 } })
    // Saving unchanged values raises no revision; a caller that sends no revision is not checked.
    expect((await rename(other, String(won?.name), 2)).data?.updateOrganization).toEqual(won)
    expect((await rename(other, '同時編集の会社C', null)).data?.updateOrganization).toMatchObject({ revision: 3 })
  })

  test('a second one of the same name, in any writing, is made only by somebody who says that it is meant', async () => {
    const admin = await as('iam:admin')
    const make = (name: string, confirmed: string) =>
      run('iam', admin, `mutation { createOrganization(name: "${name}"${confirmed}) { id name } }`)
    const first = await make('株式会社ツインズ', '')
    const id = String(first.data?.createOrganization?.id)
    for (const name of ['株式会社ツインズ', '株式会社 ﾂｲﾝｽﾞ', '株式会社ついんず']) {
      const warned = await change(admin, 'createOrganization', { name })
      expect(warned.refused).toBe('organization/name-taken')
      expect(warned.message).toContain(`「株式会社ツインズ」（ID ${id}）`)
    }
    expect((await make('株式会社ツイン', '')).code).toBeUndefined()
    expect((await make('株式会社ツインズ', ', confirmsSameName: false')).refused).toBe('organization/name-taken')
    const second = await make('株式会社ツインズ', ', confirmsSameName: true')
    const twin = String(second.data?.createOrganization?.id)
    expect(twin).not.toBe(id)
    // Keeping its own name needs no confirmation; taking another's does.
    expect((await change(admin, 'updateOrganization', { id: twin, name: '株式会社ツインズ' })).refused).toBe('')
    expect((await change(admin, 'updateOrganization', { id: twin, name: '株式会社ﾂｲﾝ' })).refused).toBe(
      'organization/name-taken',
    )
  })
})

describe('people with two roles, or none', () => {
  test('two roles of insight give the rows of the wider one', async () => {
    const total = async (roles: readonly Role[]) => {
      const { email } = await makeUser(roles)
      const { data } = await run(
        'insight',
        await fixture.system.tokenOf(email),
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
    const token = await fixture.system.tokenOf(two.email)
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
    const { users, a, b } = fixture.system.rows
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
