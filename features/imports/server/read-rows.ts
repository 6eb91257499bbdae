import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import { readTableFile } from '@pc/platform/spreadsheet/table-file.ts'
import type { TableCell, TableRow } from '@pc/platform/spreadsheet/table-row.ts'
import type { ImportColumn } from './import-columns.ts'

/** A row as in the file, by column key: null is an empty cell; columns that the file lacks are absent. */
export interface SourceRow {
  readonly number: number
  readonly cells: Readonly<Record<string, TableCell | null>>
}

/** The extra column in files of refused rows; ignored when such a file is uploaded. */
export const REASON_HEADER = '取り込めない理由'

type Refusals = Refusal<RefusalCode>[]

/** Reads the rows of a file. The header must name the kind's columns, in any order. */
export async function readSourceRows(
  columns: readonly ImportColumn[],
  bytes: Buffer,
): Promise<Result<readonly SourceRow[], Refusal<RefusalCode>>> {
  const file = await readTableFile(bytes)
  if (!file.ok) return file
  const [header, ...rows] = file.value
  if (!header || rows.length === 0) return { ok: false, refusals: [refusal('spreadsheet/empty', ['file'])] }
  const { places, refusals } = readHeader(columns, header)
  const stray = strayColumn(header, rows)
  if (stray !== undefined)
    refusals.push(refusal('import/column-without-header', ['file'], { column: columnName(stray) }))
  if (refusals.length > 0) return { ok: false, refusals }
  return ok(
    rows.map(({ number, cells }) => ({
      number,
      cells: Object.fromEntries([...places].map(([key, place]) => [key, cells[place] ?? null])),
    })),
  )
}

function readHeader(columns: readonly ImportColumn[], header: TableRow) {
  const places = new Map<string, number>()
  const refusals: Refusals = []
  const unknown: string[] = []
  header.cells.forEach((cell, place) => {
    const text = plainHeader(cell?.text ?? '')
    if (text === '' || text === REASON_HEADER) return
    const column = columns.find(one => plainHeader(one.header) === text)
    if (!column) unknown.push(truncate(text, 50))
    else if (places.has(column.key)) refusals.push(refusal('import/column-twice', ['file'], { header: column.header }))
    else places.set(column.key, place)
  })
  const missing = columns.filter(({ key, isRequired }) => isRequired && !places.has(key)).map(one => one.header)
  if (missing.length > 0) refusals.push(refusal('import/columns-missing', ['file'], { headers: missing.join('」「') }))
  if (unknown.length > 0)
    refusals.push(refusal('import/columns-unknown', ['file'], { headers: unknown.slice(0, 5).join('」「') }))
  return { places, refusals }
}

/** The index of a column with values but without a header, which would otherwise be ignored silently. */
function strayColumn(header: TableRow, rows: readonly TableRow[]): number | undefined {
  for (const { cells } of rows) {
    const stray = cells.findIndex(
      (cell, place) => cell !== undefined && plainHeader(header.cells[place]?.text ?? '') === '',
    )
    if (stray >= 0) return stray
  }
  return undefined
}

function columnName(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnName(Math.trunc(column / 26) - 1) + last
}

function plainHeader(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/g, '')
}
