import { describe, expect, it } from 'vitest'
import type { YearMonth } from '../month/year-month.ts'
import { fieldsOfMonth } from './terms-history.ts'

const month = (value: number) => value as YearMonth
const HISTORY = [
  { validFromMonth: month(202611), value: { fixedYen: 30_000, timing: 'next', threshold: null } },
  { validFromMonth: month(202702), value: { fixedYen: 50_000, timing: 'next', threshold: 1_000 } },
]

describe('fieldsOfMonth', () => {
  const untouched = HISTORY[0]!.value
  it('gives what is in force in the new month to fields that nobody has touched', () => {
    const months = { before: month(202611), after: month(202703) }
    expect(fieldsOfMonth(HISTORY, untouched, months)).toEqual({ fixedYen: 50_000, threshold: 1_000 })
    expect(fieldsOfMonth(HISTORY, { ...untouched, fixedYen: 42 }, months)).toEqual({ threshold: 1_000 })
  })
  it('goes back as well, and before the first version to its terms', () => {
    const months = { before: month(202703), after: month(202606) }
    expect(fieldsOfMonth(HISTORY, HISTORY[1]!.value, months)).toEqual({ fixedYen: 30_000, threshold: null })
  })
  it('changes nothing between months of one version, and without a history', () => {
    const months = { before: month(202611), after: month(202701) }
    expect(fieldsOfMonth(HISTORY, untouched, months)).toEqual({})
    expect(fieldsOfMonth([], untouched, { before: month(202611), after: month(202703) })).toEqual({})
  })
})
