import { formulaSafe } from '@pc/domain/text/spreadsheet-text.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('begins with a byte order mark and quotes what needs it', () => {
  expect(
    toCsv([
      ['名前', 1, null],
      ['a,"b"', -2, undefined],
    ]),
  ).toBe('\uFEFF名前,1,\r\n"a,""b""",-2,\r\n')
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  '=HYPERLINK("http://x")',
  ' =1',
  '\n=1',
  '\u200B=1',
  '\u00A0=1',
  '|cmd',
  '%0A=1',
  '−1',
])('makes %j harmless in a spreadsheet', text => {
  expect(readCsv(toCsv([[text]]))).toEqual([[`'${text}`]])
})

test('can be read back', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { minLength: 3, maxLength: 3 }), { minLength: 1 }), rows => {
      const written = rows.map(row => row.map(formulaSafe))
      expect(readCsv(toCsv(rows))).toEqual(written)
    }),
  )
})

/** Reads RFC 4180 as a spreadsheet does. */
function readCsv(text: string): string[][] {
  const cells = text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}
