/** The bucket does not answer, refuses, or gives back something else than was put in. Another time it may work. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError'
}
