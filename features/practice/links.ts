/**
 * The result of a practice close beside the real one; exists only in a practice system, and the band at the top of
 * every screen links to it.
 */
export const PRACTICE_PATH = '/adjustments/practice'
