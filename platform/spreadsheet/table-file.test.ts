import type { ZipEntry } from '@pc/domain/spreadsheet/zip.ts'
import { encodeWindows31j } from '@pc/platform/text/windows-31j.ts'
import { expect, test } from 'vitest'
import { zipFile } from '../export/zip-file.ts'
import { readTableFile } from './table-file.ts'

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const RELATION = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const sheetXml = (rows: string, after = '') => `<worksheet ${MAIN}><sheetData>${rows}</sheetData>${after}</worksheet>`
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const HEADER = `<row r="1">${text('名前')}${text('日')}</row>`

interface Book {
  readonly sheet?: string
  readonly sheets?: string
  readonly properties?: string
  readonly more?: Readonly<Record<string, string | (() => Iterable<string>)>>
}

async function zipped(entries: readonly ZipEntry[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of zipFile(entries)) pieces.push(piece)
  return Buffer.concat(pieces)
}

function bookOf({ sheet = sheetXml(HEADER), sheets, properties = '', more = {} }: Book): Promise<Buffer> {
  const files: Record<string, string | (() => Iterable<string>)> = {
    'xl/workbook.xml': `<workbook ${MAIN} ${RELATION}>${properties}<sheets>${sheets ?? '<sheet name="A" r:id="r1"/>'}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
    'xl/styles.xml': `<styleSheet ${MAIN}><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/><numFmt numFmtId="165" formatCode="#,##0&quot;yen&quot;"/></numFmts><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    ...more,
  }
  return zipped(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: typeof content === 'string' ? [content] : content(),
    })),
  )
}

const rowsOf = async (bytes: Buffer) => {
  const read = await readTableFile(bytes)
  if (!read.ok) throw new Error(JSON.stringify(read.refusals))
  return read.value
}
const codeOf = async (bytes: Buffer) => {
  const read = await readTableFile(bytes)
  return read.ok ? `read ${read.value.length}` : read.refusals.map(({ code }) => code).join()
}
const wide = (count: number) => Array.from({ length: count }, () => text('x')).join('')

test('cells of every kind: inline, shared, rich, with a phonetic guide, numbers, days of both calendars', async () => {
  const strings =
    `<sst ${MAIN}><si><r><t>髙</t></r><r><t>﨑</t></r><rPh><t>たかさき</t></rPh></si>` +
    '<si><t>二行_x000A_め &amp;</t></si></sst>'
  const row = `<row r="3"><c r="A3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3"><v>12000</v></c>\
<c r="E3" s="1"><v>46113</v></c><c r="F3" s="2"><v>46113</v></c><c r="G3" s="3"><v>9007199254740993</v></c>\
<c r="H3" t="b"><v>1</v></c><c r="I3"><f>A1</f><v>5</v></c><c r="J3" t="e"><v>#N/A</v></c><c r="K3"/></row>`
  const more = { 'xl/sharedStrings.xml': strings }
  const [, read] = await rowsOf(await bookOf({ sheet: sheetXml(`${HEADER}<row r="2"/>${row}`), more }))
  expect(read?.number).toBe(3)
  expect(read?.cells.map(cell => cell && [cell.kind, cell.text, cell.kind === 'date' ? cell.day : ''])).toEqual([
    ['text', '髙﨑', ''],
    undefined,
    ['text', '二行\n', ''].with(1, '二行\nめ &'),
    ['number', '12000', ''],
    ['date', '46113', '2026-04-01'],
    ['date', '46113', '2026-04-01'],
    ['number', '9007199254740993', ''],
    ['text', 'TRUE', ''],
    ['formula', '', ''],
    ['error', '#N/A', ''],
  ])
  const [cdata] = await rowsOf(await bookOf({ sheet: sheetXml(`<row>${text('<![CDATA[a<b]]>')}</row>`) }))
  expect(cdata?.cells[0]?.text).toBe('a<b')
  const old = await rowsOf(
    await bookOf({
      properties: '<workbookPr date1904="1"/>',
      sheet: sheetXml(`${HEADER}<row><c s="1"><v>44651</v></c></row>`),
    }),
  )
  expect(old[1]?.cells[0]?.day).toBe('2026-04-01')
})

test('a million formatted empty rows are nothing; twenty thousand rows are the most', async () => {
  const empty = function* () {
    yield `<worksheet ${MAIN}><sheetData>${HEADER}<row r="2">${text('a')}</row>`
    for (let at = 3; at <= 1_048_576; at += 8_192)
      yield Array.from({ length: 8_192 }, (_, n) => `<row r="${at + n}"><c r="A${at + n}" s="1"/></row>`).join('')
    yield '</sheetData></worksheet>'
  }
  expect(await codeOf(await bookOf({ more: { 'xl/worksheets/sheet1.xml': empty } }))).toBe('read 2')
  const many = function* () {
    yield `<worksheet ${MAIN}><sheetData>`
    for (let at = 1; at <= 20_002; at += 1) yield `<row>${text('a')}</row>`
    yield '</sheetData></worksheet>'
  }
  expect(await codeOf(await bookOf({ more: { 'xl/worksheets/sheet1.xml': many } }))).toBe('spreadsheet/too-many-rows')
})

