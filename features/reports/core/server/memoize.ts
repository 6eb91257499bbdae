/** Reads with the first call, and answers later calls with the same result. */
export function memoize<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= read()
    return running
  }
}
