/** Counting stops here; the setup guide only needs to know that a number is large. */
export const SETUP_COUNT_LIMIT = 100
