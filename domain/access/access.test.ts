import { sampleOr } from '@pc/testing/sample-size.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayKeyAsk } from '../api-key/api-key.ts'
import { GRANULAR_ACTIONS, type GranularAction } from './action.ts'
import { clientAllows, clientPolicy, policyRow } from './client-policy.ts'
import { covers, decide, isPermit, type RowFacts } from './decide.ts'
import { RESOURCE_NAMES, type ResourceName } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'
import { isOfPublisher, isStaff, roleRows, rolesOf } from './role-duties.ts'
import { GRANTS_OF_ROLE, type Grant, grantsFor } from './role-policies.ts'
import { MONEY_ROLES, WATCHED_ROLES } from './role-rank.ts'
import { STAFF_ONLY_FIELDS } from './staff-only-fields.ts'
import { type Viewer, viewerScope } from './viewer-scope.ts'

const LAUNCHER_PREFIXES = ['iam:', 'insight:', 'coupon:', 'video:', 'article:']
const anyRoles = fc.subarray([...ROLES])
const anyAction = fc.constantFrom(...GRANULAR_ACTIONS)
const anyResource = fc.constantFrom(...RESOURCE_NAMES)
const anyOrganization = fc.constantFrom(null, 1n, 2n)
const anyRow: fc.Arbitrary<RowFacts> = fc.record(
  {
    uid: fc.constantFrom('me', 'other'),
    organizationId: fc.constantFrom(1n, 2n, 3n),
    isOfOwnAgreement: fc.boolean(),
    hasBeenFinalized: fc.boolean(),
    isPublishedToViewer: fc.boolean(),
  },
  { requiredKeys: [] },
)

function viewer(roles: readonly Role[], organizationId: bigint | null = 1n): Viewer {
  const scope = viewerScope('me', roles, organizationId)
  return { uid: 'me', email: 'me@example.jp', roles, organizationId, scope }
}

function clientPolicies(roles: readonly Role[]) {
  return [
    ...grantsFor([]).map(grant => clientPolicy(policyRow(grant, null))),
    ...roles.flatMap(role => (GRANTS_OF_ROLE.get(role) ?? []).map(grant => clientPolicy(policyRow(grant, role)))),
  ]
}

/**
 * The permission table for reviewers (L list, S show, C create, U update, D delete; ORG own organisation, AGR own
 * agreements, FIN finalised, PUB published and addressed). It is written by hand and evaluated by rules of its own.
 */
