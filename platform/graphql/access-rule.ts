import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'

/** Who may have a field: holders of a right, everybody who is signed in, or everybody. Always written, never assumed. */
export type AccessRule =
  | { readonly allow: GranularAction; readonly on: ResourceName }
  | { readonly allow: 'signed-in' }
  | { readonly allow: 'public' }
