import { createContext, type ReactNode, use } from 'react'
import type { SignedInUser } from './session.ts'

/** The signed-in person as the screens know them (specification, section 3). */
export interface Viewer extends SignedInUser {
  readonly roles: readonly string[]
  readonly organizationId: string | undefined
  /** Undefined: they could not be asked for. */
  readonly agreementIds: readonly string[] | undefined
  /** For hiding what the server would refuse anyway; the server decides. */
  can(action: string, resource: string): boolean
  /** Whether nothing can be there for want of an agreement, though the person may look. */
  lacksAgreement(action: string, resource: string): boolean
  /** True once user, policies and agreements have all returned. */
  readonly isStateReady: boolean
  /** Set during an impersonation: roles and rows are those of the impersonated person, and nothing can be changed. */
  readonly impersonation?: Impersonation | undefined
}

export interface Impersonation {
  readonly email: string
  readonly reason: string
  /** Instant (ISO 8601) when the impersonation expires. */
  readonly endsAt: string
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