const DOCUMENT = `
resource                   | admin | editor | viewer   | publisher_admin | publisher_editor
agreement                  | LSCU  | LSCU   | LS       | LS ORG          | LS AGR
agreement_publisher_rule   | LSCU  | LSCU   | LS       | LS ORG          |
opening_balance            | LSCUD | LS     | LS       |                 |
publisher                  | LSCU  | LSCU   | LS       | LS ORG          | LS AGR
feed                       | LSCUD | LSCU   | LS       | LS ORG          | LS AGR
medium                     | LSCU  | LS     | LS       |                 |
medium_article             | LSD   | LSD    | LS       | LSD ORG         | LSD AGR
agreement_snapshot         | LS    | LS     | LS       | LS FIN ORG      | LS FIN AGR
monthly_payment            | LSU   | LS     | LS       | LS FIN ORG      | LS FIN AGR
monthly_publisher_payment  | LS    | LS     | LS       | LS FIN ORG      | LS FIN AGR
rule_snapshot              | LS    | LS     | LS       | S FIN ORG       |
statement                  | LSCU  | LSU    | LS       | LSU FIN ORG     |
announcement               | LSCUD | LSCU   | LS       | LS PUB          | LS PUB
publisher_rank             | L     | L      | L        |                 |
bank_account               | LSCU  | LSC    | L        | LSC ORG         |
agreement_bank_account     | LSCU  | LSCU   | LS       | LS ORG          |
summary_stats              | LS    | LS     | LS       | LS ORG          | LS AGR
article_stats              | LS    | LS     | LS       | LS ORG          | LS AGR
video_stats                | LS    | LS     | LS       | LS ORG          | LS AGR
board                      | LSCUD | LSCUD  | LSCUD    | LSCUD ORG       | LSCUD AGR
annotation                 | LSCUD | LSCUD  | LSCUD    | LSCUD ORG       | LSCUD AGR
question                   | LSU   | LSU    | LS       | LSCU ORG        | LSCU AGR
answer_template            | LSCUD | LSCUD  | LS       |                 |
legal_hold                 | LSCU  | L      | L        |                 |
import                     | LSC   |        |          |                 |
webhook                    | LSCUD |        |          | LSCUD ORG       |
api_key                    | LD    |        |          | LCD ORG         |
payment_rate               | LSCU  | LSCU   | LS       | S ORG           |
revenue_detail             | LS    | LS     | LS       |                 |
ingest                     | C     |        |          |                 |
in_house_field             | LSCU  | LSU    | LS       |                 |
in_house_note              | LSCU  | LSCU   | LS       |                 |
dividend                   | LSCUD | LSC    | L        |                 |
iam:user                   | LS    |        |          | LSCUD ORG       |
iam:org                    | LS    |        |          | S ORG           |
iam:user_role              |       |        |          | L               |
iam:view_as                | C     |        |          |                 |
`
const OTHER_ROLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'iam:admin': {
    'iam:user': 'LSCUD',
    'iam:org': 'LSCUD',
    'iam:user_role': 'LSU',
    'iam:audit_log': 'L',
    'iam:view_as': 'C',
  },
  'iam:viewer': { 'iam:user': 'LS', 'iam:org': 'LS', 'iam:user_role': 'L' },
  'coupon:admin': { 'coupon:coupon': 'LSCUD', 'coupon:brand': 'LSCUD' },
  'coupon:editor': { 'coupon:coupon': 'LSCU', 'coupon:brand': 'LS' },
  'coupon:brand_admin': { 'coupon:coupon': 'LSCU ORG', 'coupon:brand': 'SU ORG' },
  'video:admin': { 'video:video': 'LSCUD', 'video:channel': 'LSCUD' },
  'video:publisher_admin': { 'video:video': 'LSCU ORG', 'video:channel': 'S ORG' },
  'article:admin': { 'article:article': 'LSCUD' },
  'article:publisher_admin': { 'article:article': 'LSCUD ORG' },
}
/** Rows of insight data and duties of each role. Roles that are missing see no rows and have no duties. */
const PEOPLE = `
role                     | rows         | duties
admin                    | all          |
insight:admin            | all          | reads answers administers
insight:editor           | all          | reads answers
insight:viewer           | all          | reads
insight:publisher_admin  | organization | reads administers
insight:publisher_editor | agreements   | reads
`
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
const [HEADER = [], ...LINES] = linesOf(DOCUMENT)

function documentCell(role: string, resource: string): string {
  const name = resource.replace(/\.$/, '')
  if (role === 'admin') return 'LSCUD'
  if (!role.startsWith('insight:')) return OTHER_ROLES[role]?.[name] ?? ''
  const line = LINES.find(([first = '']) => (first.includes(':') ? first : `insight:${first}`) === name)
  return line?.[HEADER.indexOf(role.slice('insight:'.length))] ?? ''
}

/** Allows when a cell has the letter and the row meets all its conditions; everybody may show the own user. */
function oracle(who: Viewer, action: string, resource: string, row: RowFacts): boolean {
  if (action === 'read:show' && resource === 'iam:user.' && row.uid === who.uid) return true
  const code = { 'read:list': 'L', 'read:show': 'S', 'write:create': 'C', 'write:update': 'U', 'write:delete': 'D' }[
    action
  ]
  return who.roles.some(role => {
    const [codes = '', ...words] = documentCell(role, resource).split(' ')
    if (code === undefined || !codes.includes(code)) return false
    if (words.includes('ORG') && (who.organizationId === null || row.organizationId !== who.organizationId))
      return false
    if (words.includes('AGR') && row.isOfOwnAgreement !== true) return false
    if (words.includes('FIN') && row.hasBeenFinalized !== true) return false
    return !words.includes('PUB') || row.isPublishedToViewer === true
  })
}

/** Whether the row can exist: an own agreement and the own user belong to the own organisation. */
function canExist(row: RowFacts, who: Viewer): boolean {
  const isOwn = row.isOfOwnAgreement === true || row.uid === who.uid
  return !isOwn || (row.organizationId ?? null) === who.organizationId
}

