import { MAX_DELIVERY_BYTES } from '../uploads.ts'

/** Limits on what comes in from outside. A delivery above them is split by its sender. */
export interface IngestLimits {
  /** Bytes as delivered. */
  readonly sourceBytes: number
  /** Bytes after decompression. */
  readonly contentBytes: number
  /** Decompressed bytes per delivered byte, once a delivery has passed `expansionFreeBytes`. */
  readonly expansion: number
  readonly expansionFreeBytes: number
  /** Longest record of a CSV or NDJSON file. */
  readonly recordBytes: number
  /** Rows that can be set aside; a delivery with more is wrong as a whole. */
  readonly quarantinedRows: number
  /** Row errors that an answer lists; all are counted. */
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
