import type { GranularAction } from '@pc/domain/access/action.ts'
import { type ClientPolicy, clientAllows } from '@pc/domain/access/client-policy.ts'
import { decide, type Permit } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { GRANTS_OF_ROLE } from '@pc/domain/access/role-policies.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { isTerminatedOn } from '@pc/domain/agreement/agreement-terms.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { seedPolicies } from '@pc/features/access/server/policy-store.ts'
import { findUser } from '@pc/features/access/server/user-store.ts'
import { AGREEMENT_ORDERS, listAgreements } from '@pc/features/agreements/server/agreement-store.ts'
import { listAvailableMedia } from '@pc/features/media/server/medium-store.ts'
import { listOrganizations } from '@pc/features/publishers/server/publisher-option-store.ts'
import { listPublishers } from '@pc/features/publishers/server/publisher-store.ts'
import { dayAt, systemClock, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let system: SystemUnderTest
const tokens: Record<string, string> = {}

interface AgreementNode {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly terminatedAt: string | null
  readonly isPaymentDisabled: boolean
}

beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const role of [
    'admin',
    'iam:viewer',
    'insight:viewer',
    'insight:editor',
    'insight:publisher_admin',
    'insight:publisher_editor',
    'nobody',
  ] as const) {
    tokens[role] = await system.tokenOf(system.rows.users[role].email)
  }
  const { organizationId } = system.rows.a
  const names = ['あさひ', 'ニュース', '日刊', '100%保証', 'under_score', 'back\\slash', "quo'te"]
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('agreements')
      .values(
        Array.from({ length: 40 }, (_, i) => ({
          organizationId,
          mediumId: [1n, 2n, 9n][i % 3] ?? 1n,
          name: `${names[i % names.length]}${i % 5}`,
          code: `C-${i}`,
          isPaymentDisabled: i % 4 === 0,
          terminatedAt: i % 3 === 0 ? new Date(Date.UTC(2025, i % 7, 1)) : null,
          createdAt: new Date(Date.UTC(2024, i % 6, 1)),
          updatedAt: new Date(Date.UTC(2026, 0, 1 + (i % 9))),
        })),
      )
      .execute(),
  )
})
afterAll(() => system?.close())

const AGREEMENTS = `query A($limit: Int!, $offset: Int!, $orderBy: AgreementsOrderBy, $param: AgreementsParam, $q: String) {
  agreements(limit: $limit, offset: $offset, orderBy: $orderBy, param: $param, q: $q) {
    total nodes { id name createdAt updatedAt terminatedAt isPaymentDisabled } } }`

async function agreements(role: string, variables: object = {}): Promise<{ total: number; nodes: AgreementNode[] }> {
  const answer = await system.ask('insight', AGREEMENTS, tokens[role], { limit: 1000, offset: 0, ...variables })
  if (answer.json.errors) throw new Error(answer.text)
  return (answer.json.data as { agreements: { total: number; nodes: AgreementNode[] } }).agreements
}