describe('the table', () => {
  test('gives every role something, and the global administrator every action on every resource', () => {
    for (const role of ROLES) expect(GRANTS_OF_ROLE.get(role)?.length, role).toBeGreaterThan(0)
    for (const resource of RESOURCE_NAMES) {
      for (const action of GRANULAR_ACTIONS) expect(decide(viewer(['admin']), action, resource)?.scope.kind).toBe('all')
    }
  })
  test('spot checks of cells by hand', () => {
    const cell = (role: Role, resource: ResourceName) =>
      GRANULAR_ACTIONS.filter(action => decide(viewer([role]), action, resource)).join(' ')
    expect(cell('insight:editor', 'insight:feed.')).toBe('read:list read:show write:create write:update')
    expect(cell('insight:viewer', 'insight:bank_account.')).toBe('read:list')
    expect(cell('insight:publisher_editor', 'insight:bank_account.')).toBe('')
    expect(cell('insight:publisher_admin', 'insight:rule_snapshot.')).toBe('read:show')
    expect(cell('insight:publisher_admin', 'iam:user.')).toBe(
      'read:list read:show write:create write:update write:delete',
    )
    expect(cell('insight:editor', 'iam:user.')).toBe('read:show') // the own user, which needs no role
    expect(decide(viewer(['insight:editor']), 'read:show', 'iam:user.')?.scope).toEqual({ kind: 'self', uid: 'me' })
    expect(decide(viewer(['insight:publisher_admin']), 'read:list', 'insight:monthly_payment.')).toMatchObject({
      onlyFinalized: true,
      scope: { kind: 'organization', organizationId: 1n },
    })
    expect(decide(viewer(['insight:viewer']), 'read:list', 'insight:bank_account.')?.isMasked).toBe(true)
    expect(decide(viewer(['insight:admin']), 'read:list', 'insight:bank_account.')?.isMasked).toBe(false)
  })
  test('holds for each action on a resource only grants that contain one another, so that the widest is the union', () => {
    const isWithin = (a: Set<string>, b: Set<string>) => [...a].every(one => b.has(one))
    const rows = (grant: Grant): Set<string> => {
      const conditions = new Set<string>(grant.conditions)
      if (conditions.has('own-agreements')) conditions.add('own-organization')
      if (conditions.has('own-user')) conditions.add('own-organization')
      if (grant.isMasked) conditions.add('masked')
      return conditions
    }
    for (const resource of RESOURCE_NAMES) {
      for (const action of GRANULAR_ACTIONS) {
        const grants = grantsFor([...ROLES]).filter(one => one.resource === resource && one.actions.includes(action))
        for (const a of grants) {
          for (const b of grants) expect(isWithin(rows(a), rows(b)) || isWithin(rows(b), rows(a)), resource).toBe(true)
        }
      }
    }
  })
  test('staff-only fields are for staff: no publisher role has their right', () => {
    for (const [field, { allow, on }] of Object.entries(STAFF_ONLY_FIELDS)) {
      for (const role of ROLES.filter(name => isOfPublisher([name]) || name.includes('publisher_'))) {
        expect(decide(viewer([role]), allow, on), `${field} ${role}`).toBeUndefined()
      }
      expect(decide(viewer(['insight:viewer']), allow, on), field).toBeDefined()
    }
  })
})

