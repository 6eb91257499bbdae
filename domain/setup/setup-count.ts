/** Counting ends there: of large numbers it matters only that they are. */
export const SETUP_COUNT_LIMIT = 100
