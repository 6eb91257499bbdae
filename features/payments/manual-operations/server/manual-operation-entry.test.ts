import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { describe, expect, test } from 'vitest'
import {
  agreementsWithOriginMonth,
  checkEntry,
  type ManualOperationInput,
  type RawRow,
} from './manual-operation-entry.ts'

const OCTOBER = 202610 as YearMonth
const KNOWN = [{ agreementId: 1n, publisherId: 1n }]
const entry = (parts: Partial<ManualOperationInput> = {}): ManualOperationInput => ({
  mediumId: 1n,
  month: 202611 as YearMonth,
  ...{ kind: 'csv', method: 'payment', extraRevenueYen: null, extraRevenueMonth: '2026-10', notes: '' },
  ...parts,
})
const row = (parts: Partial<RawRow> = {}): RawRow => ({
  ...{ agreementId: '1', publisherId: '1', amount: '-20000', weight: '', reason: '', originMonth: '' },
  ...parts,
})
const october = new Map([[1n, new Set([OCTOBER])]])
const originsOf = (input: ManualOperationInput, ...rows: RawRow[]) => {
  const checked = checkEntry(input, rows, KNOWN, october)
  return checked.ok ? checked.value.rows.map(each => each.originMonth) : checked.refusals.map(each => each.code)
}

describe('the month of a csv entry', () => {
  test('is the month of every row that names none', () => {
    expect(originsOf(entry(), row(), row({ originMonth: '2026-11' }))).toEqual([OCTOBER, 202611])
  })

  test('is checked like the month of a row', () => {
    expect(agreementsWithOriginMonth(entry(), [row()])).toEqual([1n])
    expect(originsOf(entry({ extraRevenueMonth: '2026-09' }), row())).toEqual(['payment/origin-month-unknown'])
  })

  test('leaves the rows to the rules where it is the booked month or none', () => {
    for (const extraRevenueMonth of ['', '2026-11']) {
      const input = entry({ extraRevenueMonth, method: 'discard' })
      expect(agreementsWithOriginMonth(input, [row()])).toEqual([])
      expect(originsOf(input, row({ amount: '100' }))).toEqual([null])
    }
  })

  test('is refused once where it cannot be read or lies in the future', () => {
    for (const extraRevenueMonth of ['2026-13', '2026-12'])
      expect(originsOf(entry({ extraRevenueMonth }), row(), row())).toEqual(['dividend/extra-month-wrong'])
  })

  test('is no month of a pool’s rows', () => {
    expect(agreementsWithOriginMonth(entry({ kind: 'ssp' }), [row({ weight: '1' })])).toEqual([])
  })
})
