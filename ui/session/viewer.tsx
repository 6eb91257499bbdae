import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName, ServicePrefix } from '@pc/domain/access/resource-name.ts'
import { isOfPublisher, isStaff } from '@pc/domain/access/role-duties.ts'
import { createContext, type ReactNode, use } from 'react'
import type { SignedInUser } from './session.ts'

/** Whether the person may do something, as far as the policies that the client keeps say. */
export type Can = (action: GranularAction, resource: ResourceName | ServicePrefix) => boolean

/** The signed-in person as the screens know them. */
export interface Viewer extends SignedInUser {
  readonly roles: readonly string[]
  readonly organizationId: string | undefined
  /** Undefined: they could not be asked for. */
  readonly agreementIds: readonly string[] | undefined
  /** For hiding what the server would refuse anyway; the server decides. */
  readonly can: Can
  /** Whether a screen has to be empty: its rows are those of agreements, and the person is responsible for none yet. */
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
