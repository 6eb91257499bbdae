import fs from 'node:fs'

export interface RecordPlaces {
  /** Line (from 1) of each record in `rows`. */
  readonly lineOfRow: ReadonlyMap<bigint, number>
  /** Lines of the records that the engine could not read, in the order of the positions given. */
  readonly rejectedLines: readonly number[]
}

const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22
const COMMA = 0x2c
const SPACE = 0x20
const TAB = 0x09

/**
 * Finds the lines of records in a text file, where quoted values may hold line breaks and blank lines are no records.
 * Runs only for files with wrong rows: the engine itself does not count lines.
 *
 * @param rows numbers (from 0, ascending) among the records that the engine read
 * @param rejected byte positions (ascending) as the engine reports them for records that it did not read
 */
export function locateRecords(
  file: string,
  form: { readonly quotes: boolean; readonly header: boolean },
  rows: readonly bigint[],
  rejected: readonly bigint[] = [],
): RecordPlaces {
  const lineOfRow = new Map<bigint, number>()
  const rejectedLines: number[] = []
  let nextRow = 0
  let nextRejected = 0
  let row = form.header ? -1n : 0n
  // Decided when the next record starts: the engine reports a record's first byte, or the line break before it.
  const judge = (line: number, nextStart: number) => {
    let isRejected = false
    while (nextRejected < rejected.length && Number(rejected[nextRejected]) < nextStart) {
      isRejected = true
      rejectedLines.push(line)
      nextRejected += 1
    }
    if (isRejected && row >= 0n) return
    if (nextRow < rows.length && rows[nextRow] === row) {
      lineOfRow.set(row, line)
      nextRow += 1
    }
    row += 1n
  }
  let pendingLine = 0
  scanRecords(file, form.quotes, (line, start) => {
    if (pendingLine > 0) judge(pendingLine, start)
    pendingLine = line
    return nextRow < rows.length || nextRejected < rejected.length
  })
  if (pendingLine > 0) judge(pendingLine, Number.POSITIVE_INFINITY)
  return { lineOfRow, rejectedLines }
}

/** Calls back with the line (from 1) and the byte position of every record that is not blank, until it answers false. */
function scanRecords(file: string, quotes: boolean, onRecord: (line: number, start: number) => boolean): void {
  const handle = fs.openSync(file, 'r')
  try {
    const buffer = Buffer.allocUnsafe(1024 * 1024)
    let offset = 0
    let line = 1
    let recordLine = 1
    let recordStart = 0
    let isBlank = true
    let inQuotes = false
    let atFieldStart = true
    let isAfterQuote = false
    for (;;) {
      const length = fs.readSync(handle, buffer, 0, buffer.length, null)
      if (length === 0) return
      let at = offset === 0 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
      for (; at < length; at += 1) {
        const byte = buffer[at]!
        if (inQuotes) {
          if (byte === QUOTE) {
            inQuotes = false
            isAfterQuote = true // a doubled quote opens again at once
          } else if (byte === LF) line += 1
          continue
        }
        if (byte === LF) {
          line += 1
          recordLine = line
          recordStart = offset + at + 1
          isBlank = true
          atFieldStart = true
          isAfterQuote = false
          continue
        }
        if (isBlank && byte !== CR && (quotes || (byte !== SPACE && byte !== TAB))) {
          isBlank = false
          if (!onRecord(recordLine, recordStart)) return
        }
        if (!quotes) continue
        if (byte === QUOTE && (atFieldStart || isAfterQuote)) inQuotes = true
        atFieldStart = byte === COMMA
        isAfterQuote = false
      }
      offset += length
    }
  } finally {
    fs.closeSync(handle)
  }
}
