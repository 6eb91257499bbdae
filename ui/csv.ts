/** A cell: text, a number that must stay a number, or nothing. */
export type CsvCell = string | number | null | undefined

/** What a spreadsheet would run as a formula, in half and full width. */
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/

/**
 * Comma-separated text for Japanese spreadsheets: UTF-8 with a byte order mark, CRLF, and texts that would run as a
 * formula made harmless by a leading apostrophe.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map(row => `${row.map(writeCell).join(',')}\r\n`).join('')}`
}

function writeCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = FORMULA_START.test(cell) ? `'${cell}` : cell
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

interface DownloadedFile {
  readonly fileName: string
  readonly lines: number
}

let noteDownload: (file: DownloadedFile) => void = () => {}

/** Who is told of every file that a page makes: the audit log, through the API. */
export function noteDownloadsWith(note: typeof noteDownload): void {
  noteDownload = note
}

export function downloadCsv(fileName: string, rows: readonly (readonly CsvCell[])[]): void {
  noteDownload({ fileName, lines: rows.length })
  const url = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }))
  const anchor = Object.assign(document.createElement('a'), { href: url, download: fileName })
  anchor.click()
  // The download has been handed over by then; revoking at once cancels it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
