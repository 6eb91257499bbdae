/** What is needed without a connection is loaded soon after the first screen (`screen-router.tsx`). */
export const connection = () => import('../data/connection.ts')

/** Code that does not come is loaded again as soon as the server answers; until then its place stays as it is. */
export const loadCode = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch((reason: unknown) => connection().then(({ loadAgain }) => loadAgain(load, reason)))