describe('agreements', () => {
  test.each(AGREEMENT_ORDERS)('in the order %s: pages join without gap or overlap', async orderBy => {
    const all = await agreements('admin', { orderBy })
    expect(all.total).toBe(46)
    const paged: AgreementNode[] = []
    for (let offset = 0; offset < 50; offset += 7) {
      const page = await agreements('admin', { orderBy, limit: 7, offset })
      expect(page.total).toBe(46) // also beyond the end
      paged.push(...page.nodes)
    }
    expect(paged).toEqual(all.nodes)
    const [column = '', direction] = orderBy.split('_')
    const key: Readonly<Record<string, (node: AgreementNode) => string | number | null>> = {
      ID: node => Number(node.id),
      CREATEDAT: node => node.createdAt,
      UPDATEDAT: node => node.updatedAt,
      TERMINATEDAT: node => node.terminatedAt,
      ISPAYMENTDISABLED: node => Number(node.isPaymentDisabled),
      NAME: node => node.name,
    }
    const sign = direction === 'ASC' ? 1 : -1
    const expected = [...all.nodes].sort((a, b) => {
      const [x, y] = [key[column]?.(a) ?? null, key[column]?.(b) ?? null]
      if (x !== y) return x === null ? 1 : y === null ? -1 : x < y ? -sign : sign
      return sign * (Number(a.id) - Number(b.id))
    })
    expect(all.nodes.map(node => node.id)).toEqual(expected.map(node => node.id))
  })

  test('search takes wildcards literally and looks into name and code', async () => {
    const found = async (q: string) => (await agreements('admin', { q })).nodes.map(node => node.name)
    expect((await found('100%')).every(name => name.includes('100%'))).toBe(true)
    expect((await found('100%')).length).toBeGreaterThan(0)
    expect((await found('r_s')).every(name => name.includes('under_score'))).toBe(true)
    expect((await found('k\\s')).length).toBeGreaterThan(0)
    expect((await found("quo'te")).length).toBeGreaterThan(0)
    expect(await found('%%')).toEqual([])
    expect((await found('c-39')).length).toBe(1)
    expect((await found('  ')).length).toBe(46)
    for (const separators of ['・', '-', '（）', '・ ー', '＊']) expect(await found(separators)).toEqual([])
    expect((await agreements('insight:publisher_admin', { q: '・' })).total).toBe(0)
    const tooLong = await system.ask('insight', AGREEMENTS, tokens.admin, { limit: 1, offset: 0, q: 'あ'.repeat(201) })
    expect(tooLong.json.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_REQUEST',
      refusals: [{ code: 'search/text-too-long' }],
    })
  })

  test('filters', async () => {
    const terminated = await agreements('admin', { param: { isTerminated: true } })
    expect(terminated.nodes.every(node => node.terminatedAt !== null)).toBe(true)
    const running = await agreements('admin', {
      param: { isTerminated: false, isPaymentDisabled: true, mediumId: '1' },
    })
    expect(running.nodes.every(node => node.terminatedAt === null && node.isPaymentDisabled)).toBe(true)
    expect(terminated.total + (await agreements('admin', { param: { isTerminated: false } })).total).toBe(46)
  })

  test('a termination to come is one rule in the fields, the filter, the search and its counts', async () => {
    const { organizationId } = system.rows.b
    const at = (day: Day) => new Date(`${day}T00:00:00+09:00`)
    const on = today(systemClock)
    const insert = (name: string, terminatedAt: Date | null) =>
      system.dependencies.database.inScope(SYSTEM, async tx => {
        const values = { organizationId, mediumId: 1n, name: `予定 ${name}`, code: `SCHED-${name}`, terminatedAt }
        const { id } = await tx.insertInto('agreements').values(values).returning('id').executeTakeFirstOrThrow()
        return String(id)
      })
    const over = await insert('昨日', at(addDays(on, -1)))
    const todays = await insert('今日', new Date(at(addDays(on, 1)).getTime() - 1))
    const tomorrow = await insert('明日', at(addDays(on, 1)))
    const open = await insert('なし', null)
    const query = `query A($param: AgreementsParam, $q: String) {
      agreements(limit: 100, offset: 0, orderBy: ID_ASC, param: $param, q: $q) { total nodes { id isTerminated } } }`
    const ids = async (param: object, role = 'admin') => {
      const answer = await system.ask(
        'insight',
        query,
        role === 'admin' ? tokens.admin : await system.tokenOf(system.rows.users.ofB.email),
        { param, q: '予定' },
      )
      const list = (
        answer.json.data as { agreements: { total: number; nodes: { id: string; isTerminated: boolean }[] } }
      ).agreements
      expect(list.total).toBe(list.nodes.length)
      return list.nodes.map(node => [node.id, node.isTerminated])
    }
    for (const role of ['admin', 'ofB']) {
      expect(await ids({}, role)).toEqual([
        [over, true],
        [todays, true],
        [tomorrow, false],
        [open, false],
      ])
      expect(await ids({ isTerminated: false }, role)).toEqual([
        [tomorrow, false],
        [open, false],
      ])
      expect(await ids({ isTerminated: true }, role)).toEqual([
        [over, true],
        [todays, true],
      ])
      expect(await ids({ isTerminationScheduled: true }, role)).toEqual([[tomorrow, false]])
    }
    // The rule of SQL is that of the domain.
    const days = [-400, -1, 0, 1, 400].map(n => addDays(on, n))
    const { rows } = await system.dependencies.database.inScope(SYSTEM, tx =>
      sql<{ at: Date | null; day: Day; terminated: boolean }>`
        select at, day::text, app.is_terminated(at, day) as terminated
        from unnest(${[...days.flatMap(day => [at(day), new Date(at(day).getTime() - 1)]), null]}::timestamptz[]) at,
          unnest(${days}::date[]) day`.execute(tx),
    )
    expect(rows).toHaveLength(55)
    for (const row of rows)
      expect(row.terminated, `${row.at?.toISOString()} ${row.day}`).toBe(
        isTerminatedOn(row.day, row.at && dayAt(row.at.getTime())),
      )
    await system.dependencies.database.inScope(SYSTEM, tx =>
      sql`delete from agreements where code like 'SCHED-%'`.execute(tx),
    )
  })

  test('the scope is the rows of the caller, whatever the caller asks', async () => {
    const { a, b, users } = system.rows
    expect((await agreements('insight:publisher_admin')).total).toBe(43)
    expect((await agreements('insight:publisher_editor')).nodes.map(node => node.id)).toEqual([
      String(a.agreementIds[0]),
    ])
    expect(
      (await agreements('insight:publisher_admin', { param: { organizationId: String(b.organizationId) } })).total,
    ).toBe(0)
    const of = (role: string, userUid: string) => agreements(role, { param: { userUid } }).then(list => list.total)
    expect(await of('insight:publisher_editor', users['insight:publisher_editor'].uid)).toBe(1)
    expect(await of('insight:publisher_editor', users['insight:publisher_editor'].uid.toUpperCase())).toBe(1)
    expect(await of('insight:publisher_editor', users['insight:publisher_admin'].uid)).toBe(0)
    expect(await of('insight:publisher_admin', users['insight:publisher_editor'].uid)).toBe(1)
    expect(await of('insight:publisher_admin', users.ofB.uid)).toBe(0)
    expect(await of('insight:editor', users.ofB.uid)).toBe(0) // may not see users
    expect(await of('admin', users.ofB.uid)).toBe(3)
    expect(await of('admin', users.admin.uid)).toBe(46)
    expect(await of('admin', 'no-uuid')).toBe(0)
  })
})

