import { decide } from '@pc/domain/access/decide.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { STAFF_ONLY_FIELDS } from '@pc/domain/access/staff-only-fields.ts'
import { type Viewer, viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { API_KEY_SCOPES } from '@pc/domain/api-key/api-key.ts'
import { ruleOf } from '@pc/platform/graphql/finish-graph.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { insertApiKey } from '@pc/testing/system/api-key-fixture.ts'
import {
  fieldsBelow,
  guardedBelow,
  newAddress,
  operation,
  rootFields,
  rowsOfNothing,
} from '@pc/testing/system/sample-requests.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { CANARY_B, type OrganizationRows } from '@pc/testing/system/two-organizations.ts'
import { type GraphQLField, isObjectType } from 'graphql'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Every root field of both APIs × every identity × own / foreign ids, generated from the finished schemas: a field
 * that is added later is in the matrix without being named here. What is expected comes from the field's rule and
 * `decide` alone; what is answered comes over HTTP.
 */
const IDENTITIES = [...ROLES, 'API key', 'nobody', 'disabled', 'signed out', 'forged token'] as const
type Identity = (typeof IDENTITIES)[number]
const SIGNED_OUT: readonly Identity[] = ['disabled', 'signed out', 'forged token']
/** Who may see rows of every organisation; `access.test.ts` knows by hand who is staff. */
const SEES_ALL: readonly Identity[] = [...rolesOf('staff'), 'iam:admin', 'iam:viewer']

let system: SystemUnderTest
const tokens = new Map<Identity, string | undefined>()

beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const identity of IDENTITIES) {
    if (identity === 'signed out' || identity === 'forged token' || identity === 'API key') continue
    tokens.set(identity, await system.tokenOf(system.rows.users[identity].email))
  }
  const good = tokens.get('admin') ?? ''
  tokens.set('forged token', `${good.slice(0, -8)}AAAAAAAA`)
  const { uid } = system.rows.users.disabled
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.updateTable('users').set({ enabled: false }).where('uid', '=', uid).execute(),
  )
})
afterAll(() => system?.close())

/** Of the administrator of A, for every kind of data; a new one for each question, since each may send only so many. */
const newApiKey = () => insertApiKey(system, { scopes: [...API_KEY_SCOPES] })

/** Whose rights the identity has at an API; a program's key is nobody where people are managed. */
function viewerOf(identity: Identity, api: 'insight' | 'iam'): Viewer | null {
  if (identity === 'API key') {
    const keeper = viewerOf('insight:publisher_admin', api)
    return api === 'iam' || !keeper ? null : { ...keeper, apiKey: { id: 0n, scopes: API_KEY_SCOPES } }
  }
  if (SIGNED_OUT.includes(identity)) return null
  const { uid, email } = system.rows.users[identity as 'nobody']
  const roles = ROLES.filter(role => role === identity)
  const { organizationId } = system.rows.a
  return { uid, email, roles, organizationId, scope: viewerScope(uid, roles, organizationId) }
}

type Victim = Awaited<ReturnType<typeof makeVictim>>

/** A user of one organisation, for cells that could change or delete it; a new one after each that has. */
async function makeVictim({ organizationId }: OrganizationRows) {
  const { database } = system.dependencies
  const uid = await database.inScope(SYSTEM, async tx => {
    const email = newAddress('victim')
    const made = await tx
      .insertInto('users')
      .values({ email, organizationId })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await tx.insertInto('userRoles').values({ uid: made.uid, roleName: 'insight:publisher_editor' }).execute()
    return made.uid
  })
  // One question: it is asked thousands of times.
  const state = () =>
    database.inScope(SYSTEM, async tx => {
      const { rows } = await sql<{ state: string }>`select json_build_array(
        (select json_agg(json_build_array(email, enabled, sessions_valid_from)) from users where uid = ${uid}),
        (select json_agg(role_name order by role_name) from user_roles where uid = ${uid}),
        (select json_agg(uid) from invitations where uid = ${uid})
      )::text as state`.execute(tx)
      return rows[0]!.state
    })
  return { uid, state, before: await state() }
}

/** Paths (without list indexes) of the errors below a root field, each with its code. */
function refusedPaths(answer: Answer): Map<string, string> {
  return new Map(
    (answer.json.errors ?? []).map(error => [
      (error.path ?? []).filter(step => typeof step === 'string').join('.'),
      error.extensions.code,
    ]),
  )
}

