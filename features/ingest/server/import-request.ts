import type { Actor } from '@pc/platform/audit/record-change.ts'
import type { Dataset } from './checking/dataset-columns.ts'

export interface ImportRequest {
  /** Default: the one whose columns the file has. */
  readonly dataset?: Dataset | undefined
  readonly input: AsyncIterable<Buffer>
  /** Default: the SHA-256 of the content. The same id with other content is a corrected revision. */
  readonly batchId?: string | undefined
  /** The batch whose place this one takes; for batches that are named by their content. */
  readonly replaces?: string | undefined
  /** Set wrong rows aside instead of refusing the batch. */
  readonly quarantine: boolean
  /** For people only. */
  readonly sourceName: string
  /** Of the sender; undefined on this machine. */
  readonly apiKeyId?: bigint | undefined
  /** The person who delivers by hand. */
  readonly deliveredBy?: Actor | undefined
  /** What the content must be: it was looked at before. */
  readonly expectedSha256?: string | undefined
  /** Stops a dry run. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

export type ImportProgress =
  | { readonly step: 'receive'; readonly bytes: number }
  | { readonly step: 'wait' | 'publish' }
  | { readonly step: 'check'; readonly share: number }
