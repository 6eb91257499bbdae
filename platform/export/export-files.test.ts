import { crc32, inflateRawSync } from 'node:zlib'
import type { ExportRow } from '@pc/domain/spreadsheet/export-column.ts'
import { expect, test, vi } from 'vitest'
import { csvFile } from './csv-file.ts'
import type { ExportTable } from './export-table.ts'
import { xlsxFile } from './xlsx-file.ts'

/** Names that spreadsheets would run, that break a line or a cell, or that XML does not allow. */
const HOSTILE_NAMES = [
  ...['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1+1', '\r=1+1', '\n=1+1', ' =1+1', '　=1+1'],
  ...['＝1+1', '＋1', '－1', '＠SUM(A1)', '=HYPERLINK("http://evil.example","x")', "=cmd|' /C calc'!A0"],
  ...['"=1+1"', 'a,"b"\r\n=1+1', '\u200B=1+1', '<b>&amp;\u0001</b>'],
]
const signal = new AbortController().signal

function tableOf(rows: readonly ExportRow[], piece = 2): ExportTable {
  return {
    fileName: 't',
    title: '表',
    facts: [['集計期間', '2026年11月1日']],
    columns: [
      { header: '名前', kind: 'text', definition: '名前です。' },
      { header: '収益（円）', kind: 'integer' },
      { header: 'RPM', kind: 'tenths' },
      { header: '率', kind: 'percent' },
      { header: '時間', kind: 'seconds' },
      { header: '日', kind: 'day' },
    ],
    total: rows.length,
    resource: 'insight:article_stats.',
    async *rows() {
      for (let at = 0; at < rows.length; at += piece) yield rows.slice(at, at + piece)
    },
  }
}

async function collect(file: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of file) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The entries of an archive by its directory, with the sums checked. */
function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  let at = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [crc, packed, size, nameLength, start] = [16, 20, 24, 28, 42].map((offset, index) =>
      index === 3 ? archive.readUInt16LE(at + offset) : archive.readUInt32LE(at + offset),
    ) as [number, number, number, number, number]
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const body = start + 30 + archive.readUInt16LE(start + 26)
    const content = inflateRawSync(archive.subarray(body, body + packed))
    expect([crc32(content), content.length]).toEqual([crc, size])
    files.set(name, content.toString('utf8'))
    at += 46 + nameLength
  }
  return files
}

test('a text file: byte order mark, CRLF, numbers as numbers, nothing is not zero', async () => {
  const rows = [
    ['a,"b"', -1_234n, -5, 123, 3_661, '2026-11-01'],
    [null, null, 0, null, null, null],
  ]
  const reported: number[] = []
  const file = await collect(csvFile(tableOf(rows), 'csv', signal, count => reported.push(count)))
  expect(file.toString('utf8')).toBe(
    '\uFEFF名前,収益（円）,RPM,率,時間（秒）,日\r\n"a,""b""",-1234,-0.5,12.3%,3661,2026-11-01\r\n,,0.0,,,\r\n',
  )
  expect(reported).toEqual([2])
})

test('hostile names stay texts, and every line has the same number of cells', async () => {
  const rows = HOSTILE_NAMES.map((name): ExportRow => [name, 1n, 1, 1, 1, '2026-11-01'])
  const text = (await collect(csvFile(tableOf(rows), 'csv', signal, () => {}))).toString('utf8')
  const lines = readCsv(text)
  expect(lines).toHaveLength(HOSTILE_NAMES.length + 1)
  for (const cells of lines) {
    expect(cells).toHaveLength(6)
    expect(cells[0]).not.toMatch(/^[\s\p{Cf}]*[=+\-@＝＋－＠]/u)
  }
  const sheet = unzip(await collect(xlsxFile(tableOf(rows), signal, () => {}))).get('xl/worksheets/sheet1.xml')!
  expect(sheet).not.toContain('<f>')
  expect(sheet.match(/t="inlineStr"/g)).toHaveLength(6 + HOSTILE_NAMES.length)
  expect(sheet).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;')
})

