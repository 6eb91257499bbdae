import { csvText } from '@pc/domain/text/spreadsheet-text.ts'
import { noteDownload } from './note-download.ts'
import { saveFile } from './save-file.ts'

/** A cell: text, a number that must stay a number, or empty. */
export type CsvCell = string | number | null | undefined

/**
 * Comma-separated text for Japanese spreadsheets: UTF-8 with a byte order mark, CRLF. Texts that would run as a formula
 * get a leading apostrophe.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map(row => `${row.map(writeCell).join(',')}\r\n`).join('')}`
}

function writeCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'number' ? String(cell) : csvText(cell)
}

/** Saves the rows as a file and records the download; the header is one of the rows. */
export function downloadCsv(fileName: string, rows: readonly (readonly CsvCell[])[]): void {
  noteDownload({ fileName, lines: rows.length })
  saveFile(fileName, new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }))
}
