import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { mayManage, rolesGivenBy } from '@pc/domain/access/role-rank.ts'
import { type OtherAdministrators, type Person, refuseChange } from '@pc/domain/access/user-changes.ts'
import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import type { UserEditQuery } from './user-edit-iam.gen.ts'

export type EditedUser = NonNullable<UserEditQuery['user']>

/** The user's known roles in the order of `ROLES`. */
export function rolesOf(user: EditedUser): readonly Role[] {
  return ROLES.filter(role => user.roles.some(({ name }) => name === role))
}

/** The roles that the viewer may give. A publisher's administrator may give only publishers' roles. */
export function givableRoles(viewer: Pick<Viewer, 'roles'>): readonly Role[] {
  return rolesGivenBy(rolesOfViewer(viewer))
}

/** The viewer's known roles in the order of `ROLES`. */
export function rolesOfViewer(viewer: Pick<Viewer, 'roles'>): readonly Role[] {
  return ROLES.filter(role => viewer.roles.includes(role))
}

/** Why the viewer may not change this user at all; undefined: they may, as the user's rank is not higher. */
export function rankReason(viewer: Pick<Viewer, 'roles'>, user: EditedUser): string | undefined {
  return mayManage(rolesOfViewer(viewer), rolesOf(user)) ? undefined : USER_REFUSALS_JA['user/rank-too-high']()
}

/**
 * Why the viewer cannot turn the user into `next` (undefined: delete) now; undefined: it is possible. The server's own
 * rule, evaluated before a button is shown.
 */
export function whyNot(
  viewer: Viewer,
  user: EditedUser,
  next: Pick<Person, 'roles' | 'enabled'> | undefined,
  others: OtherAdministrators,
): string | undefined {
  const organizationOf = (id: string | null | undefined) => (id ? BigInt(id) : null)
  const actor: Person = {
    uid: viewer.id,
    roles: rolesOfViewer(viewer),
    enabled: true,
    organizationId: organizationOf(viewer.organizationId),
  }
  const target: Person = {
    uid: user.uid,
    roles: rolesOf(user),
    enabled: user.enabled,
    organizationId: organizationOf(user.organization?.id),
  }
  const no = refuseChange(actor, target, next, others)
  return no && USER_REFUSALS_JA[no.code](no.data)
}
