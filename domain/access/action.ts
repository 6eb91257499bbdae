/**
 * The action vocabulary (specification, section 6). Granted actions are always granular; `read` and `write` are only
 * ever requested by old clients. `*` is granted to the global administrator alone.
 */
export const GRANULAR_ACTIONS = ['read:list', 'read:show', 'write:create', 'write:update', 'write:delete'] as const
export type GranularAction = (typeof GRANULAR_ACTIONS)[number]
export const ACTIONS = ['*', ...GRANULAR_ACTIONS, 'read', 'write'] as const
