import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { readCsvRecords } from '@pc/domain/text/read-csv.ts'
import { fromFormulaSafe } from '@pc/domain/text/spreadsheet-text.ts'
import { readWorkbook } from './read-workbook.ts'
import { TableRefused } from './table-refused.ts'
import { MAX_TABLE_COLUMNS, MAX_TABLE_FILE_MB, MAX_TABLE_ROWS, type TableCell, type TableRow } from './table-row.ts'

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
/** Signature of Excel files before 2007, and of password-protected ones. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/**
 * Reads the rows of an xlsx workbook or a CSV file; rows without a value are left out. Formulas are not evaluated,
 * their cached results not used, and links not followed.
 */
export async function readTableFile(bytes: Buffer): Promise<Result<readonly TableRow[], Refusal<RefusalCode>>> {
  try {
    if (bytes.length > MAX_TABLE_FILE_MB * 1_048_576)
      throw new TableRefused('spreadsheet/too-large', { maxMb: MAX_TABLE_FILE_MB })
    const rows = bytes.subarray(0, ZIP.length).equals(ZIP) ? await readWorkbook(bytes) : readText(bytes)
    if (rows.length === 0) throw new TableRefused('spreadsheet/empty')
    if (rows.length > MAX_TABLE_ROWS + 1) throw new TableRefused('spreadsheet/too-many-rows', { max: MAX_TABLE_ROWS })
    if (rows.some(({ cells }) => cells.length > MAX_TABLE_COLUMNS))
      throw new TableRefused('spreadsheet/too-many-columns', { max: MAX_TABLE_COLUMNS })
    return ok(rows)
  } catch (error) {
    if (error instanceof TableRefused) return refused(refusal(error.code, ['file'], error.data))
    throw error
  }
}

function readText(bytes: Buffer): TableRow[] {
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) throw new TableRefused('spreadsheet/old-or-locked')
  const { records, openQuoteAt } = readCsvRecords(decode(bytes))
  if (openQuoteAt !== undefined) throw new TableRefused('spreadsheet/quote-open', { row: openQuoteAt })
  return records.map(({ number, cells }) => ({
    number,
    cells: withoutEnd(
      cells.map((text): TableCell | undefined =>
        text.trim() === '' ? undefined : { text: fromFormulaSafe(text), kind: 'text' },
      ),
    ),
  }))
}

function withoutEnd(cells: readonly (TableCell | undefined)[]) {
  return cells.slice(0, cells.findLastIndex(cell => cell !== undefined) + 1)
}

/** UTF-8 if valid, otherwise Windows-31J. A file with NUL bytes is no text. @throws TableRefused */
function decode(bytes: Buffer): string {
  if (bytes.includes(0)) throw new TableRefused('spreadsheet/encoding-unknown')
  for (const encoding of ['utf-8', 'windows-31j']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {}
  }
  throw new TableRefused('spreadsheet/encoding-unknown')
}
