import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'

/**
 * Who may read a field: holders of a permission, every signed-in person, or everybody. Each field states its rule;
 * there is no default.
 */
export type AccessRule =
  | { readonly allow: GranularAction; readonly on: ResourceName }
  | { readonly allow: 'signed-in' }
  | { readonly allow: 'public' }
