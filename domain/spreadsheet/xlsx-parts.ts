import { day, daysBetween } from '../month/day.ts'
import type { ExportCell, ExportColumn, ExportContent, ExportKind, ExportRow, ExportRows } from './export-column.ts'

/** What a sheet of a spreadsheet program can hold, with its header. */
const ROWS_PER_SHEET = 1_048_576
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
/** Index into `cellXfs` of the style sheet below. */
const STYLE_OF: Readonly<Record<ExportKind, number>> = {
  text: 0,
  value: 0,
  integer: 2,
  tenths: 3,
  percent: 4,
  seconds: 5,
  day: 6,
}
const HEADER_STYLE = 1
const WRAPPED_STYLE = 7
const WIDTH_OF: Readonly<Record<ExportKind, number>> = {
  ...{ text: 24, value: 20, integer: 14, tenths: 12, percent: 12, seconds: 12, day: 12 },
}

/** A file in the archive that a workbook is. */
export interface WorkbookPart {
  readonly name: string
  readonly content: AsyncIterable<string> | Iterable<string>
}

/**
 * The parts of a workbook, piece by piece: the table (continued on further sheets where one is full), then a sheet that
 * says what it is about and what its columns mean. Texts are cells of type text, which no program runs as a formula.
 */
export async function* xlsxParts(
  content: ExportContent,
  rows: ExportRows,
  onRows: (count: number) => void,
  rowsPerSheet = ROWS_PER_SHEET,
): AsyncIterable<WorkbookPart> {
  const names: string[] = []
  const nextFile = (name: string) => {
    names.push(name)
    return `xl/worksheets/sheet${names.length}.xml`
  }
  const pieces = rows[Symbol.asyncIterator]()
  const source: { rest: readonly ExportRow[]; isOver: boolean } = { rest: [], isOver: false }
  try {
    do {
      const name = nextFile(names.length === 0 ? 'データ' : `データ（${names.length + 1}）`)
      yield { name, content: dataSheet(content.columns, source, pieces, onRows, rowsPerSheet) }
    } while (!source.isOver || source.rest.length > 0)
  } finally {
    await pieces.return?.()
  }
  yield { name: nextFile('条件と項目の説明'), content: factSheet(content) }
  yield { name: 'xl/styles.xml', content: [STYLES] }
  yield { name: 'xl/workbook.xml', content: [workbook(names)] }
  yield { name: 'xl/_rels/workbook.xml.rels', content: [workbookRelations(names.length)] }
  yield { name: '_rels/.rels', content: [RELATIONS] }
  yield { name: '[Content_Types].xml', content: [contentTypes(names.length)] }
}

async function* dataSheet(
  columns: readonly ExportColumn[],
  source: { rest: readonly ExportRow[]; isOver: boolean },
  pieces: AsyncIterator<readonly ExportRow[]>,
  onRows: (count: number) => void,
  rowsPerSheet: number,
): AsyncIterable<string> {
  const widths = columns.map(({ kind, width }) => width ?? WIDTH_OF[kind])
  yield sheetStart(widths, true)
  yield rowXml(columns.map(({ header }) => textCell(header, HEADER_STYLE)))
  const styles = columns.map(({ kind }) => STYLE_OF[kind])
  let left = rowsPerSheet - 1
  while (left > 0) {
    if (source.rest.length === 0) {
      const next = await pieces.next()
      if (next.done) {
        source.isOver = true
        break
      }
      source.rest = next.value
    }
    const now = source.rest.slice(0, left)
    source.rest = source.rest.slice(now.length)
    left -= now.length
    yield now.map(row => rowXml(columns.map(({ kind }, at) => cellXml(kind, row[at] ?? null, styles[at]!)))).join('')
    onRows(now.length)
  }
  if (left === 0 && source.rest.length === 0) {
    const next = await pieces.next()
    if (next.done) source.isOver = true
    else source.rest = next.value
  }
  yield '</sheetData></worksheet>'
}

function* factSheet({ title, facts, columns }: ExportContent): Iterable<string> {
  yield sheetStart([28, 96], false)
  const pair = (name: string, text: string, style: number) =>
    rowXml([textCell(name, style), textCell(text, WRAPPED_STYLE)])
  yield pair('レポート', title, 0)
  for (const [label, text] of facts) yield pair(label, text, 0)
  yield rowXml([])
  yield rowXml([textCell('項目', HEADER_STYLE), textCell('説明', HEADER_STYLE)])
  for (const { header, definition } of columns) if (definition) yield pair(header, definition, 0)
  yield '</sheetData></worksheet>'
}

