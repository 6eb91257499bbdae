import type { Actor } from '@pc/platform/audit/record-change.ts'
import type { Dataset } from './checking/dataset-columns.ts'

export interface ImportRequest {
  /** Default: the one whose columns the file has. */
  readonly dataset?: Dataset | undefined
  readonly input: AsyncIterable<Buffer>
  /** Default: the SHA-256 of the content. The same id with other content is a corrected revision. */
  readonly batchId?: string | undefined
  /** The id of the batch to replace; needed where batch ids are checksums, so that a correction has another id. */
  readonly replaces?: string | undefined
  /** Set wrong rows aside instead of refusing the batch. */
  readonly quarantine: boolean
  /** A file name or the like, shown to people and not interpreted. */
  readonly sourceName: string
  /** The sender's ingest key; undefined when an operator on this machine, or a person on the screen, delivers. */
  readonly apiKeyId?: bigint | undefined
  /** The person who uploads on the screen. */
  readonly deliveredBy?: Actor | undefined
  /** The checksum that the dry run saw; other content is refused. */
  readonly expectedSha256?: string | undefined
  /** Stops a dry run. An import is not stopped once it has begun. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

export type ImportProgress =
  | { readonly step: 'receive'; readonly bytes: number }
  | { readonly step: 'wait' | 'publish' }
  | { readonly step: 'check'; readonly share: number }
