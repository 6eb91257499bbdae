/** Screens of /iam/ about rights. */
export const ORGANIZATIONS_PATH = '/organizations'
export const ORGANIZATION_CREATE_PATH = '/organizations/create'
export const ORGANIZATION_EDIT_PATH = '/organizations/edit/$id'
export const ROLES_PATH = '/roles'
export const SECOND_FACTOR_PATH = '/second-factor'
export const ACCESS_EXPLANATION_PATH = '/access-explanation'
export const AUDIT_LOG_PATH = '/audit-log'

export function organizationEditPath(id: string): string {
  return ORGANIZATION_EDIT_PATH.replace('$id', id)
}
