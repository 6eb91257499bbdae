/** Reads when it is first asked, and once. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= read()
    return running
  }
}
