import { type Day, dayOf } from './day.ts'
import { type YearMonth, yearMonth } from './year-month.ts'

/**
 * A day as people type it: `2026-11-30`, `2026/11/30`, `2026.11.30`, `20261130`, `2026年11月30日`, in any width.
 * Undefined while it is none.
 */
export function typedDay(text: string): Day | undefined {
  const match = /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{2})(\d{2}))$/.exec(plain(text))
  if (!match) return undefined
  const [year, month, date] = [match[1], match[2] ?? match[4], match[3] ?? match[5]].map(Number)
  return orUndefined(() => dayOf(year!, month!, date!))
}

/** A month likewise: `2026-11`, `2026/11`, `2026.11`, `202611`, `2026年11月`. Undefined while it is none. */
export function typedMonth(text: string): YearMonth | undefined {
  const match = /^(\d{4})(?:[-/.年](\d{1,2})月?|(\d{2}))$/.exec(plain(text))
  if (!match) return undefined
  return orUndefined(() => yearMonth(Number(match[1]), Number(match[2] ?? match[3])))
}

function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s/g, '')
}

/** A text may say a day that does not exist, such as 2026/2/30. */
function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
