import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName, ServicePrefix } from '@pc/domain/access/resource-name.ts'
import { isOfPublisher, isStaff } from '@pc/domain/access/role-duties.ts'
import { createContext, type ReactNode, use } from 'react'
import type { SignedInUser } from './session.ts'

/** Whether the person has a permission, according to the loaded policies. */
export type Can = (action: GranularAction, resource: ResourceName | ServicePrefix) => boolean

/** The signed-in person as the screens know them. */
export interface Viewer extends SignedInUser {
  readonly roles: readonly string[]
  readonly organizationId: string | undefined
  /** Undefined: the list of agreements could not be loaded. */
  readonly agreementIds: readonly string[] | undefined
  /** Only for hiding what the server would refuse; the server decides. */
  readonly can: Can
  /** Whether a screen would be empty: it shows rows of agreements, and the person has none. */
  lacksAgreement(action: GranularAction, resource: ResourceName): boolean
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

export function isStaffViewer(viewer: Pick<Viewer, 'roles'>): boolean {
  return isStaff(viewer.roles)
}

export function isPublisherUser(viewer: Pick<Viewer, 'roles'>): boolean {
  return isOfPublisher(viewer.roles)
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
