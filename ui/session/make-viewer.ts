import { type ClientPolicy, clientAllows, isLimitedToAgreements } from '@pc/domain/access/client-policy.ts'
import type { SignedInUser } from './session.ts'
import type { Viewer } from './viewer.tsx'
import type { ViewerAgreementsQuery } from './viewer-agreements.gen.ts'
import type { ViewerPoliciesQuery, ViewerUserQuery } from './viewer-iam.gen.ts'

/**
 * A viewer from loaded data; `can` and `lacksAgreement` evaluate the policies. {@link viewerOf} reads the answers of
 * queries.
 */
export function makeViewer(
  user: SignedInUser,
  loaded: Omit<Viewer, keyof SignedInUser | 'can' | 'lacksAgreement'> & {
    readonly photoUrl: string | undefined
    readonly policies: readonly ClientPolicy[]
  },
): Viewer {
  const { policies, ...rest } = loaded
  return {
    ...user,
    ...rest,
    can: (action, resource) => clientAllows(policies, action, resource),
    lacksAgreement: (action, resource) =>
      rest.agreementIds?.length === 0 && isLimitedToAgreements(policies, action, resource),
  }
}

/**
 * The viewer from the answers of the startup queries.
 * @param agreements undefined: the list was refused or failed. The server limits the rows in any case
 */
export function viewerOf(
  user: SignedInUser,
  iamUser: ViewerUserQuery,
  policies: ViewerPoliciesQuery,
  agreements: ViewerAgreementsQuery | undefined,
): Viewer {
  const { viewer } = iamUser
  // An external issuer does not know our user id, and perhaps not the address. During an impersonation `viewer` is the
  // impersonated person, so the identity of the token stays.
  const self = viewer && !viewer.actingAs ? { ...user, id: viewer.uid, email: viewer.email } : user
  return makeViewer(self, {
    photoUrl: iamUser.user?.photoURL ?? user.photoUrl,
    roles: iamUser.user?.roles?.flatMap(role => (role?.name ? [role.name] : [])) ?? [],
    organizationId: iamUser.user?.organizationId ?? undefined,
    policies: (policies.policies?.nodes ?? []) as readonly ClientPolicy[],
    agreementIds: agreements?.agreements?.nodes.flatMap(node => (node?.id ? [node.id] : [])),
    isStateReady: true,
    impersonation: viewer?.actingAs ? { email: viewer.email, ...viewer.actingAs } : undefined,
  })
}