describe('whose a role is', () => {
  const lineOf = (role: Role) => linesOf(PEOPLE).find(([name]) => name === role) ?? []
  test.each(ROLES)('%s: its rows and duties', role => {
    const [, rows = '', duties = ''] = lineOf(role)
    const scope = { '': 'self', all: 'all', organization: 'organization', agreements: 'agreements' }[rows]
    expect(viewerScope('me', [role], 1n).kind).toBe(scope)
    const side = rows === '' ? 'other service' : rows === 'all' ? 'staff' : 'publisher'
    expect([isStaff([role]), isOfPublisher([role])]).toEqual([side === 'staff', side === 'publisher'])
    expect(roleRows().find(({ name }) => name === role)?.side).toBe(side)
    for (const other of ['staff', 'publisher', 'other service'] as const) {
      expect(rolesOf(other).includes(role), other).toBe(other === side)
      for (const duty of ['reads', 'answers', 'administers'] as const)
        expect(rolesOf(other, duty).includes(role), `${other} ${duty}`).toBe(other === side && duties.includes(duty))
    }
  })
  test('nobody is written down who does not exist', () => {
    const names = linesOf(PEOPLE).slice(1)
    expect(ROLES.filter(role => names.some(([name]) => name === role))).toHaveLength(names.length)
    expect(HEADER.slice(1).filter(name => !ROLES.some(role => role === `insight:${name}`))).toEqual([])
  })
  test('who writes accounts, rates, adjustments, payments, opening balances or statements moves money; they and administrators of people are watched', () => {
    const money = [
      'bank_account',
      'agreement_bank_account',
      'dividend',
      'monthly_payment',
      'opening_balance',
      'payment_rate',
      'statement',
    ]
    const moves = (role: Role) =>
      money.some(name => /[CUD]/.test(documentCell(role, `insight:${name}`).split(' ')[0] ?? ''))
    expect(MONEY_ROLES).toEqual(ROLES.filter(moves))
    expect(WATCHED_ROLES).toEqual(ROLES.filter(role => role === 'iam:admin' || moves(role)))
  })
  test('rows are granted within those that the role sees', () => {
    for (const role of ROLES) {
      const { kind } = viewerScope('me', [role], 1n)
      for (const grant of (GRANTS_OF_ROLE.get(role) ?? []).filter(one => one.resource.startsWith('insight:'))) {
        const needed =
          kind === 'organization' ? 'own-organization' : kind === 'agreements' ? 'own-agreements' : undefined
        if (grant.resource !== 'insight:announcement.')
          expect(
            grant.conditions.filter(one => one.startsWith('own-')),
            `${role} ${grant.resource}`,
          ).toEqual(needed ? [needed] : [])
        expect(kind, `${role} ${grant.resource}`).not.toBe('self')
      }
    }
  })
})

describe('names', () => {
  test('no resource name contains another, nor the launcher prefix of another service', () => {
    for (const name of RESOURCE_NAMES) {
      expect(name).toMatch(/^[a-z]+:[a-z_]+\.$/)
      expect(RESOURCE_NAMES.filter(other => other !== name && name.includes(other))).toEqual([])
      expect(LAUNCHER_PREFIXES.filter(prefix => name.includes(prefix))).toEqual([name.slice(0, name.indexOf(':') + 1)])
    }
  })
  test('granted actions are granular', () => {
    for (const grants of GRANTS_OF_ROLE.values()) {
      for (const action of grants.flatMap(grant => grant.actions)) expect(GRANULAR_ACTIONS).toContain(action)
    }
  })
})

