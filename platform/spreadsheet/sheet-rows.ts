import { type Day, fromDayNumber, toDayNumber } from '@pc/domain/month/day.ts'
import { textCollector } from './shared-strings.ts'
import { TableRefused } from './table-refused.ts'
import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, type TableCell, type TableRow } from './table-row.ts'
import type { WorkbookArchive } from './workbook-archive.ts'

/** Total characters of all cells: one long shared string may be used in every cell. */
const MAX_CHARACTERS = 32 * 1_048_576

interface SheetContext {
  readonly strings: readonly string[]
  readonly isDate: (style: number) => boolean
  readonly is1904: boolean
}

interface OpenCell {
  readonly column: number
  readonly type: string
  readonly style: number
  value: string
  isFormula: boolean
}

/** The rows of a sheet that have a value. Formatted empty cells are skipped. */
export async function readSheet(archive: WorkbookArchive, path: string, context: SheetContext): Promise<TableRow[]> {
  const rows: TableRow[] = []
  const inline = textCollector()
  let number = 0
  let cells: (TableCell | undefined)[] = []
  let cell: OpenCell | undefined
  let isValue = false
  let nextColumn = 0
  let characters = 0
  await archive.readXml(path, {
    open(name, attributes) {
      if (name === 'row') {
        const before = number
        number = attributes.r === undefined ? number + 1 : wholeOf(attributes.r)
        if (number <= before) throw new TableRefused('spreadsheet/damaged')
        cells = []
        nextColumn = 0
      } else if (name === 'c') {
        const column = attributes.r === undefined ? nextColumn : columnOf(attributes.r)
        nextColumn = column + 1
        inline.begin()
        cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '', isFormula: false }
      } else if (name === 'v') isValue = true
      else if (name === 'f' && cell) cell.isFormula = true
      else if (name === 'mergeCell')
        throw new TableRefused('spreadsheet/merged-cells', { range: String(attributes.ref).slice(0, 30) })
      else inline.open(name)
    },
    text(text) {
      if (isValue && cell) cell.value += text
      else inline.text(text)
    },
    close(name) {
      inline.close(name)
      if (name === 'v') isValue = false
      if (name === 'c' && cell) {
        const read = readCell(cell, inline.end, context)
        if (read && cell.column >= MAX_TABLE_COLUMNS)
          throw new TableRefused('spreadsheet/too-many-columns', { max: MAX_TABLE_COLUMNS })
        if (read) cells[cell.column] = read
        characters += read?.text.length ?? 0
        if (characters > MAX_CHARACTERS) throw new TableRefused('spreadsheet/unpacks-too-large')
        cell = undefined
      }
      if (name === 'row' && cells.length > 0) {
        if (rows.length > MAX_TABLE_ROWS) throw new TableRefused('spreadsheet/too-many-rows', { max: MAX_TABLE_ROWS })
        rows.push({ number, cells: Array.from(cells) })
      }
    },
  })
  return rows
}

function readCell(cell: OpenCell, inlineText: () => string, context: SheetContext): TableCell | undefined {
  const { type, value, style } = cell
  if (cell.isFormula) return { text: '', kind: 'formula' }
  if (type === 'inlineStr') return textCell(inlineText())
  if (value === '') return undefined
  if (type === 's') {
    const text = context.strings[wholeOf(value)]
    if (text === undefined) throw new TableRefused('spreadsheet/damaged')
    return textCell(text)
  }
  if (type === 'str') return textCell(value)
  if (type === 'e') return { text: value, kind: 'error' }
  if (type === 'b') return textCell(value === '1' ? 'TRUE' : 'FALSE')
  if (type === 'd') return { text: value, kind: 'date', day: value.slice(0, 10) }
  const number = Number(value)
  if (!Number.isFinite(number)) throw new TableRefused('spreadsheet/damaged')
  const day = dayOfSerial(number, context.is1904)
  return { text: numberText(value, number), kind: context.isDate(style) ? 'date' : 'number', day }
}

/** The database cannot store NUL and lone surrogates, which a workbook may contain as _x0000_ and _xD83D_. */
function textCell(text: string): TableCell | undefined {
  if (text.includes('\0') || !text.isWellFormed()) throw new TableRefused('spreadsheet/damaged')
  return text.trim() === '' ? undefined : { text, kind: 'text' }
}

/** Integers keep their digits, which a float could round. Other numbers use JavaScript's shortest form. */
function numberText(value: string, number: number): string {
  return /^-?\d+$/.test(value) ? value : String(number)
}

/**
 * Converts a spreadsheet date. Serial 1 is 1900-01-01 and counts a 29 February 1900 that did not exist, so earlier
 * serials than 61 are rejected. In the 1904 system serial 0 is 1904-01-01.
 */
function dayOfSerial(serial: number, is1904: boolean): Day | undefined {
  if (!Number.isInteger(serial) || serial < 61 || serial > 2_958_465) return undefined
  const zero = is1904 ? '1904-01-01' : '1899-12-30'
  return fromDayNumber(toDayNumber(zero as Day) + serial)
}

function columnOf(reference: string): number {
  const [columnName = ''] = /^[A-Z]{1,3}/.exec(reference) ?? []
  let column = 0
  for (const character of columnName) column = column * 26 + character.charCodeAt(0) - 64
  if (column === 0) throw new TableRefused('spreadsheet/damaged')
  return column - 1
}

function wholeOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TableRefused('spreadsheet/damaged')
  return Number(text)
}
