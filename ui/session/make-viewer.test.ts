import { expect, test } from 'vitest'
import { viewerOf } from './make-viewer.ts'
import type { ViewerUserQuery } from './viewer-iam.gen.ts'

const FROM_TOKEN = { id: 'subject at the provider', email: '', photoUrl: undefined, hasEmailPassAccount: false }
const known = (actingAs: object | null) =>
  ({
    user: { uid: 'u1', email: 'taro@example.jp', roles: [], organizationId: null, photoURL: null },
    viewer: { uid: 'u1', email: 'taro@example.jp', actingAs },
  }) as unknown as ViewerUserQuery
const POLICIES = { policies: { nodes: [] } }

test('id and e-mail are those of our own table, where the token of an external issuer has neither', () => {
  expect(viewerOf(FROM_TOKEN, known(null), POLICIES, undefined)).toMatchObject({ id: 'u1', email: 'taro@example.jp' })
})

test('during an impersonation the viewer stays who they are', () => {
  const viewer = viewerOf(
    { ...FROM_TOKEN, email: 'staff@example.jp' },
    known({ reason: 'r', endsAt: '' }),
    POLICIES,
    undefined,
  )
  expect(viewer).toMatchObject({
    id: FROM_TOKEN.id,
    email: 'staff@example.jp',
    impersonation: { email: 'taro@example.jp' },
  })
})
