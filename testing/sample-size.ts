// Also for tests of the pure domain, which knows no process.
const { env } = (globalThis as unknown as { process: { env: Readonly<Record<string, string | undefined>> } }).process
const IS_WHOLE = env.TEST_SIZE === 'whole'

/**
 * How much a sweep tries: a sample in `npm test`, everything in `npm test -- --whole` (for a night, and
 * before a release). Rules and bounds are the same; the number of tries, roles and inputs differs.
 */
export const sampleOr = <T>(sample: T, whole: T): T => (IS_WHOLE ? whole : sample)

/** Every n-th of a list, from the first one; all of them in the whole run. */
export const everyNth = <T>(list: readonly T[], n: number): readonly T[] =>
  IS_WHOLE ? list : list.filter((_, index) => index % n === 0)