test('a hostile workbook is refused with what to do, whatever it tries', async () => {
  const bomb = function* () {
    for (let megabyte = 0; megabyte < 201; megabyte += 1) yield ' '.repeat(1_048_576)
  }
  const laughs = `<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${sheetXml(`<row>${text('&b;')}</row>`)}`
  const two = '<sheet name="A" r:id="r1"/><sheet name="B" r:id="r2"/>'
  const hidden = '<sheet name="データ" state="veryHidden" r:id="r1"/><sheet name="B" r:id="r2"/>'
  const good = await bookOf({})
  const broken = Buffer.from(good)
  broken.fill(0xff, 40, 60)
  const liar = Buffer.from(good)
  // The size that the directory declares.
  liar.writeUInt32LE(7, liar.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24)
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['bomb', await bookOf({ more: { 'xl/media/x.bin': bomb } }), 'spreadsheet/unpacks-too-large'],
    ['entities', await bookOf({ sheet: laughs }), 'spreadsheet/declares-entities'],
    ['unknown entity', await bookOf({ sheet: sheetXml(`<row>${text('&b;')}</row>`) }), 'spreadsheet/damaged'],
    ['deep', await bookOf({ sheet: '<a>'.repeat(200) }), 'spreadsheet/damaged'],
    ['macros', await bookOf({ more: { 'xl/vbaProject.bin': 'x' } }), 'spreadsheet/macros'],
    ['two sheets', await bookOf({ sheets: two }), 'spreadsheet/sheets-ambiguous'],
    ['hidden', await bookOf({ sheets: hidden }), 'spreadsheet/sheet-hidden'],
    ['data sheet', await bookOf({ sheets: two.replace('"B"', '"データ"') }), 'read 1'],
    [
      'merged',
      await bookOf({ sheet: sheetXml(HEADER, '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>') }),
      'spreadsheet/merged-cells',
    ],
    ['wide', await bookOf({ sheet: sheetXml(`<row>${wide(101)}</row>`) }), 'spreadsheet/too-many-columns'],
    ['empty', await bookOf({ sheet: sheetXml('') }), 'spreadsheet/empty'],
    [
      'shared text that is not there',
      await bookOf({ sheet: sheetXml('<row><c t="s"><v>7</v></c></row>') }),
      'spreadsheet/damaged',
    ],
    ['external sheet', await bookOf({ more: EXTERNAL }), 'spreadsheet/damaged'],
    ['broken', broken, 'spreadsheet/damaged'],
    ['a size that is not so', liar, 'spreadsheet/damaged'],
    ['cut', good.subarray(0, 200), 'spreadsheet/damaged'],
    ['old or locked', Buffer.from('d0cf11e0a1b11ae1ffff', 'hex'), 'spreadsheet/old-or-locked'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), 'spreadsheet/encoding-unknown'],
    ['nothing', Buffer.alloc(0), 'spreadsheet/empty'],
    ['open quote', Buffer.from('a,b\n1,"2\n3'), 'spreadsheet/quote-open'],
    ['too large', Buffer.alloc(21 * 1_048_576, 'a'), 'spreadsheet/too-large'],
    ['one text in every cell', await bookOf(REPEATED), 'spreadsheet/unpacks-too-large'],
    ['a row twice', await bookOf({ sheet: sheetXml(`${HEADER}<row r="1">${text('a')}</row>`) }), 'spreadsheet/damaged'],
    ['row nought', await bookOf({ sheet: sheetXml(`<row r="0">${text('a')}</row>`) }), 'spreadsheet/damaged'],
    ['NUL', await bookOf({ sheet: sheetXml(`<row>${text('a_x0000_b')}</row>`) }), 'spreadsheet/damaged'],
    ['half a character', await bookOf({ sheet: sheetXml(`<row>${text('_xD83D_')}</row>`) }), 'spreadsheet/damaged'],
    ['names of the prototype', await bookOf({ more: { __proto__x: 'x', constructor: 'x' } }), 'read 1'],
  ]
  for (const [name, bytes, code] of cases) expect([name, await codeOf(bytes)]).toEqual([name, code])
})
/** Two megabytes that are shared by a thousand cells: kept, they would be two gigabytes. */
const REPEATED = {
  sheet: sheetXml('<row><c t="s"><v>0</v></c></row>'.repeat(1_000)),
  more: { 'xl/sharedStrings.xml': `<sst ${MAIN}><si><t>${'あ'.repeat(1_000_000)}</t></si></sst>` },
}
const EXTERNAL = {
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="r1" TargetMode="External" Target="https://evil.example/sheet.xml"/></Relationships>',
}

test('text files: with and without a byte order mark, and as Windows in Japan writes them', async () => {
  const content = '名前,日\r\n髙﨑①,"a\n""b"""\r\n\r\n\'=1+1,\'\'=x\r\n'
  for (const bytes of [
    Buffer.from(content),
    Buffer.from(`\uFEFF${content}`),
    Buffer.from(encodeWindows31j(content).bytes),
  ]) {
    const rows = await rowsOf(bytes)
    expect(rows.map(({ number, cells }) => [number, ...cells.map(cell => cell?.text)])).toEqual([
      [1, '名前', '日'],
      [2, '髙﨑①', 'a\n"b"'],
      [4, '=1+1', "'=x"],
    ])
  }
})
