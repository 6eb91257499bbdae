import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refuseSecondAdministrator } from './account-change.ts'
import { ROLES, type Role } from './role.ts'
import { rolesOf } from './role-duties.ts'
import { GRANTS_OF_ROLE } from './role-policies.ts'
import { MONEY_ROLES, mayBeImpersonated, mayManage, rolesGivenBy, rolesTakenBy } from './role-rank.ts'
import { SECOND_FACTOR_ROLES } from './second-factor.ts'
import { type Person, refuseChange, refuseRoles } from './user-changes.ts'

const person = (uid: string, roles: readonly Role[], enabled = true): Person => ({
  uid,
  roles,
  enabled,
  organizationId: 1n,
})
const anyRoles = fc.subarray([...ROLES])
const many = { ofSystem: 3, ofOrganization: 3 }

describe('rank', () => {
  test('nobody gives a role that nobody above gave: what somebody may give contains what they may manage', () => {
    fc.assert(
      fc.property(anyRoles, anyRoles, (actor, target) => {
        if (mayManage(actor, target)) expect(target.every(role => rolesGivenBy(actor).includes(role))).toBe(true)
        if (!actor.includes('admin')) {
          expect(rolesGivenBy(actor)).not.toContain('admin')
          expect(mayManage(actor, [...target, 'admin'])).toBe(false)
        }
        if (!actor.includes('admin') && !actor.includes('iam:admin'))
          expect(rolesGivenBy(actor).every(role => rolesOf('publisher').includes(role))).toBe(true)
      }),
    )
  })
  test('each role gives exactly these', () => {
    const ofPublishers = rolesOf('publisher')
    expect(ofPublishers).toEqual(expect.arrayContaining(['insight:publisher_admin', 'insight:publisher_editor']))
    for (const role of ROLES) {
      const expected =
        role === 'admin'
          ? ROLES
          : role === 'iam:admin'
            ? ROLES.filter(other => other !== 'admin')
            : role === 'insight:publisher_admin'
              ? ofPublishers
              : []
      expect(rolesGivenBy([role]), role).toEqual(expected)
    }
    expect(rolesGivenBy([])).toEqual([])
    expect(rolesGivenBy(['insight:publisher_admin', 'iam:admin'])).toHaveLength(ROLES.length - 1)
  })
  test('somebody manages whom all roles could be given to; who gives none manages nobody', () => {
    expect(mayManage(['iam:admin'], ['insight:admin', 'coupon:admin'])).toBe(true)
    expect(mayManage(['insight:publisher_admin'], ['insight:publisher_editor'])).toBe(true)
    expect(mayManage(['insight:publisher_admin'], [])).toBe(true)
    expect(mayManage(['insight:publisher_admin'], ['insight:publisher_editor', 'coupon:editor'])).toBe(false)
    expect(mayManage(['insight:admin'], [])).toBe(false)
  })
  test('a refusal says at which field, and which role', () => {
    expect(refuseRoles({ roles: ['iam:admin'] }, ['iam:viewer', 'admin'], 1n)).toEqual({
      code: 'user/role-not-allowed',
      path: ['roles'],
      data: { role: 'admin' },
    })
    expect(refuseRoles({ roles: ['admin'] }, [], 1n, ['input', 'roles'])?.path).toEqual(['input', 'roles'])
    const withoutOrganization = refuseRoles({ roles: ['admin'] }, ['insight:viewer', 'insight:publisher_admin'], null)
    expect(withoutOrganization).toMatchObject({ code: 'user/role-needs-organization', path: ['roles'] })
    expect(refuseRoles({ roles: ['admin'] }, ['insight:viewer'], null)).toBeUndefined()
  })
  test('a publisher administrator gives roles of a publisher only, others nothing', () => {
    expect(refuseRoles({ roles: ['insight:publisher_admin'] }, ['insight:publisher_editor'], 1n)).toBeUndefined()
    expect(refuseRoles({ roles: ['insight:publisher_admin'] }, ['insight:viewer'], 1n)?.code).toBe(
      'user/role-not-allowed',
    )
    expect(refuseRoles({ roles: ['insight:admin'] }, ['insight:viewer'], 1n)?.code).toBe('user/role-not-allowed')
    expect(refuseRoles({ roles: ['iam:admin'] }, ['admin'], 1n)?.code).toBe('user/role-not-allowed')
    expect(refuseRoles({ roles: ['admin'] }, ['insight:publisher_admin'], null)?.code).toBe(
      'user/role-needs-organization',
    )
    expect(refuseRoles({ roles: ['admin'] }, [], 1n)?.code).toBe('user/roles-required')
  })
  test('only people of publishers are viewed as', () => {
    expect(mayBeImpersonated(['insight:publisher_editor'])).toBe(true)
    expect(mayBeImpersonated(['insight:publisher_editor', 'insight:viewer'])).toBe(false)
    expect(mayBeImpersonated([])).toBe(false)
  })
})