describe('two walls: each alone keeps the rows of others away', () => {
  test('row-level security without the conditions of the application', async () => {
    const { uid } = system.rows.users['insight:publisher_editor']
    const organizationId = system.rows.a.organizationId
    for (const scope of [
      { kind: 'organization', uid, organizationId },
      { kind: 'agreements', uid, organizationId },
      { kind: 'self', uid },
    ] as const) {
      const rows = await system.dependencies.database.inScope(scope, tx =>
        tx.selectFrom('agreements').select('organizationId').execute(),
      )
      expect(rows.every(row => row.organizationId === organizationId)).toBe(true)
      expect(rows.length).toBe({ organization: 43, agreements: 1, self: 0 }[scope.kind])
    }
  })

  test('the conditions of the application without row-level security', async () => {
    const everything: Database = {
      inScope: (_scope, work, options) => system.dependencies.database.inScope(SYSTEM, work, options),
      readSingleStatement: (_scope, statement) => system.dependencies.database.readSingleStatement(SYSTEM, statement),
      reader: () => system.dependencies.database.reader(SYSTEM),
      close: async () => {},
    }
    const permitOf = <A extends GranularAction, R extends ResourceName>(role: Role, action: A, on: R): Permit<A, R> => {
      const { uid, email } = system.rows.users[role]
      const { organizationId } = system.rows.a
      const permit = decide(
        { uid, email, roles: [role], organizationId, scope: viewerScope(uid, [role], organizationId) },
        action,
        on,
      )
      if (!permit) throw new Error(`${role} has no ${action} on ${on}`)
      return permit
    }
    const page = { limit: 1000, offset: 0 }
    const totals = async (role: Role) => {
      const ofAgreements = permitOf(role, 'read:list', 'insight:agreement.')
      const ofPublishers = permitOf(role, 'read:list', 'insight:publisher.')
      const ofUsers = permitOf(role, 'read:show', 'iam:user.')
      return {
        agreements: (await listAgreements(everything, {}, 'ID_ASC', page, ofAgreements)).total,
        publishers: (await listPublishers(everything, {}, 'NAME_ASC', page, ofPublishers)).total,
        organizations: (await listOrganizations(everything, [], page, ofPublishers)).total,
        media: (await listAvailableMedia(everything, ofAgreements)).length,
        userOfB: await findUser(everything, system.rows.users.ofB.uid, ofUsers),
      }
    }
    expect(await totals('insight:publisher_admin')).toEqual({
      agreements: 43,
      publishers: 2,
      organizations: 1,
      media: 3,
      userOfB: undefined,
    })
    expect(await totals('insight:publisher_editor')).toEqual({
      agreements: 1,
      publishers: 1,
      organizations: 1,
      media: 1,
      userOfB: undefined,
    })
    expect(await totals('insight:admin')).toMatchObject({ agreements: 46, publishers: 4, organizations: 2, media: 5 })
  })
})

