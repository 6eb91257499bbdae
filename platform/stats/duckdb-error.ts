import { StatsStoreError } from './stats-store-error.ts'

const textOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))
const advice = (cause: unknown, ...lines: string[]) => [...lines, `DuckDB says: ${textOf(cause)}`].join('\n')

/** Translates errors of a running store. A full disk invalidates the DuckDB instance; other errors are passed on. */
export function duckDbError(cause: unknown): unknown {
  if (cause instanceof StatsStoreError) return cause
  const text = textOf(cause)
  if (/no space left|out of disk|max_temp_directory_size/i.test(text)) {
    return new StatsStoreError(
      'full',
      advice(cause, 'The disk of the statistics store is full.', 'Free some space, then repeat what failed.'),
      { cause },
    )
  }
  if (/database has been invalidated/i.test(text)) {
    return new StatsStoreError(
      'damaged',
      advice(
        cause,
        'The statistics store stopped after a fault (often a full disk).',
        'Free some space, then restart.',
      ),
      { cause },
    )
  }
  return cause
}

/** Explains why the file cannot be opened and what helps. */
export function openingError(file: string, cause: unknown): StatsStoreError {
  if (cause instanceof StatsStoreError) return cause
  const text = textOf(cause)
  if (/set lock|conflicting lock|being used by another process/i.test(text)) {
    return new StatsStoreError(
      'locked',
      advice(
        cause,
        `The statistics store ${file} is in use by another process.`,
        'Stop that process, then start again.',
      ),
      { cause },
    )
  }
  const asFault = duckDbError(cause)
  if (asFault instanceof StatsStoreError) return asFault
  if (
    /valid duckdb|read enough bytes|corrupt|checksum|serializ|\bwal\b|internal error|storage version|newer version/i.test(
      text,
    )
  ) {
    return new StatsStoreError(
      'damaged',
      advice(
        cause,
        `The statistics store ${file} cannot be read.`,
        `1. Stop the server and move ${file} and ${file}.wal away together (do not delete one of them alone).`,
        '2. Put back both files of the last backup, or none: the store is then built again from the kept source files.',
        '3. Start again.',
      ),
      { cause },
    )
  }
  return new StatsStoreError(
    'unreachable',
    advice(cause, `The statistics store ${file} cannot be opened.`, 'Check the folder, its owner and its permissions.'),
    { cause },
  )
}
