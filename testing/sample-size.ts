// Read without node:process, because tests of the pure domain use this file.
const { env } = (globalThis as unknown as { process: { env: Readonly<Record<string, string | undefined>> } }).process
const IS_WHOLE = env.TEST_SIZE === 'whole'

/**
 * The size of a sweep: a sample in `npm test`, everything in `npm test -- --whole` (at night and before a release).
 * Rules and bounds are the same; only the number of tries, roles and inputs differs.
 */
export const sampleOr = <T>(sample: T, whole: T): T => (IS_WHOLE ? whole : sample)

/** Every n-th item from the first one; all of them in a whole run. */
export const everyNth = <T>(list: readonly T[], n: number): readonly T[] =>
  IS_WHOLE ? list : list.filter((_, index) => index % n === 0)