test('the matrix: field × identity × own and foreign ids, 0 wrong cells', async () => {
  let cells = 0
  let fieldCells = 0
  const wrong: string[] = []
  const victims: { a?: Victim; b?: Victim } = {}
  for (const api of ['insight', 'iam'] as const) {
    const schema = api === 'insight' ? system.dependencies.insightSchema : system.dependencies.iamSchema
    for (const { kind, field } of rootFields(schema)) {
      for (const identity of IDENTITIES) {
        for (const side of ['a', 'b'] as const) {
          const viewer = viewerOf(identity, api)
          if (kind === 'mutation') victims[side] ??= await makeVictim(system.rows[side])
          const victim = kind === 'mutation' ? victims[side] : undefined
          const own = side === 'a' ? (viewer?.uid ?? system.rows.users.admin.uid) : system.rows.users.ofB.uid
          const uid = victim?.uid ?? own
          const { query, variables } = operation(field, kind, system.rows[side], uid)
          const token = identity === 'API key' ? await newApiKey() : tokens.get(identity)
          const answer = await system.ask(api, query, token, variables)
          const name = `${api} ${field.name} × ${identity} × ${side}`
          wrong.push(...problemsOfCell(name, field, viewer, identity, answer))
          const rule = ruleOf(field)
          const permit = viewer && rule && 'on' in rule ? decide(viewer, rule.allow, rule.on) : undefined
          const mayChange = permit?.scope.kind === 'all' || (permit?.scope.kind === 'organization' && side === 'a')
          if (victim && !mayChange && (await victim.state()) !== victim.before)
            wrong.push(`${name}: changed a user without the right`)
          const isRefused = /^(UNAUTHENTICATED|FORBIDDEN)$/.test(refusedPaths(answer).get(field.name) ?? '')
          // Whom nobody could change, and who was seen to be as before, serves the next cell too.
          if (victim && (!isRefused || mayChange || wrong.length > 0)) delete victims[side]
          if (identity === 'API key')
            await system.dependencies.database.inScope(SYSTEM, tx => tx.deleteFrom('publisherApiKeys').execute())
          if (identity === 'API key' && kind === 'mutation' && answer.json.errors === undefined)
            wrong.push(`${name}: a program changed something`)
          if (kind === 'mutation' && !isRefused)
            await system.dependencies.database.inScope(SYSTEM, tx => tx.deleteFrom('viewAsSessions').execute())
          cells += 1
          fieldCells += 1 + fieldsBelow(field.type)
        }
      }
    }
  }
  console.warn(`authorisation matrix: ${cells} cells of root fields, ${fieldCells} of all fields`)
  expect(wrong).toEqual([])
  expect(cells).toBeGreaterThanOrEqual(1_500)
}, 900_000)

function problemsOfCell(
  name: string,
  field: GraphQLField<unknown, unknown>,
  viewer: Viewer | null,
  identity: Identity,
  answer: Answer,
): string[] {
  const problems: string[] = []
  const rule = ruleOf(field)
  const refused = refusedPaths(answer)
  const atRoot = refused.get(field.name)
  // A question that is too big answers nothing, and would prove nothing.
  if (/too (many|much|deep)/.test(answer.text)) problems.push(`${name}: ${answer.text.slice(0, 200)}`)
  if (answer.status !== 200) problems.push(`${name}: status ${answer.status} ${answer.text.slice(0, 200)}`)
  if (!viewer && rule?.allow !== 'public') {
    if (atRoot !== 'UNAUTHENTICATED') problems.push(`${name}: ${atRoot ?? 'no error'} instead of UNAUTHENTICATED`)
  } else if (viewer && rule && 'on' in rule && !decide(viewer, rule.allow, rule.on)) {
    if (atRoot !== 'FORBIDDEN') problems.push(`${name}: ${atRoot ?? 'no error'} instead of FORBIDDEN`)
  } else if (
    atRoot !== undefined &&
    atRoot !== 'BAD_REQUEST' &&
    !(field.name === 'policies' && viewer?.roles.length === 0)
  ) {
    problems.push(`${name}: ${atRoot} though it is allowed`)
  }
  if ([...refused.values()].includes('INTERNAL_SERVER_ERROR'))
    problems.push(`${name}: a fault: ${answer.text.slice(0, 200)}`)
  if (!SEES_ALL.includes(identity) && answer.text.toUpperCase().includes(CANARY_B))
    problems.push(`${name}: shows a row of another organisation`)
  for (const guarded of guardedBelow(field.type, field.name)) {
    const right = STAFF_ONLY_FIELDS[guarded.name]
    if (!right || !viewer || decide(viewer, right.allow, right.on)) continue
    for (const value of valuesAt(answer.json.data, guarded.path.split('.'))) {
      if (value !== null) problems.push(`${name}: ${guarded.path} is visible`)
      else if (refused.get(guarded.path) !== 'FORBIDDEN')
        problems.push(`${name}: ${guarded.path} is null without FORBIDDEN`)
    }
  }
  return problems
}

