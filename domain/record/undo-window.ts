/**
 * Milliseconds in which a deleted board or note can be restored. After that, the next deletion removes the row for
 * good.
 */
export const UNDO_MS = 24 * 3_600_000
