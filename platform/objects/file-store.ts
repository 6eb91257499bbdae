import type { Readable } from 'node:stream'

export interface StoredFile {
  readonly key: string
  readonly size: number
  readonly storedAtMs: number
}

/** Files of any size: a folder, or a bucket. None is ever held in memory whole. Keys are made by the system. */
export interface FileStore {
  /** Where it is, for messages to the operator. */
  readonly place: string
  /** Keeps a copy of a file, over one of that key: whole or not at all, and as it was given. */
  keep(key: string, file: string): Promise<void>
  /** Gives a kept file a path of its own, which must be free. @returns false when there is no such file */
  copyTo(key: string, file: string): Promise<boolean>
  read(key: string): Promise<Readable | undefined>
  find(key: string): Promise<StoredFile | undefined>
  /** @param prefix ends with a slash, or is empty */
  list(prefix: string): Promise<readonly StoredFile[]>
  remove(key: string): Promise<void>
}
