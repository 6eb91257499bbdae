/** Calls `read` once and returns the same promise, also a rejected one, to later callers. */
export function memoize<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= read()
    return running
  }
}
