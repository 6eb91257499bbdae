import { expect, test } from 'vitest'
import { sampleStatement } from './sample-statement.ts'
import { statementCsv } from './statement-csv.ts'

const rowsOf = (csv: string) => csv.slice(1).trimEnd().split('\r\n')

test('lines, months, rates, total and the way to the transfer, each with the head; the parts sum to the total', () => {
  const csv = statementCsv(sampleStatement(), 'ab')
  expect(csv.startsWith('\uFEFF番号,改訂,発行日,')).toBe(true)
  const rows = rowsOf(csv)
  expect(rows.every(row => row.split(',').length === 18)).toBe(true)
  const amounts = (kind: string, column: number) =>
    rows.filter(row => row.split(',')[11] === kind).map(row => BigInt(row.split(',')[column] || '0'))
  expect(amounts('明細', 14).reduce((sum, yen) => sum + yen)).toBe(73_782n)
  expect(amounts('税率別', 15)).toEqual([7_378n])
  expect(amounts('合計', 16)).toEqual([81_160n])
  expect(amounts('振込', 16)).toEqual([0n, -660n, 80_500n])
})

test('names that a spreadsheet would run, and names with commas and quotes, stay names', () => {
  for (const [name, cell] of [
    ['=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
    ['+81', "'+81"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['\tx', `"'\tx"`],
    ['甲,乙', '"甲,乙"'],
  ] as const) {
    const csv = statementCsv(sampleStatement({ payeeName: name, agreementName: name }), 'ab')
    const safe = name === '\tx' ? "'\tx" : cell
    expect(csv).toContain(`,${safe},`)
  }
})
