/** How long a board or a note that was deleted can be brought back; then the next deletion takes the row away for good. */
export const UNDO_MS = 24 * 3_600_000