function sheetStart(widths: readonly number[], isFrozen: boolean): string {
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
  const pane = isFrozen ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : ''
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  return `${XML}<worksheet xmlns="${MAIN}">${views}<cols>${cols.join('')}</cols><sheetData>`
}

const rowXml = (cells: readonly string[]) => `<row>${cells.join('')}</row>`

const textCell = (text: string, style: number) =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`

function cellXml(kind: ExportKind, cell: ExportCell, style: number): string {
  if (cell === null) return '<c/>'
  if (kind === 'text') return textCell(String(cell), style)
  if (kind === 'value') {
    if (typeof cell === 'string') return textCell(cell, style)
    return `<c s="${Number.isInteger(cell) ? STYLE_OF.integer : style}"><v>${cell}</v></c>`
  }
  return `<c s="${style}"><v>${numberOf(kind, cell)}</v></c>`
}

const SECONDS_PER_DAY = 86_400
/** The serial number of 1970-01-01 in spreadsheets, which wrongly count a 29 February 1900. */
const EPOCH = { day: day('1970-01-01'), number: 25_569 }

function numberOf(kind: ExportKind, cell: string | bigint | number): string {
  switch (kind) {
    case 'tenths':
      return String(Number(cell) / 10)
    case 'percent':
      return String(Number(cell) / 1000)
    case 'seconds':
      return String(Number(cell) / SECONDS_PER_DAY)
    case 'day':
      return String(EPOCH.number + daysBetween(EPOCH.day, day(String(cell))))
    default:
      return String(cell)
  }
}

/** Characters that a cell of a spreadsheet program can hold. */
const MAX_CHARACTERS = 32_767

/** XML 1.0 has no control characters and no halves of characters; a program that reads the file would call it damaged. */
function xmlText(text: string): string {
  return (
    cut(text.toWellFormed())
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  )
}

function cut(text: string): string {
  const isWithinOne = /[\uD800-\uDBFF]/.test(text.charAt(MAX_CHARACTERS - 1))
  return text.slice(0, isWithinOne ? MAX_CHARACTERS - 1 : MAX_CHARACTERS)
}

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="4"><numFmt numFmtId="164" formatCode="#,##0.0"/>\
<numFmt numFmtId="165" formatCode="0.0%"/><numFmt numFmtId="166" formatCode="[h]:mm:ss"/>\
<numFmt numFmtId="167" formatCode="yyyy\\-mm\\-dd"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Yu Gothic"/></font><font><b/><sz val="11"/><name val="Yu Gothic"/></font></fonts>\
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>\
<fill><patternFill patternType="solid"><fgColor rgb="FFE9F0FD"/></patternFill></fill></fills>\
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="8"><xf/>\
<xf fontId="1" fillId="2" applyFont="1" applyFill="1"/><xf numFmtId="3" applyNumberFormat="1"/>\
<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>\
<xf numFmtId="166" applyNumberFormat="1"/><xf numFmtId="167" applyNumberFormat="1"/>\
<xf applyAlignment="1"><alignment wrapText="1" vertical="top"/></xf></cellXfs></styleSheet>`

function workbook(names: readonly string[]): string {
  const sheets = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`
}

function workbookRelations(count: number): string {
  const sheets = Array.from({ length: count }, (_, at) =>
    relation(at + 1, 'worksheet', `worksheets/sheet${at + 1}.xml`),
  )
  const all = [...sheets, relation(count + 1, 'styles', 'styles.xml')]
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
}

const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`

const RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`

function contentTypes(sheets: number): string {
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const part = (name: string, type: string) => `<Override PartName="/${name}" ContentType="${kind}.${type}+xml"/>`
  const parts = Array.from({ length: sheets }, (_, at) => part(`xl/worksheets/sheet${at + 1}.xml`, 'worksheet'))
  return `${XML}<Types xmlns="${PACKAGE}/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>${part('xl/workbook.xml', 'sheet.main')}\
${part('xl/styles.xml', 'styles')}${parts.join('')}</Types>`
}
