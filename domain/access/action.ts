/** The actions of a grant. Old clients also send `read` and `write`; `*` belongs to the role `admin` only. */
export const GRANULAR_ACTIONS = ['read:list', 'read:show', 'write:create', 'write:update', 'write:delete'] as const
export type GranularAction = (typeof GRANULAR_ACTIONS)[number]
