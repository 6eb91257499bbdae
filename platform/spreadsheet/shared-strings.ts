import { TableRefused } from './table-refused.ts'
import type { WorkbookArchive } from './workbook-archive.ts'

/** Far above real workbooks. A small archive could otherwise unpack to more than the memory. */
const MAX_STRINGS = 2_000_000

/** The workbook's shared string table. Tested by `platform/spreadsheet/table-file.test.ts`. */
export async function sharedStrings(archive: WorkbookArchive): Promise<readonly string[]> {
  const strings: string[] = []
  const collect = textCollector()
  await archive.readXml('xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') collect.begin()
      else collect.open(name)
    },
    text: collect.text,
    close(name) {
      collect.close(name)
      if (name !== 'si') return
      if (strings.length >= MAX_STRINGS) throw new TableRefused('spreadsheet/unpacks-too-large')
      strings.push(collect.end())
    },
  })
  return strings
}

/** Joins the runs of a rich text and skips phonetic guides (furigana). */
export function textCollector() {
  let text = ''
  let isText = false
  let isPhonetic = false
  return {
    begin() {
      text = ''
    },
    open(name: string) {
      if (name === 'rPh') isPhonetic = true
      if (name === 't') isText = true
    },
    text(piece: string) {
      if (isText && !isPhonetic) text += piece
    },
    close(name: string) {
      if (name === 'rPh') isPhonetic = false
      if (name === 't') isText = false
    },
    /** Decodes escapes such as _x000A_ (line break). */
    end: () =>
      text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  }
}
