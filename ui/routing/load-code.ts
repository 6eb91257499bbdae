/** Code that is needed without a connection, so it is loaded soon after the first screen (`screen-router.tsx`). */
export const connection = () => import('../data/connection.ts')

/** Loads code, and loads it again as soon as the server answers; until then the fallback stays. */
export const loadCode = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch((reason: unknown) => connection().then(({ loadAgain }) => loadAgain(load, reason)))
