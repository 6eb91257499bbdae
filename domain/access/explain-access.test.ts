import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GRANULAR_ACTIONS } from './action.ts'
import { covers, decide, type RowFacts } from './decide.ts'
import { explainAccess } from './explain-access.ts'
import { RESOURCE_NAMES } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'
import { grantsFor } from './role-policies.ts'
import { viewerScope } from './viewer-scope.ts'

const user = (roles: readonly Role[], organizationId: bigint | null = 1n, enabled = true) => ({
  uid: 'me',
  email: 'taro@example.jp',
  roles,
  organizationId,
  enabled,
})
const anyRow: fc.Arbitrary<RowFacts> = fc.record(
  {
    uid: fc.constantFrom('me', 'other'),
    organizationId: fc.constantFrom(1n, 2n),
    isOfOwnAgreement: fc.boolean(),
    hasBeenFinalized: fc.boolean(),
    isPublishedToViewer: fc.boolean(),
  },
  { requiredKeys: [] },
)

describe('the explanation', () => {
  test('never says anything else than the decision, and always in one sentence', () => {
    fc.assert(
      fc.property(
        fc.subarray([...ROLES]),
        fc.constantFrom(...GRANULAR_ACTIONS),
        fc.constantFrom(...RESOURCE_NAMES),
        fc.constantFrom(null, 1n),
        fc.option(anyRow, { nil: undefined }),
        (roles, action, resource, organizationId, facts) => {
          const who = user(roles, organizationId)
          const permit = decide({ ...who, scope: viewerScope('me', roles, organizationId) }, action, resource)
          const expected = permit !== undefined && (facts === undefined || covers(permit, facts))
          const row = facts && { id: '12', facts }
          const { isAllowed, sentence } = explainAccess({ user: who, action, resource, row })
          expect(isAllowed).toBe(expected)
          expect(sentence.endsWith(expected ? 'できます。' : sentence.endsWith('）。') ? '）。' : 'できません。')).toBe(
            true,
          )
          expect(sentence.match(/。/g)).toHaveLength(1)
          expect(sentence).not.toContain('undefined')
          expect(sentence).not.toContain('「」')
        },
      ),
      { numRuns: 20_000 },
    )
  })
  test('names a role that is enough alone, or one that is really held', () => {
    const rows: (RowFacts | undefined)[] = [undefined, {}, { organizationId: 1n }, { organizationId: 2n }]
    rows.push({ organizationId: 1n, isOfOwnAgreement: true }, { organizationId: 1n, hasBeenFinalized: true })
    rows.push({ isOfOwnAgreement: true, hasBeenFinalized: true, organizationId: 1n }, { uid: 'me' })
    rows.push({ isPublishedToViewer: true })
    for (const organizationId of [null, 1n]) {
      for (const first of ROLES.filter(role => role.startsWith('i'))) {
        for (const second of ROLES.filter(role => role.startsWith('i'))) {
          const roles = [first, second]
          const who = user(roles, organizationId)
          for (const resource of ['insight:agreement.', 'insight:monthly_payment.', 'iam:user.'] as const) {
            for (const facts of rows) {
              const question = { action: 'read:show', resource, row: facts && { id: '1', facts } } as const
              const { isAllowed, role, conditions } = explainAccess({ user: who, ...question })
              if (role !== null) expect(roles).toContain(role)
              const alone = role === null ? [] : [ROLES.find(one => one === role) ?? 'admin']
              if (isAllowed) {
                const permit = decide(
                  { ...who, roles: alone, scope: viewerScope('me', alone, organizationId) },
                  'read:show',
                  resource,
                )
                expect(permit !== undefined && (facts === undefined || covers(permit, facts)), `${roles} ${role}`).toBe(
                  true,
                )
              }
              const grants = grantsFor(alone).filter(grant => grant.resource === resource)
              if (isAllowed || role !== null) expect(grants.map(grant => grant.conditions)).toContainEqual(conditions)
            }
          }
        }
      }
    }
  })
  test('says what needs no role, what needs an organisation, and nothing of what is not there', () => {
    const own = explainAccess({
      user: user([]),
      action: 'read:show',
      resource: 'iam:user.',
      row: { id: 'me', facts: { uid: 'me' } },
    })
    expect(own).toMatchObject({ isAllowed: true, role: null, conditions: ['own-user'] })
    expect(own.sentence).toContain('サインインしている全員に与えられるポリシー')
    const homeless = explainAccess({
      user: user(['insight:publisher_admin'], null),
      action: 'read:list',
      resource: 'insight:agreement.',
    })
    expect(homeless).toMatchObject({
      isAllowed: false,
      role: 'insight:publisher_admin',
      conditions: ['own-organization'],
    })
    expect(homeless.sentence).toContain('組織に所属していないため')
    const nothing = explainAccess({ user: user(['coupon:admin']), action: 'read:list', resource: 'insight:agreement.' })
    expect(nothing).toMatchObject({ isAllowed: false, role: null, conditions: [] })
  })
  test('names the policy that allows', () => {
    const own = { id: '12', facts: { organizationId: 1n } }
    expect(
      explainAccess({
        user: user(['insight:publisher_admin']),
        action: 'read:show',
        resource: 'insight:agreement.',
        row: own,
      }).sentence,
    ).toBe(
      'taro@example.jpさんは、ロール「パブリッシャーの管理者（insight:publisher_admin）」のポリシーにより、契約「12」を閲覧できます。',
    )
    expect(
      explainAccess({ user: user(['insight:publisher_admin']), action: 'read:list', resource: 'insight:bank_account.' })
        .sentence,
    ).toBe(
      'taro@example.jpさんは、ロール「パブリッシャーの管理者（insight:publisher_admin）」のポリシーにより（条件：所属する組織のもの、口座番号は一部のみ表示）、銀行口座を一覧できます。',
    )
  })
  test('names no limit where there is none', () => {
    const everything = explainAccess({ user: user(['admin']), action: 'read:list', resource: 'insight:bank_account.' })
    expect(everything.sentence).toBe(
      'taro@example.jpさんは、ロール「全体管理者（admin）」のポリシーにより、銀行口座を一覧できます。',
    )
    const limited = explainAccess({
      user: user(['insight:publisher_admin']),
      action: 'read:list',
      resource: 'insight:agreement.',
    })
    expect(limited.sentence).toContain('のポリシーにより（条件：所属する組織のもの）、契約を一覧できます。')
  })
  test('names what a row of announcements, and what a row of people lacks', () => {
    const lacks = (resource: 'insight:announcement.' | 'iam:user.', facts: RowFacts) =>
      explainAccess({
        user: user(resource === 'iam:user.' ? [] : ['insight:publisher_admin']),
        action: 'read:show',
        resource,
        row: { id: '7', facts },
      }).sentence
    expect(lacks('insight:announcement.', { isPublishedToViewer: true })).toContain('できます。')
    expect(lacks('insight:announcement.', { isPublishedToViewer: false })).toContain(
      '条件「公開中で自分に宛てたもの」を満たさないため',
    )
    expect(lacks('iam:user.', { uid: 'me' })).toContain('できます。')
    expect(lacks('iam:user.', { uid: 'other' })).toContain('条件「自分自身」を満たさないため')
  })
  test('of two roles names the one that misses', () => {
    const { isAllowed, sentence } = explainAccess({
      user: user(['insight:publisher_editor', 'insight:publisher_admin']),
      action: 'read:list',
      resource: 'insight:question.',
      row: { id: '12', facts: { isOfOwnAgreement: true } },
    })
    expect(isAllowed).toBe(false)
    expect(sentence).toContain('（insight:publisher_admin）')
    expect(sentence).toContain('条件「所属する組織のもの」を満たさないため')
  })
  test('names the nearest miss', () => {
    const ask = (roles: readonly Role[], action: (typeof GRANULAR_ACTIONS)[number], row?: RowFacts, enabled = true) =>
      explainAccess({
        user: user(roles, 1n, enabled),
        action,
        resource: 'insight:monthly_payment.',
        row: row && { id: '7', facts: row },
      }).sentence
    expect(ask(['insight:publisher_admin'], 'read:show', { organizationId: 1n, hasBeenFinalized: false })).toContain(
      '「7」は条件「確定済みの月のもの」を満たさないため',
    )
    expect(ask(['insight:editor'], 'write:update')).toBe(
      'taro@example.jpさんはロール「パブリッシャーセンター編集者（insight:editor）」のポリシーにより月次の支払の一覧・閲覧ができますが、変更の権限がないため、月次の支払を変更できません（月次の支払を変更できるロール：全体管理者、パブリッシャーセンター管理者）。',
    )
    expect(ask(['coupon:admin'], 'read:list')).toContain('クーポン管理者）には月次の支払のポリシーがないため')
    expect(ask([], 'read:list')).toContain('ロールが付与されていないため')
    expect(ask(['admin'], 'read:list', undefined, false)).toContain('無効化されているため')
  })
})
