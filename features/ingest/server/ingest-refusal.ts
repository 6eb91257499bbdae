/** Why a delivery was not taken. `status` is the HTTP status that the endpoint answers. */
const STATUS = {
  'ingest/not-a-dataset': 404,
  'ingest/empty': 422,
  'ingest/no-rows': 422,
  'ingest/too-large': 413,
  'ingest/damaged': 415,
  'ingest/unknown-format': 415,
  'ingest/header': 422,
  'ingest/unknown-dataset': 422,
  'ingest/parquet-type': 422,
  'ingest/bad-rows': 422,
  'ingest/too-many-quarantined': 422,
  'ingest/batch-id': 400,
  'ingest/unknown-predecessor': 409,
  'ingest/superseded': 409,
  'ingest/same-content': 409,
  'ingest/overlap': 409,
  'ingest/too-great': 422,
  'ingest/not-publishable': 422,
} as const
export type IngestRefusalCode = keyof typeof STATUS

/** One wrong row. `line` is the line of the text file (1 is the header) or the row of the Parquet file (from 1). */
export interface RowError {
  readonly line: number
  /** Empty when the whole line is wrong. */
  readonly column: string
  readonly message: string
}

/** A wrong row as it is kept for people to look at. */
export interface BadRow extends RowError {
  /** Its number (from 0) among the rows that the engine read; null for a record that it could not read. */
  readonly rowNo: bigint | null
  /** The row as it came, shortened. */
  readonly sourceText: string
}

interface RefusedRows {
  readonly badRows: number
  readonly kept: readonly BadRow[]
  readonly listed: number
}

/** A delivery that is refused. Thrown inside an import; {@link importBatch} returns it as a value. */
export class IngestRefusal extends Error {
  override name = 'IngestRefusal'
  readonly code: IngestRefusalCode
  readonly badRows: number
  /** The first errors of the bad rows, for the answer. */
  readonly rowErrors: readonly RowError[]
  /** A longer list of the same errors with the rows as they came, for the ledger. */
  readonly keptRows: readonly BadRow[]
  /** The visible batch that conflicts, and that the delivery could name in `replaces`. */
  readonly otherBatchId: string | undefined

  constructor(code: IngestRefusalCode, message: string, more?: RefusedRows | { readonly otherBatchId: string }) {
    super(message)
    this.code = code
    const rows = more && 'kept' in more ? more : undefined
    this.badRows = rows?.badRows ?? 0
    this.keptRows = rows?.kept ?? []
    this.rowErrors = this.keptRows.slice(0, rows?.listed)
    this.otherBatchId = more && 'otherBatchId' in more ? more.otherBatchId : undefined
  }

  get status(): number {
    return STATUS[this.code]
  }
}