function valuesAt(data: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(data)) return data.flatMap(item => valuesAt(item, [step ?? '', ...rest]))
  if (step === undefined || typeof data !== 'object' || data === null) return []
  const value = (data as Record<string, unknown>)[step]
  if (value === undefined) return []
  return rest.length === 0 ? [value] : valuesAt(value, rest)
}

test('is not vacuous: staff see the rows of organisation B and the staff-only fields', async () => {
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx
      .updateTable('agreements')
      .set({ minimumRevenueYen: 9_007_199_254_740_993n })
      .where('name', 'like', '% 契約 3')
      .execute(),
  )
  const query = '{ agreements(limit: 100, offset: 0) { total nodes { name notes minimumRevenue feePaidBy } } }'
  const answer = await system.ask('insight', query, tokens.get('insight:viewer'))
  expect(answer.text).toContain(CANARY_B)
  expect(answer.text).toContain('9007199254740993') // digit by digit, though JavaScript would round it
  expect(answer.json.errors).toBeUndefined()
})

test('every name in the list of staff-only fields that the schema has is guarded by exactly that right', () => {
  for (const [name, right] of Object.entries(STAFF_ONLY_FIELDS)) {
    const [typeName = '', fieldName = ''] = name.split('.')
    const type = system.dependencies.insightSchema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
    if (field) expect(ruleOf(field), name).toEqual(right)
  }
})

test('rights come before input: wrong input of somebody without the right is FORBIDDEN, or UNAUTHENTICATED', async () => {
  const codes = async (query: string, identity: Identity, variables?: object) =>
    (await system.ask('insight', query, tokens.get(identity), variables)).json.errors?.map(
      error => error.extensions.code,
    )
  const wrongType = '{ agreements(limit: "x", offset: 0) { total } }'
  const unknownField = '{ agreements(limit: 1, offset: 0) { secret } }'
  const variable = 'query Q($limit: Int!) { agreements(limit: $limit, offset: 0) { total } }'
  for (const query of [wrongType, unknownField]) {
    expect(await codes(query, 'signed out')).toEqual(['UNAUTHENTICATED'])
    expect(await codes(query, 'coupon:admin')).toEqual(['FORBIDDEN'])
    expect((await codes(query, 'insight:viewer'))?.[0]).toBe('BAD_REQUEST')
  }
  expect(await codes(variable, 'signed out', { limit: 'x' })).toEqual(['UNAUTHENTICATED'])
  expect(await codes(variable, 'insight:viewer', { limit: 'x' })).toEqual(['BAD_REQUEST'])
  expect(await codes(variable, 'insight:viewer', { limit: 0 })).toEqual(['BAD_REQUEST'])
  expect(await codes(variable, 'coupon:admin', { limit: 0 })).toEqual(['FORBIDDEN'])
})

test('a foreign row has the same answer as a missing one, byte for byte', async () => {
  const missingUid = '00000000-0000-7000-8000-000000000000'
  const user = (uid: string) => ['iam', `query Q($id: ID!) { user(userID: $id) { uid email } }`, { id: uid }] as const
  const agreements = (param: object) =>
    [
      'insight',
      'query Q($param: AgreementsParam) { agreements(limit: 5, offset: 0, param: $param) { total nodes { id name } } }',
      { param },
    ] as const
  const publishers = (param: object) =>
    [
      'insight',
      'query Q($param: PublishersParam) { publishers(limit: 5, offset: 0, param: $param) { total nodes { id name } } }',
      { param },
    ] as const
  const { b, users } = system.rows
  const pairs = [
    [user(users.ofB.uid), user(missingUid)],
    [agreements({ userUid: users.ofB.uid }), agreements({ userUid: missingUid })],
    [agreements({ organizationId: String(b.organizationId) }), agreements({ organizationId: '999999' })],
    [publishers({ organizationId: String(b.organizationId) }), publishers({ organizationId: '999999' })],
  ] as const
  for (const identity of ['insight:publisher_admin', 'insight:publisher_editor'] as const) {
    for (const [foreign, missing] of pairs) {
      const [one, other] = [
        await system.ask(foreign[0], foreign[1], tokens.get(identity), foreign[2]),
        await system.ask(missing[0], missing[1], tokens.get(identity), missing[2]),
      ]
      expect(one.text, foreign[1]).toBe(other.text)
      expect(one.status).toBe(other.status)
    }
  }
})

