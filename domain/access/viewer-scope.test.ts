import { describe, expect, test } from 'vitest'
import { ROLES } from './role.ts'
import { isOneself, type Viewer, viewerScope } from './viewer-scope.ts'

describe('the rows of insight', () => {
  test('are all for each of the staff roles, and for no other alone', () => {
    const all = ROLES.filter(role => viewerScope('me', [role], 1n).kind === 'all')
    expect(all).toEqual(['admin', 'insight:admin', 'insight:editor', 'insight:viewer'])
  })
  test('are of the own organisation for its administrator, of the agreements for an editor, none for others', () => {
    for (const role of ROLES) {
      const scope = viewerScope('me', [role], 7n)
      if (role === 'insight:publisher_admin')
        expect(scope).toEqual({ kind: 'organization', uid: 'me', organizationId: 7n })
      else if (role === 'insight:publisher_editor')
        expect(scope).toEqual({ kind: 'agreements', uid: 'me', organizationId: 7n })
      else if (scope.kind !== 'all') expect(scope, role).toEqual({ kind: 'self', uid: 'me' })
    }
    expect(viewerScope('me', ['insight:publisher_admin'], null)).toEqual({ kind: 'self', uid: 'me' })
    expect(viewerScope('me', ['insight:publisher_editor'], null)).toEqual({
      kind: 'agreements',
      uid: 'me',
      organizationId: null,
    })
  })
})

describe('oneself', () => {
  const scope = { kind: 'self', uid: 'u1' } as const
  const viewer: Viewer = { uid: 'u1', email: 'a@example.jp', roles: [], organizationId: null, scope }
  const impersonatedBy = { uid: 's1', email: 's@example.jp', reason: 'r', startedAtMs: 0, endsAtMs: 1 }
  test('is the viewer in any case of letters, and during an impersonation also the member of staff', () => {
    expect(isOneself(viewer, 'u1')).toBe(true)
    expect(isOneself(viewer, 'U1')).toBe(true)
    expect(isOneself(viewer, 's1')).toBe(false)
    expect(isOneself({ ...viewer, impersonatedBy }, 'u1')).toBe(true)
    expect(isOneself({ ...viewer, impersonatedBy }, 'S1')).toBe(true)
    for (const other of ['', 'u', 'u2', 'undefined']) {
      expect(isOneself(viewer, other)).toBe(false)
      expect(isOneself({ ...viewer, impersonatedBy }, other)).toBe(false)
    }
  })
})