describe('options for filters', () => {
  const ask = async (role: string, query: string) => {
    const answer = await system.ask('insight', query, tokens[role])
    if (answer.json.errors) throw new Error(answer.text)
    return Object.values(answer.json.data as object)[0] as { total: number; nodes: { id: string; name: string }[] }
  }
  test('are those of the caller', async () => {
    expect((await ask('insight:viewer', '{ publishers(limit: 10, offset: 0) { total nodes { id } } }')).total).toBe(4)
    expect(
      (await ask('insight:publisher_admin', '{ publishers(limit: 10, offset: 0) { total nodes { id } } }')).total,
    ).toBe(2)
    expect(
      (await ask('insight:publisher_editor', '{ publishers(limit: 10, offset: 0) { total nodes { id } } }')).total,
    ).toBe(1)
    expect(
      (await ask('insight:viewer', '{ organizations(limit: 10, offset: 0) { total nodes { name } } }')).total,
    ).toBe(2)
    expect(
      (await ask('insight:publisher_editor', '{ organizations(limit: 10, offset: 0) { total nodes { name } } }')).total,
    ).toBe(1)
    const media = async (role: string) =>
      (await ask(role, '{ availableMedia { total nodes { id name } } }')).nodes.map(node => node.id)
    expect(await media('insight:viewer')).toEqual(['1', '2', '3', '4', '9'])
    expect(await media('insight:publisher_admin')).toEqual(['1', '2', '9'])
    expect(await media('insight:publisher_editor')).toEqual(['1'])
  })
  test('have the total on every page, also on a full one and beyond the end', async () => {
    for (const page of ['limit: 2, offset: 0', 'limit: 4, offset: 0', 'limit: 3, offset: 2', 'limit: 3, offset: 90']) {
      expect((await ask('admin', `{ publishers(${page}) { total nodes { id } } }`)).total).toBe(4)
    }
  })
})