describe('changes of people', () => {
  test('the last administrator of the system stays one, no matter from whom the change comes, and how', () => {
    const last = person('a', ['admin'])
    const none = { ofSystem: 0, ofOrganization: 0 }
    for (const next of [
      undefined,
      { roles: ['iam:admin'] as const, enabled: true },
      { roles: ['admin'] as const, enabled: false },
    ])
      expect(refuseChange(person('b', ['admin']), last, next, none)?.code).toBe('user/last-administrator')
    expect(refuseChange(last, last, { roles: ['admin', 'iam:viewer'], enabled: true }, none)).toBeUndefined()
    expect(refuseChange(last, last, { roles: ['iam:admin'], enabled: true }, many)).toBeUndefined()
  })
  test('the last administrator of an organisation cannot remove or demote itself; staff may', () => {
    const last = person('a', ['insight:publisher_admin'])
    const none = { ofSystem: 1, ofOrganization: 0 }
    for (const next of [undefined, { roles: ['insight:publisher_editor'] as const, enabled: true }])
      expect(refuseChange(last, last, next, none)?.code).toBe('user/last-organization-administrator')
    expect(refuseChange(last, last, { roles: ['insight:publisher_editor'], enabled: true }, many)).toBeUndefined()
    expect(refuseChange(person('b', ['admin']), last, undefined, none)).toBeUndefined()
  })
  test('nobody disables or deletes oneself, and nobody touches a higher rank', () => {
    const admin = person('a', ['admin'])
    expect(refuseChange(admin, admin, undefined, many)?.code).toBe('user/not-oneself')
    expect(refuseChange(person('b', ['iam:admin']), admin, undefined, many)?.code).toBe('user/rank-too-high')
    expect(
      refuseChange(person('b', ['insight:publisher_admin']), person('c', ['insight:viewer']), undefined, many)?.code,
    ).toBe('user/rank-too-high')
  })
  test('nobody takes a role that moves money: not even who may give it to others', () => {
    expect(MONEY_ROLES).toEqual(
      expect.arrayContaining(['admin', 'insight:admin', 'insight:editor', 'insight:publisher_admin']),
    )
    expect(SECOND_FACTOR_ROLES).toEqual(ROLES.filter(role => role === 'iam:admin' || MONEY_ROLES.includes(role)))
    fc.assert(
      fc.property(anyRoles, anyRoles, (before, next) => {
        const me = person('a', before)
        const mine = rolesTakenBy(before)
        const gained = next.some(role => !before.includes(role) && (MONEY_ROLES.includes(role) || !mine.includes(role)))
        const no = refuseChange(me, me, { roles: next, enabled: true }, many)
        if (gained) expect(no).toBeDefined()
        else if (mayManage(before, before)) expect(no).toBeUndefined()
      }),
    )
    const admin = person('a', ['admin'])
    expect(refuseChange(admin, admin, { roles: ['admin', 'insight:admin'], enabled: true }, many)).toEqual({
      code: 'user/own-money-role',
      path: ['roles'],
      data: { role: 'insight:admin' },
    })
    expect(refuseChange(admin, person('b', []), { roles: ['insight:admin'], enabled: true }, many)).toBeUndefined()
    expect(refuseChange(admin, admin, { roles: ['admin', 'coupon:editor'], enabled: true }, many)).toBeUndefined()
  })
  test('nobody takes a role that they do not hold; what they have already stays', () => {
    const wants = (had: readonly Role[], role: Role) =>
      refuseChange(person('a', had), person('a', had), { roles: [...had, role], enabled: true }, many)?.code
    expect(wants(['iam:admin'], 'insight:viewer')).toBe('user/role-not-allowed')
    expect(wants(['iam:admin'], 'article:admin')).toMatch(/^user\//)
    expect(wants(['iam:admin'], 'iam:viewer')).toBeUndefined()
    expect(wants(['iam:admin', 'insight:viewer'], 'iam:viewer')).toBeUndefined()
    expect(wants(['admin'], 'coupon:editor')).toBeUndefined()
  })
  test('nobody gains a right by taking a role: all of it was allowed before', () => {
    for (const role of ROLES) {
      const own = GRANTS_OF_ROLE.get(role) ?? []
      for (const taken of rolesTakenBy([role])) {
        for (const { resource, actions } of GRANTS_OF_ROLE.get(taken) ?? []) {
          const may = own.filter(grant => grant.resource === resource).flatMap(grant => grant.actions)
          expect(may, `${role} takes ${taken}: ${resource}`).toEqual(expect.arrayContaining([...actions]))
        }
      }
    }
  })
  test('each role takes exactly these, and nothing more together with others', () => {
    for (const role of ROLES) {
      const expected =
        role === 'admin'
          ? ROLES
          : role === 'iam:admin'
            ? ['iam:admin', 'iam:viewer']
            : role === 'insight:publisher_admin'
              ? expect.arrayContaining(['insight:publisher_admin', 'insight:publisher_editor'])
              : []
      expect(rolesTakenBy([role]), role).toEqual(expected)
    }
    // The right to give every role and many rights of one's own are not enough together.
    expect(rolesTakenBy(['iam:admin', 'insight:admin'])).toEqual(['iam:admin', 'iam:viewer', 'insight:admin'])
    expect(rolesTakenBy(['insight:admin', 'insight:publisher_admin'])).not.toContain('insight:viewer')
    expect(rolesTakenBy([])).toEqual([])
  })
  test('a second administrator is another one, not the person, and no new one', () => {
    const change = { uid: 'target', requestedByUid: 'first' }
    const actor = (uid: string, establishedRoles: readonly Role[]) => ({ uid, establishedRoles })
    const refuse = (who: ReturnType<typeof actor>, target: readonly Role[] = ['insight:viewer']) =>
      refuseSecondAdministrator(who, change, target)?.code
    expect(refuse(actor('first', ['admin']))).toBe('account-change/own-request')
    expect(refuse(actor('target', ['admin']))).toBe('account-change/own-account')
    expect(refuse(actor('second', []))).toBe('account-change/new-administrator')
    expect(refuse(actor('second', ['iam:admin']), ['admin'])).toBe('account-change/new-administrator')
    expect(refuse(actor('second', ['iam:admin']))).toBeUndefined()
    const requested = (requesterRoles: readonly Role[]) =>
      refuseSecondAdministrator(actor('second', ['iam:admin']), { ...change, requesterRoles }, ['insight:viewer'])?.code
    expect(requested([])).toBe('account-change/new-requester')
    expect(requested(['iam:admin'])).toBeUndefined()
  })
  test('who is disabled already is no administrator that could be the last', () => {
    const none = { ofSystem: 0, ofOrganization: 0 }
    const disabled = person('a', ['admin'], false)
    expect(refuseChange(person('b', ['admin']), disabled, undefined, none)).toBeUndefined()
    expect(refuseChange(person('b', ['admin']), person('c', ['iam:admin']), undefined, none)).toBeUndefined()
  })
  test('oneself may change the own roles while others remain, and stays enabled', () => {
    const admin = person('a', ['admin'])
    expect(refuseChange(admin, admin, { roles: ['admin'], enabled: false }, many)?.code).toBe('user/not-oneself')
    expect(refuseChange(person('b', ['admin']), admin, { roles: ['admin'], enabled: false }, many)).toBeUndefined()
    const last = person('a', ['insight:publisher_admin'])
    const none = { ofSystem: 1, ofOrganization: 0 }
    const both = ['insight:publisher_admin', 'insight:publisher_editor'] as const
    expect(refuseChange(last, last, { roles: both, enabled: true }, none)).toBeUndefined()
    expect(refuseChange(last, last, { roles: both, enabled: false }, none)?.code).toBe(
      'user/last-organization-administrator',
    )
  })
})
