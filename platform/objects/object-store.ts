/** Where files are kept: a folder, or a bucket. Keys are made by the system, never by a person who sends a file. */
export interface ObjectStore {
  read(key: string): Promise<Buffer | undefined>
  /** Of what somebody sent, maybe straight to the store: no more is read than `maxBytes`. */
  readSent(key: string, maxBytes: number): Promise<Buffer | 'too-large' | undefined>
  /** @returns false when there is one of that name already: nothing is ever overwritten. */
  create(key: string, bytes: Uint8Array, contentType: string): Promise<boolean>
  remove(key: string): Promise<void>
  /**
   * An address of the store itself that takes one file of exactly this type (and size); undefined when the store has
   * none, and files come through our own listener.
   */
  presignPut(key: string, upload: PresignedUpload): Promise<string | undefined>
}

export interface PresignedUpload {
  readonly contentType: string
  /** Exact size, when it is known beforehand. */
  readonly sizeBytes: number | undefined
  readonly expiresInSeconds: number
}