describe('the strict evaluator', () => {
  test('equals an independent oracle in random comparisons', () => {
    fc.assert(
      fc.property(anyRoles, anyAction, anyResource, anyOrganization, anyRow, (roles, action, resource, org, row) => {
        const who = viewer(roles, org)
        fc.pre(canExist(row, who))
        const permit = decide(who, action, resource)
        expect(permit !== undefined && covers(permit, row)).toBe(oracle(who, action, resource, row))
      }),
      { numRuns: sampleOr(20_000, 100_000) },
    )
  })
  test('equals it for every pair of roles in either order, action, resource and kind of row', () => {
    const own = { organizationId: 1n, uid: 'other' }
    const rows: RowFacts[] = [
      {},
      { organizationId: 2n, hasBeenFinalized: true, isPublishedToViewer: true },
      own,
      { ...own, hasBeenFinalized: true },
      { ...own, isPublishedToViewer: true },
      { ...own, isOfOwnAgreement: true },
      { ...own, isOfOwnAgreement: true, hasBeenFinalized: true, isPublishedToViewer: true },
      { ...own, uid: 'me' },
    ]
    const wrong: string[] = []
    for (const first of ROLES) {
      for (const second of ROLES) {
        const who = viewer([first, second])
        for (const resource of RESOURCE_NAMES) {
          for (const action of GRANULAR_ACTIONS) {
            const permit = decide(who, action, resource)
            for (const [n, row] of rows.entries()) {
              const answer = permit === undefined ? false : covers(permit, row)
              if (answer !== oracle(who, action, resource, row))
                wrong.push(`${first} ${second} ${action} ${resource} ${n}`)
            }
          }
        }
      }
    }
    expect(wrong).toEqual([])
  })
  test('narrows what a program asks by its key to what the key reads, and never adds to its maker', () => {
    const wrong: string[] = []
    for (const role of ROLES) {
      const maker = viewer([role])
      for (const scopes of [[], ['reports'], ['payments'], ['reports', 'payments']] as const) {
        const program: Viewer = { ...maker, apiKey: { id: 1n, scopes } }
        for (const resource of RESOURCE_NAMES) {
          for (const action of GRANULAR_ACTIONS) {
            const mayMaker = decide(maker, action, resource) !== undefined
            const isExpected = mayMaker && mayKeyAsk(scopes, action, resource)
            if ((decide(program, action, resource) !== undefined) !== isExpected)
              wrong.push(`${role} [${scopes.join()}] ${action} ${resource}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
    const key = { ...viewer(['insight:publisher_admin']), apiKey: { id: 1n, scopes: ['reports'] as const } }
    expect(decide(key, 'read:list', 'insight:summary_stats.')).toBeDefined()
    expect(decide(key, 'read:list', 'insight:monthly_payment.')).toBeUndefined()
    expect(decide(key, 'write:create', 'insight:question.')).toBeUndefined()
  })
  test('shortens account numbers unless one of the roles may read them in full', () => {
    const inFull: readonly Role[] = ['admin', 'insight:admin', 'insight:editor']
    for (const first of ROLES) {
      for (const second of ROLES) {
        const permit = decide(viewer([first, second]), 'read:list', 'insight:bank_account.')
        const isMasked = permit && !inFull.includes(first) && !inFull.includes(second)
        expect(permit?.isMasked, `${first} ${second}`).toBe(isMasked)
      }
    }
  })
  test('denies whatever is empty, unknown, or only similar', () => {
    const admin = viewer(['admin'])
    const wrongActions = ['', '*', 'read', 'write', 'read:', 'READ:LIST', 'read:list ', undefined, null, '__proto__']
    const wrongResources = [
      '',
      '*',
      'insight:',
      'insight:agreement',
      'agreement.',
      'Insight:agreement.',
      undefined,
      null,
    ]
    for (const action of wrongActions)
      expect(decide(admin, action as GranularAction, 'insight:agreement.')).toBeUndefined()
    for (const resource of wrongResources) expect(decide(admin, 'read:list', resource as ResourceName)).toBeUndefined()
    fc.assert(
      fc.property(fc.string(), fc.string(), (action, resource) => {
        expect(decide(admin, action as GranularAction, resource as ResourceName)).toBeUndefined()
      }),
    )
    expect(
      decide(viewer(['__proto__' as Role, 'insight:Admin' as Role]), 'read:list', 'insight:agreement.'),
    ).toBeUndefined()
  })
  test('covers no row when the condition names something that the viewer does not have', () => {
    expect(decide(viewer(['insight:publisher_admin'], null), 'read:list', 'insight:agreement.')).toBeUndefined()
  })
  test('permits cannot be written by hand', () => {
    const permit = decide(viewer(['admin']), 'read:list', 'insight:agreement.')
    expect(isPermit(permit)).toBe(true)
    expect(isPermit({ ...permit })).toBe(false)
    expect(isPermit(Object.create(permit as object))).toBe(false)
    const { constructor: Issued } = Object.getPrototypeOf(permit)
    const [grant] = GRANTS_OF_ROLE.get('admin') ?? []
    const forge = () =>
      new Issued(Symbol('decide'), 'read:list', 'insight:agreement.', permit?.viewer, permit?.scope, grant)
    expect(forge).toThrow('only decide() makes permits')
    expect(() => Object.assign(permit as object, { scope: { kind: 'all' } })).toThrow(TypeError)
    // @ts-expect-error a permit has a private part, so an object literal is not one
    expect(covers({ ...permit }, {})).toBe(false)
  })
})

describe('the client evaluator', () => {
  test('shows whatever the strict one allows', () => {
    fc.assert(
      fc.property(anyRoles, anyAction, anyResource, (roles, action, resource) => {
        const policies = clientPolicies(roles)
        fc.pre(decide(viewer(roles), action, resource) !== undefined)
        expect(clientAllows(policies, action, resource)).toBe(true)
        expect(clientAllows(policies, action.split(':')[0] ?? '', resource)).toBe(true)
        expect(clientAllows(policies, action, `${resource.split(':')[0]}:`)).toBe(true)
      }),
      { numRuns: sampleOr(20_000, 100_000) },
    )
  })
  test('shows nothing more, for granular actions and whole names', () => {
    fc.assert(
      fc.property(anyRoles, anyAction, anyResource, (roles, action, resource) => {
        expect(clientAllows(clientPolicies(roles), action, resource)).toBe(
          decide(viewer(roles), action, resource) !== undefined,
        )
      }),
      { numRuns: sampleOr(20_000, 100_000) },
    )
  })
  test('follows the substring rules of the specification', () => {
    const policies = [{ actions: ['read:list'], resources: [{ name: 'insight:feed.' }] }]
    expect(clientAllows(policies, 'read', 'insight:')).toBe(true)
    expect(clientAllows(policies, 'read:list', 'feed')).toBe(true)
    expect(clientAllows(policies, 'read:show', 'insight:feed.')).toBe(false)
    expect(clientAllows([{ actions: ['*'], resources: [{ name: 'x' }] }], 'write:delete', 'x')).toBe(true)
    expect(clientAllows(policies, '', 'insight:feed.')).toBe(false)
    expect(clientAllows(policies, 'read:list', '')).toBe(false)
  })
})

describe('the row of a policy', () => {
  const rowOf = (role: Role, resource: ResourceName) =>
    (GRANTS_OF_ROLE.get(role) ?? []).filter(grant => grant.resource === resource).map(grant => policyRow(grant, role))
  test('says its same-condition key and value', () => {
    const condition = (role: Role, resource: ResourceName) =>
      rowOf(role, resource).map(({ conditionKey, conditionValue }) => [conditionKey, conditionValue])
    expect(condition('insight:viewer', 'insight:agreement.')).toEqual([[null, null]])
    expect(condition('insight:publisher_admin', 'insight:agreement.')).toEqual([['organizationId', 'own']])
    expect(condition('insight:publisher_editor', 'insight:agreement.')).toEqual([['agreementId', 'own']])
    expect(condition('insight:publisher_admin', 'insight:monthly_payment.')).toEqual([
      ['hasBeenFinalized,organizationId', 'true,own'],
    ])
    expect(condition('insight:publisher_editor', 'insight:announcement.')).toEqual([['isPublished', 'true']])
    expect(grantsFor([]).map(grant => policyRow(grant, null))).toEqual([
      { actions: ['read:show'], resourceName: 'iam:user.', conditionKey: 'uid', conditionValue: 'own' },
    ])
  })
  test('gives the global administrator the wildcard, and nobody else', () => {
    for (const role of ROLES) {
      const actions = (GRANTS_OF_ROLE.get(role) ?? []).flatMap(grant => policyRow(grant, role).actions)
      expect(actions.includes('*'), role).toBe(role === 'admin')
      expect(actions).not.toContain('')
    }
  })
  test('is what the client keeps', () => {
    const [row] = rowOf('insight:publisher_admin', 'insight:agreement.')
    expect(row && clientPolicy(row)).toEqual({
      actions: ['read:list', 'read:show'],
      resources: [{ name: 'insight:agreement.', sameConditionKey: 'organizationId', sameConditionValue: 'own' }],
    })
    const two = [
      {
        actions: ['read:list', 'write:update'],
        resources: [{ name: 'insight:feed.' }, { name: 'insight:agreement.' }],
      },
    ]
    expect(clientAllows(two, 'write:update', 'insight:agreement.')).toBe(true)
    expect(clientAllows(two, 'write:delete', 'insight:agreement.')).toBe(false)
  })
})

describe('the scope of a viewer', () => {
  test('is the union of the roles', () => {
    expect(viewerScope('me', [], 1n)).toEqual({ kind: 'self', uid: 'me' })
    expect(viewerScope('me', ['iam:admin', 'coupon:admin'], 1n)).toEqual({ kind: 'self', uid: 'me' })
    expect(viewerScope('me', ['insight:publisher_editor'], 1n)).toEqual({
      kind: 'agreements',
      uid: 'me',
      organizationId: 1n,
    })
    expect(viewerScope('me', ['insight:publisher_editor', 'insight:publisher_admin'], 1n).kind).toBe('organization')
    expect(viewerScope('me', ['insight:publisher_editor', 'insight:publisher_admin'], null).kind).toBe('agreements')
    expect(viewerScope('me', ['insight:publisher_editor', 'insight:viewer'], 1n)).toEqual({ kind: 'all' })
  })
})
