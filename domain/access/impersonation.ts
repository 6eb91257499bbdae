/**
 * Bounds of impersonation, for the dialog and the server.
 * Tested by `features/access/server/impersonation.test.ts`.
 */
export const IMPERSONATION_MINUTES = 30
/** Length of the reason that the member of staff has to give, in characters. */
export const MIN_IMPERSONATION_REASON = 5
export const MAX_IMPERSONATION_REASON = 500