test('a workbook: typed cells, further sheets where one is full, and what it is about', async () => {
  const rows = [1n, 2n, 3n, 4n, 5n].map((n): ExportRow => ['名', n, 15, 123, 43_200, '2026-11-01'])
  const reported: number[] = []
  const files = unzip(await collect(xlsxFile(tableOf(rows, 3), signal, count => reported.push(count), 3)))
  const sheets = [...files.keys()].filter(name => name.startsWith('xl/worksheets/'))
  expect(sheets).toHaveLength(4)
  const values = (name: string) => [...files.get(name)!.matchAll(/<c s="2"><v>(\d+)<\/v>/g)].map(match => match[1])
  expect(sheets.slice(0, 3).map(values)).toEqual([['1', '2'], ['3', '4'], ['5']])
  expect(files.get(sheets[0]!)).toContain(
    '<c s="3"><v>1.5</v></c><c s="4"><v>0.123</v></c><c s="5"><v>0.5</v></c><c s="6"><v>46327</v></c>',
  )
  expect(files.get(sheets[3]!)).toContain('名前です。')
  expect(files.get('xl/workbook.xml')).toContain('データ（2）')
  expect(reported.reduce((sum, count) => sum + count, 0)).toBe(5)
})

test('an empty table, and one that fills its sheet exactly', async () => {
  const none = unzip(await collect(xlsxFile(tableOf([]), signal, () => {}, 3)))
  expect([...none.keys()].filter(name => name.includes('sheet'))).toHaveLength(2)
  const full = tableOf([1n, 2n].map((n): ExportRow => ['名', n, 1, 1, 1, '2026-11-01']))
  const files = unzip(await collect(xlsxFile(full, signal, () => {}, 3)))
  expect([...files.keys()].filter(name => name.includes('sheet'))).toHaveLength(2)
})

test('a text longer than a cell holds is cut between its characters, never within what XML writes for one', async () => {
  const table = { ...tableOf([]), facts: [['パブリッシャー', `${'&'.repeat(32_766)}😀終`]] as const }
  const files = unzip(await collect(xlsxFile(table, signal, () => {})))
  expect(files.get('xl/worksheets/sheet2.xml')).toContain(`>${'&amp;'.repeat(32_766)}</t>`)
})

test('what fails while it is read fails for the reader; who stops reading stops the source', async () => {
  let isEnded = false
  const endless: ExportTable = {
    ...tableOf([]),
    async *rows() {
      try {
        for (;;) yield [[`${Math.random()}`.repeat(4_000), 1n, 1, 1, 1, '2026-11-01']]
      } finally {
        isEnded = true
      }
    },
  }
  for await (const piece of xlsxFile(endless, signal, () => {})) if (piece.length > 1_000) break
  await vi.waitFor(() => expect(isEnded).toBe(true))
  const broken: ExportTable = {
    ...tableOf([]),
    // biome-ignore lint/correctness/useYield: it fails before the first row
    async *rows() {
      throw new Error('the store is gone')
    },
  }
  await expect(collect(xlsxFile(broken, signal, () => {}))).rejects.toThrow('the store is gone')
  await expect(collect(csvFile(broken, 'csv', signal, () => {}))).rejects.toThrow('the store is gone')
})

test('cp932: a character that it does not have is a question mark, and what follows is whole', async () => {
  const rows: ExportRow[] = [['髙橋の〜😀한', 1n, 1, 1, 1, '2026-11-01']]
  const file = await collect(csvFile(tableOf(rows), 'csv-cp932', signal, () => {}))
  expect(new TextDecoder('shift_jis').decode(file)).toBe(
    '名前,収益（円）,RPM,率,時間（秒）,日\r\n髙橋の～??,1,0.1,0.1%,1,2026-11-01\r\n',
  )
})

/** RFC 4180, as a spreadsheet reads it. */
function readCsv(text: string): string[][] {
  const cells = text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}
