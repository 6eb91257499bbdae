/** The bucket does not answer, refuses, or returns other bytes than were stored. A later attempt may succeed. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError'
}