describe('who somebody is, and may do', () => {
  test('the own user, whatever the role', async () => {
    const { uid, email } = system.rows.users.nobody
    const query =
      'query U($id: ID!) { user(userID: $id) { uid email enabled roles { name } organizationId organization { name } } }'
    const answer = await system.ask('iam', query, tokens.nobody, { id: uid })
    expect(answer.json.data).toEqual({
      user: {
        uid,
        email,
        enabled: true,
        roles: [],
        organizationId: String(system.rows.a.organizationId),
        organization: { name: 'ALPHA 株式会社' },
      },
    })
    const seen = async (role: string, id: string) => (await system.ask('iam', query, tokens[role], { id })).json.data
    const { users } = system.rows
    expect(await seen('iam:viewer', users.ofB.uid)).toMatchObject({ user: { uid: users.ofB.uid } })
    expect(await seen('insight:publisher_admin', users.admin.uid)).toMatchObject({
      user: { roles: [{ name: 'admin' }] },
    })
    expect(await seen('insight:publisher_admin', users.ofB.uid)).toEqual({ user: null })
    expect(await seen('insight:editor', users.admin.uid)).toEqual({ user: null })
    expect(await seen('admin', "' or 1=1 --")).toEqual({ user: null })
  })
  test('policies are the rows of the table, and the client evaluates them', async () => {
    const query = '{ policies { total nodes { actions resources { name sameConditionKey sameConditionValue } } } }'
    const policies = async (role: string) => {
      const { data } = (await system.ask('iam', query, tokens[role])).json
      return (data as { policies: { nodes: ClientPolicy[] } }).policies.nodes
    }
    const ofPublisher = await policies('insight:publisher_admin')
    expect(ofPublisher).toHaveLength((GRANTS_OF_ROLE.get('insight:publisher_admin')?.length ?? 0) + 1)
    expect(ofPublisher).toContainEqual({
      actions: ['read:list', 'read:show'],
      resources: [
        {
          name: 'insight:monthly_payment.',
          sameConditionKey: 'hasBeenFinalized,organizationId',
          sameConditionValue: 'true,own',
        },
      ],
    })
    expect(clientAllows(ofPublisher, 'read:list', 'iam:user.')).toBe(true)
    expect(clientAllows(ofPublisher, 'read:list', 'insight:revenue_detail.')).toBe(false)
    expect((await policies('admin')).some(policy => policy.actions.includes('*'))).toBe(true)
  })
  test('policies without a role are FORBIDDEN: there is nothing to use here', async () => {
    const answer = await system.ask('iam', '{ policies { total } }', tokens.nobody)
    expect(answer.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
  test('policies of a role are for those who may list roles', async () => {
    const code = async (role: string, of: string) =>
      (await system.ask('iam', `{ policies(role: "${of}") { total } }`, tokens[role])).json.errors?.[0]?.extensions.code
    expect(await code('iam:viewer', 'insight:admin')).toBeUndefined()
    expect(await code('insight:publisher_admin', 'insight:publisher_editor')).toBeUndefined()
    expect(await code('insight:editor', 'insight:admin')).toBe('FORBIDDEN')
    expect(await code('iam:viewer', 'no:role')).toBe('BAD_REQUEST')
  })
  test('seeding again changes nothing, and repairs what was changed by hand', async () => {
    const { database } = system.dependencies
    expect(await seedPolicies(database)).toBe(false)
    await database.inScope(SYSTEM, tx =>
      tx
        .updateTable('policies')
        .set({ actions: ['*'] })
        .where('roleName', '=', 'insight:viewer')
        .execute(),
    )
    expect(await Promise.all([seedPolicies(database), seedPolicies(database)])).toContain(true)
    expect(await seedPolicies(database)).toBe(false)
  })
  test('seeding says whose each role is, and takes it from a role that nobody declares any more', async () => {
    const { database } = system.dependencies
    const sides = () =>
      database.inScope(SYSTEM, async tx => {
        const rows = await tx
          .selectFrom('roles')
          .select(['name', 'side'])
          .where('side', '<>', 'other service')
          .execute()
        return rows.map(({ name, side }) => `${name} ${side}`).sort()
      })
    const before = await sides()
    expect(before).toContain('insight:viewer staff')
    expect(before).toContain('insight:publisher_editor publisher')
    expect(before).not.toContain('iam:admin staff')
    await database.inScope(SYSTEM, async tx => {
      await tx.insertInto('roles').values({ name: 'insight:forgotten', side: 'staff' }).execute()
      await tx.updateTable('roles').set({ side: 'publisher' }).where('name', '=', 'insight:viewer').execute()
    })
    expect(await seedPolicies(database)).toBe(true)
    expect(await sides()).toEqual(before)
    expect(await seedPolicies(database)).toBe(false)
    await database.inScope(SYSTEM, tx => tx.deleteFrom('roles').where('name', '=', 'insight:forgotten').execute())
  })
})
