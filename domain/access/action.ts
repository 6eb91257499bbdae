/**
 * The actions of a grant. Old clients also ask for `read` and `write`, which match by substring; `*` belongs to the role
 * `admin` only.
 */
export const GRANULAR_ACTIONS = ['read:list', 'read:show', 'write:create', 'write:update', 'write:delete'] as const
export type GranularAction = (typeof GRANULAR_ACTIONS)[number]
