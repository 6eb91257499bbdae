import { describe, expect, test } from 'vitest'
import { isOneself, type Viewer, viewerScope } from './viewer-scope.ts'

describe('the rows of insight', () => {
  // Of each role alone: `access.test.ts`.
  test('carry the person and the organisation; of an organisation that nobody has there are none', () => {
    expect(viewerScope('me', ['insight:publisher_admin'], 7n)).toEqual({
      kind: 'organization',
      uid: 'me',
      organizationId: 7n,
    })
    expect(viewerScope('me', ['insight:publisher_editor'], 7n)).toEqual({
      kind: 'agreements',
      uid: 'me',
      organizationId: 7n,
    })
    expect(viewerScope('me', ['coupon:admin'], 7n)).toEqual({ kind: 'self', uid: 'me' })
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
