import { MAX_DELIVERY_BYTES } from '../uploads.ts'

/** Limits of one delivery. A sender splits what exceeds them. */
export interface IngestLimits {
  /** Bytes as delivered. */
  readonly sourceBytes: number
  /** Bytes after decompression. */
  readonly contentBytes: number
  /** Greatest compression ratio, against decompression bombs; checked from `expansionFreeBytes` decompressed bytes on. */
  readonly expansion: number
  readonly expansionFreeBytes: number
  /** Longest record of a CSV or NDJSON file. */
  readonly recordBytes: number
  /** Rows that can be quarantined; a delivery with more is refused. */
  readonly quarantinedRows: number
  /** Row errors that an answer lists; its count includes all. */
  readonly listedErrors: number
  /** Row errors of a refused delivery that are kept for people to look at. */
  readonly keptErrors: number
}

const MIB = 1024 * 1024

export const INGEST_LIMITS: IngestLimits = {
  sourceBytes: MAX_DELIVERY_BYTES,
  contentBytes: 16384 * MIB,
  expansion: 250,
  expansionFreeBytes: 64 * MIB,
  recordBytes: MIB,
  quarantinedRows: 100_000,
  listedErrors: 100,
  keptErrors: 1000,
}
