import type { Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { type SentOperation, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { invitationsRoute } from './invitations-route.ts'
import { userEditRoute } from './user-edit-route.ts'
import { userInviteRoute } from './user-invite-route.ts'
import { usersRoute } from './users-route.ts'

export const SCREENS = [usersRoute, userInviteRoute, userEditRoute, invitationsRoute]
const ORGANIZATION = { __typename: 'OrganizationName', id: '7', name: '株式会社朝霧新聞社' }

interface Person {
  uid?: string
  email?: string
  roles?: readonly Role[]
  enabled?: boolean
  invitation?: { invitedAt: string; expiresAt: string } | null
  organization?: typeof ORGANIZATION | null
  agreementIds?: readonly string[]
  hasSecondFactor?: boolean
  pendingChange?: ReturnType<typeof pendingChange>
}

/** A pending change of address, requested by another administrator by default. */
export function pendingChange(more: { isOwnRequest?: boolean; requestedByEmail?: string | null } = {}) {
  return {
    __typename: 'PendingAccountChange',
    id: '9',
    kind: 'EMAIL',
    newEmail: 'hana@example.jp',
    requestedAt: '2026-11-20T01:00:00.000Z',
    expiresAt: '2026-11-23T01:00:00.000Z',
    requestedByEmail: 'jiro@example.jp',
    isOwnRequest: false,
    ...more,
  }
}

/** A user as the server answers, with `__typename`, which the client adds to every query. */
export function person(more: Person = {}) {
  const { roles = ['insight:publisher_editor'], invitation = null, ...rest } = more
  return {
    __typename: 'User',
    uid: 'u2',
    email: 'hanako@example.jp',
    photoURL: null,
    enabled: true,
    organization: ORGANIZATION,
    agreementIds: ['1'],
    createdAt: '2026-10-01T01:02:03.000Z',
    hasSecondFactor: false,
    accountAtIssuer: null,
    pendingChange: null,
    ...rest,
    invitation: invitation && { __typename: 'Invitation', ...invitation },
    roles: roles.map(name => ({ __typename: 'UserRole', name, label: ROLE_LABELS_JA[name].label })),
  }
}

export const list = (...people: ReturnType<typeof person>[]) => ({
  users: { __typename: 'UserList', total: people.length, nodes: people },
})
export const AGREEMENTS = {
  agreements: {
    __typename: 'AgreementList',
    total: 2,
    nodes: ['東都新聞 配信契約', 'みらい経済 配信契約'].map((name, index) => ({
      ...{ __typename: 'Agreement', id: String(index + 1), name, code: `A-${index + 1}`, isTerminated: false },
    })),
  },
}
export const others = (total: number) => ({ users: { __typename: 'UserList', total, nodes: [] } })

export function last(operations: readonly SentOperation[], name: string) {
  return operations.findLast(one => one.name === name)?.variables
}

/** Renders the form of a user. @param role the viewer's role */
export function edit(
  user: ReturnType<typeof person>,
  role: Role,
  answers: Parameters<typeof showScreen>[0]['answers'] = {},
) {
  return showScreen({
    screens: SCREENS,
    path: `/users/edit/${user.uid}`,
    role,
    organizationId: '7',
    answers: {
      UserEdit: { user },
      Users: list(user),
      Administrators: others(3),
      AssignableAgreements: AGREEMENTS,
      ...answers,
    },
  })
}
