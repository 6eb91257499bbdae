import { skipToken, useQuery } from '@apollo/client/react'
import type { OtherAdministrators } from '@pc/domain/access/user-changes.ts'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { AdministratorsDocument } from './user-edit-iam.gen.ts'
import { type EditedUser, rolesOf } from './user-rights.ts'

/** Assumed until the numbers are known, so that no button is locked without a reason; the server decides. */
const ENOUGH: OtherAdministrators = { ofSystem: 1, ofOrganization: 1 }

/** The numbers of enabled administrators besides this person; queried only when the person is one. */
export function useOtherAdministrators(user: EditedUser): OtherAdministrators {
  const client = useClientOf('iam')
  const roles = rolesOf(user)
  const organizationId = user.organization?.id
  const ofSystem = useQuery(
    AdministratorsDocument,
    roles.includes('admin') ? { client, variables: { role: 'admin', organizationId: null } } : skipToken,
  )
  const ofOrganization = useQuery(
    AdministratorsDocument,
    roles.includes('insight:publisher_admin') && organizationId
      ? { client, variables: { role: 'insight:publisher_admin', organizationId } }
      : skipToken,
  )
  const beside = (total: number | undefined, fallback: number) =>
    total === undefined ? fallback : total - (user.enabled ? 1 : 0)
  return {
    ofSystem: beside(ofSystem.data?.users.total, ENOUGH.ofSystem),
    ofOrganization: beside(ofOrganization.data?.users.total, ENOUGH.ofOrganization),
  }
}
