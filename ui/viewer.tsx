import { skipToken, useQuery } from '@apollo/client/react'
import { type ClientPolicy, clientAllows } from '@pc/domain/access/client-policy.ts'
import { createContext, type ReactNode, use, useMemo } from 'react'
import type { Clients } from './client.ts'
import type { SignedInUser } from './session.ts'
import { ViewerAgreementsDocument } from './viewer-agreements.gen.ts'
import { ViewerPoliciesDocument, ViewerUserDocument, type ViewerUserQuery } from './viewer-iam.gen.ts'

/** The signed-in person as the screens know them (specification, section 3). */
export interface Viewer extends SignedInUser {
  readonly roles: readonly string[]
  readonly organizationId: string | undefined
  readonly agreementIds: readonly string[]
  /** For hiding what the server would refuse anyway; the server decides. */
  can(action: string, resource: string): boolean
  /** True once user, policies and agreements have all returned. */
  readonly isStateReady: boolean
  /** Set while staff sees the system as somebody else: roles and rows are that person's, and nothing can be changed. */
  readonly actingAs?: ActingAs | undefined
}

export interface ActingAs {
  readonly email: string
  readonly reason: string
  /** Instant, ISO 8601: the view ends by itself then. */
  readonly endsAt: string
}

export function makeViewer(
  user: SignedInUser,
  loaded: {
    photoUrl: string | undefined
    roles: readonly string[]
    organizationId: string | undefined
    policies: readonly ClientPolicy[]
    agreementIds: readonly string[]
    isStateReady: boolean
    actingAs?: ActingAs | undefined
  },
): Viewer {
  const { policies, ...rest } = loaded
  return { ...user, ...rest, can: (action, resource) => clientAllows(policies, action, resource) }
}

/** A user has insight access when holding one of these (specification, section 6): the platform's own staff. */
const STAFF_ROLES = ['admin', 'insight:admin', 'insight:editor', 'insight:viewer']

export function hasInsightAccess(viewer: Pick<Viewer, 'roles'>): boolean {
  return viewer.roles.some(role => STAFF_ROLES.includes(role))
}

export function isPublisherUser(viewer: Pick<Viewer, 'roles'>): boolean {
  return viewer.roles.some(role => role.includes('insight:publisher_'))
}

const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Undefined where nobody is signed in. */
export function useViewerId(): string | undefined {
  return use(ViewerContext)?.id
}

export function useViewer(): Viewer {
  const viewer = use(ViewerContext)
  if (viewer === undefined) throw new Error('useViewer outside of ViewerProvider')
  return viewer
}

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>
}

function actingAsOf({ viewer }: ViewerUserQuery): ActingAs | undefined {
  return viewer?.actingAs ? { email: viewer.email, ...viewer.actingAs } : undefined
}

export type LoadedViewer =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'ready'; readonly viewer: Viewer }

/** What an application asks for at its start besides user and policies. */
export type AskForAgreements = 'always' | 'when-allowed'

/**
 * The startup queries (specification, sections 4 and 7): skipped without a user id, ready when all three returned.
 * @param askForAgreements `when-allowed`: after the policies, and only where they allow it
 */
export function useLoadedViewer(
  user: SignedInUser,
  clients: Clients,
  askForAgreements: AskForAgreements = 'always',
): LoadedViewer {
  const isKnown = user.id !== ''
  const iamUser = useQuery(
    ViewerUserDocument,
    isKnown ? { variables: { userID: user.id }, client: clients.iam } : skipToken,
  )
  const policies = useQuery(ViewerPoliciesDocument, isKnown ? { client: clients.iam } : skipToken)
  const known = policies.data?.policies?.nodes as readonly ClientPolicy[] | undefined
  const mayAsk = askForAgreements === 'always' || (known && clientAllows(known, 'read:list', 'insight:agreement.'))
  const agreements = useQuery(
    ViewerAgreementsDocument,
    isKnown && mayAsk ? { variables: { userUid: user.id }, client: clients.insight } : skipToken,
  )
  const loaded = useMemo(() => {
    if (!iamUser.data || !policies.data) return undefined
    // An agreement list that was refused or failed leaves the list empty: rows are scoped by the server anyway.
    if (mayAsk && !agreements.data && !agreements.error) return undefined
    return makeViewer(user, {
      photoUrl: iamUser.data.user?.photoURL ?? user.photoUrl,
      roles: iamUser.data.user?.roles?.flatMap(role => (role?.name ? [role.name] : [])) ?? [],
      organizationId: iamUser.data.user?.organizationId ?? undefined,
      policies: (policies.data.policies?.nodes ?? []) as readonly ClientPolicy[],
      agreementIds: (agreements.data?.agreements?.nodes ?? []).flatMap(node => (node?.id ? [node.id] : [])),
      isStateReady: true,
      actingAs: actingAsOf(iamUser.data),
    })
  }, [user, mayAsk, iamUser.data, policies.data, agreements.data, agreements.error])
  if (loaded) return { state: 'ready', viewer: loaded }
  const failed = [iamUser, policies].filter(query => query.error && !query.data && !query.loading)
  if (failed.length === 0) return { state: 'loading' }
  return { state: 'failed', retry: () => failed.forEach(query => void query.refetch()) }
}
