import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GRANULAR_ACTIONS } from './action.ts'
import { covers, decide, type RowFacts } from './decide.ts'
import { explainAccess } from './explain-access.ts'
import { RESOURCE_NAMES } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'
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
      'taro@example.jpさんはロール「パブリッシャーセンター編集者（insight:editor）」のポリシーにより月次の支払いの一覧・閲覧ができますが、変更の権限がないため、月次の支払いを変更できません（月次の支払いを変更できるロール：全体管理者、パブリッシャーセンター管理者）。',
    )
    expect(ask(['coupon:admin'], 'read:list')).toContain('クーポン管理者）には月次の支払いのポリシーがないため')
    expect(ask([], 'read:list')).toContain('ロールが付与されていないため')
    expect(ask(['admin'], 'read:list', undefined, false)).toContain('無効化されているため')
  })
})
