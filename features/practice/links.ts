/** Of a practice system only: what the practice close came to beside the real one. Reached from the band of every screen. */
export const PRACTICE_PATH = '/adjustments/practice'
