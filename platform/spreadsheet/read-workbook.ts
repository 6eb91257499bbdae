import { sharedStrings } from './shared-strings.ts'
import { readSheet } from './sheet-rows.ts'
import { TableRefused } from './table-refused.ts'
import type { TableRow } from './table-row.ts'
import { openWorkbookArchive, type WorkbookArchive } from './workbook-archive.ts'

/** Name of the data sheet in our templates. */
const DATA_SHEET = 'データ'

interface SheetOfBook {
  readonly name: string
  readonly relation: string
  readonly isHidden: boolean
}

/** The rows of the data sheet. @throws TableRefused */
export async function readWorkbook(bytes: Buffer): Promise<TableRow[]> {
  const archive = await openWorkbookArchive(bytes)
  if (archive.names.some(name => /vbaProject|macrosheets/i.test(name))) throw new TableRefused('spreadsheet/macros')
  const { sheets, is1904 } = await readBook(archive)
  const sheet = chosen(sheets)
  const targets = await relations(archive)
  const path = targets.get(sheet.relation)
  if (path === undefined || !archive.has(path)) throw new TableRefused('spreadsheet/damaged')
  const strings = await sharedStrings(archive)
  const isDate = await dateStyles(archive)
  return readSheet(archive, path, { strings, isDate, is1904 })
}

async function readBook(archive: WorkbookArchive) {
  if (!archive.has('xl/workbook.xml')) throw new TableRefused('spreadsheet/damaged')
  const sheets: SheetOfBook[] = []
  let is1904 = false
  await archive.readXml('xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const relation = Object.entries(attributes).find(([key]) => key === 'id' || key.endsWith(':id'))?.[1] ?? ''
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      sheets.push({ name: attributes.name ?? '', relation, isHidden })
    },
  })
  return { sheets, is1904 }
}

function chosen(sheets: readonly SheetOfBook[]): SheetOfBook {
  const named = sheets.find(({ name }) => name === DATA_SHEET)
  if (named?.isHidden) throw new TableRefused('spreadsheet/sheet-hidden', { name: named.name })
  if (named) return named
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const [only] = visible
  if (!only) throw new TableRefused('spreadsheet/empty')
  if (visible.length > 1) {
    const names = visible.map(({ name }) => name.slice(0, 31)).slice(0, 5)
    throw new TableRefused('spreadsheet/sheets-ambiguous', { names: names.join('、') })
  }
  return only
}

/** Paths of the workbook's parts by relationship id, without links to other files. */
async function relations(archive: WorkbookArchive): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  await archive.readXml('xl/_rels/workbook.xml.rels', {
    open(name, { Id, Target, TargetMode }) {
      if (name !== 'Relationship' || !Id || !Target || TargetMode === 'External') return
      found.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  return found
}

/** Built-in number formats that show a date; 27 to 36 and 50 to 58 are Japanese. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** Returns a function that says whether a cell style shows its number as a date. */
async function dateStyles(archive: WorkbookArchive): Promise<(style: number) => boolean> {
  const dates = new Set<number>()
  const styles: boolean[] = []
  let isInCells = false
  await archive.readXml('xl/styles.xml', {
    open(name, attributes) {
      if (name === 'numFmt' && /[yde]/i.test(plainFormat(attributes.formatCode ?? '')))
        dates.add(Number(attributes.numFmtId))
      if (name === 'cellXfs') isInCells = true
      if (name === 'xf' && isInCells) {
        const id = Number(attributes.numFmtId ?? 0)
        styles.push(isBuiltInDate(id) || dates.has(id))
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return style => styles[style] ?? false
}

/** A format code without literal texts, colours, conditions, General and exponents, which may contain date letters. */
function plainFormat(code: string): string {
  return code.replaceAll(/"[^"]*"|\\.|_.|\[[^\]]*\]|General|E[+-]/gi, '')
}
