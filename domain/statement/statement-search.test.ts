import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchWords } from '../text/search-text.ts'
import { statementNumber } from './statement.ts'
import { numberSearch, statementSearchText } from './statement-search.ts'

const wordsOf = (typed: string) => searchWords(statementSearchText(typed))

test.each([
  ['2026年10月 あおい', ['202610', 'アオイ']],
  ['２０２６年１月分　ｱｵｲ', ['202601', 'アオイ']],
  ['あおい2026年1月分', ['アオイ', '202601']],
  ['令和8年3月 あおい', ['202603', 'アオイ']],
  ['令和元年12月', ['201912']],
  ['2026/3', ['202603']],
  ['2026-03 あおい', ['202603', 'アオイ']],
  ['202603-002101', ['202603002101']],
  ['2026年13月', ['2026年13月']],
  ['第3版 1.2', ['第3版', '12']],
])('%s', (typed, words) => {
  expect(wordsOf(typed)).toEqual(words)
})

const months = fc.record({ year: fc.integer({ min: 2020, max: 2099 }), month: fc.integer({ min: 1, max: 12 }) })
const widths = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replace(/[0-9]/g, digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
)

test('every way to write a month begins the numbers of its statements, and of no other month', () => {
  const ways = fc.constantFrom(
    (year: number, month: number) => `${year}年${month}月`,
    (year: number, month: number) => `${year}年${String(month).padStart(2, '0')}月分`,
    (year: number, month: number) => `令和${year - 2018}年${month}月`,
    (year: number, month: number) => `${year}/${month}`,
    (year: number, month: number) => `${year}-${String(month).padStart(2, '0')}`,
  )
  fc.assert(
    fc.property(
      months,
      months,
      fc.bigInt({ min: 1n, max: 9_999_999n }),
      ways,
      widths,
      (requested, other, id, way, wide) => {
        const [word] = wordsOf(wide(way(requested.year, requested.month)))
        const { beginning } = numberSearch(word ?? '')!
        const isSame = requested.year === other.year && requested.month === other.month
        expect(statementNumber((other.year * 100 + other.month) as never, id).startsWith(beginning!)).toBe(isSame)
      },
    ),
  )
})

test('a number is found by every beginning of it, and by its second part alone', () => {
  fc.assert(
    fc.property(months, fc.bigInt({ min: 1n, max: 9_999_999n }), fc.nat(), ({ year, month }, id, cut) => {
      const number = statementNumber((year * 100 + month) as never, id)
      const begun = number.slice(0, 1 + (cut % number.length))
      const [word] = wordsOf(begun)
      expect(number.startsWith(numberSearch(word ?? '')!.beginning!)).toBe(true)
      const [second] = wordsOf(number.split('-')[1] ?? '')
      expect(numberSearch(second ?? '')?.agreementId).toBe(id)
    }),
  )
})

test('what is no number asks for none, whatever is typed', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), typed => void wordsOf(typed)))
  expect(numberSearch('アオイ')).toBeUndefined()
  expect(numberSearch('')).toBeUndefined()
  expect(numberSearch('9'.repeat(15))?.agreementId).toBe(999_999_999_999_999n)
  expect(numberSearch('9'.repeat(16))?.agreementId).toBeUndefined()
})

test('no more than a month is a range of months, which may be none, or all of them', () => {
  const months = (word: string) => numberSearch(word)?.months
  expect(months('202605')).toEqual({ from: 202605, to: 202605 })
  expect(months('2026')).toEqual({ from: 202600, to: 202699 })
  expect(numberSearch('2')).toMatchObject({ isAnyMonth: true })
  expect(numberSearch('2026')).toMatchObject({ isAnyMonth: false })
  expect(numberSearch('17')).toEqual({ beginning: undefined, months: undefined, isAnyMonth: false, agreementId: 17n })
  expect(months('202605000017')).toBeUndefined()
  expect(numberSearch('202605000017')?.beginning).toBe('202605-000017')
})

test('statements are of the months from January 2000 to December 2099', () => {
  const beginning = (word: string) => numberSearch(word)?.beginning
  expect(['199912', '200000', '200001', '209912', '209913'].map(beginning)).toEqual([
    undefined,
    undefined,
    '200001',
    '209912',
    undefined,
  ])
})