test('sign-out, disabling and role changes act on the next request', async () => {
  const { database } = system.dependencies
  const { uid, email } = system.rows.users['insight:editor']
  const token = await system.tokenOf(email)
  const code = async () =>
    (await system.ask('insight', '{ agreements(limit: 1, offset: 0) { total } }', token)).json.errors?.[0]?.extensions
      .code
  expect(await code()).toBeUndefined()
  await database.inScope(SYSTEM, tx => tx.deleteFrom('userRoles').where('uid', '=', uid).execute())
  expect(await code()).toBe('FORBIDDEN')
  await database.inScope(SYSTEM, tx => tx.insertInto('userRoles').values({ uid, roleName: 'insight:editor' }).execute())
  expect(await code()).toBeUndefined()
  await database.inScope(SYSTEM, tx => tx.updateTable('users').set({ enabled: false }).where('uid', '=', uid).execute())
  expect(await code()).toBe('UNAUTHENTICATED')
})

test('figure 2: every field of both APIs answers a foreign row and a missing one byte for byte alike', async () => {
  const missingUid = '00000000-0000-7000-8000-000000000000'
  const { b, users } = system.rows
  const nothing = rowsOfNothing(b)
  const differ: string[] = []
  let compared = 0
  for (const api of ['insight', 'iam'] as const) {
    const schema = api === 'insight' ? system.dependencies.insightSchema : system.dependencies.iamSchema
    for (const { kind, field } of rootFields(schema)) {
      if (field.name === 'startViewAs') continue
      for (const identity of ['insight:publisher_admin', 'insight:publisher_editor'] as const) {
        await system.dependencies.database.inScope(SYSTEM, tx => tx.deleteFrom('sentMails').execute())
        const token = await system.tokenOf(system.rows.users[identity].email)
        const missing = operation(field, kind, nothing, missingUid, true)
        const absent = await system.ask(api, missing.query, token, missing.variables)
        // What succeeds with ids of nothing does not look at them.
        const isDone = kind === 'mutation' && absent.json.errors === undefined
        const foreign = operation(field, kind, b, users.ofB.uid, true)
        const other = await system.ask(api, foreign.query, token, foreign.variables)
        if (isDone && other.json.errors === undefined) continue
        compared += 1
        if (other.text !== absent.text || other.status !== absent.status)
          differ.push(`${field.name} × ${identity}: ${other.text.slice(0, 300)} ≠ ${absent.text.slice(0, 300)}`)
      }
    }
  }
  console.warn(`foreign row = missing row: ${compared} pairs compared`)
  expect(differ).toEqual([])
  expect(compared).toBeGreaterThanOrEqual(150)
}, 600_000)

test('during a view every mutation of both APIs is refused, and the policies name no right to change', async () => {
  const { users, a } = system.rows
  const staff = await system.tokenOf(users.admin.email)
  const start = 'mutation M($uid: ID!) { startViewAs(uid: $uid, reason: "for the matrix") { uid } }'
  const viewed = users['insight:publisher_admin'].uid
  expect((await system.ask('iam', start, staff, { uid: viewed })).json.errors).toBeUndefined()
  let refused = 0
  for (const api of ['insight', 'iam'] as const) {
    const schema = api === 'insight' ? system.dependencies.insightSchema : system.dependencies.iamSchema
    for (const { kind, field } of rootFields(schema)) {
      // A file of what is shown is noted, with both names; ending the view is how it ends.
      if (kind === 'query' || ['endViewAs', 'noteDownload'].includes(field.name)) continue
      const { query, variables } = operation(field, kind, a, users['insight:publisher_editor'].uid)
      const answer = await system.ask(api, query, staff, variables)
      expect(answer.json.errors?.[0]?.extensions.code, field.name).toBe('FORBIDDEN')
      expect(answer.json.data ?? {}, field.name).not.toHaveProperty(`${field.name}.uid`)
      refused += 1
    }
  }
  console.warn(`during a view: ${refused} mutations refused`)
  const policies = await system.ask('iam', '{ policies { nodes { actions } } }', staff)
  const { nodes } = (policies.json.data as { policies: { nodes: { actions: string[] }[] } }).policies
  expect(nodes.length).toBeGreaterThan(0)
  expect(nodes.flatMap(({ actions }) => actions).filter(action => !action.startsWith('read:'))).toEqual([])
  expect((await system.ask('iam', 'mutation { endViewAs }', staff)).json.data).toEqual({ endViewAs: true })
})
