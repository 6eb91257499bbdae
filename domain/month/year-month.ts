import { type Day, dayOf, dayParts, daysInMonth } from './day.ts'

/** A calendar month as the integer YYYYMM, for example 202610. Stored and compared as that integer. */
export type YearMonth = number & { readonly __brand: 'YearMonth' }

/** The first month the product knows. */
export const EARLIEST_MONTH = 202012 as YearMonth

/** `month` is 1 … 12. Throws a RangeError when that is not a month of the years 1 to 9999. */
export function yearMonth(year: number, month: number): YearMonth {
  if (!Number.isInteger(year) || !Number.isInteger(month) || month < 1 || month > 12 || year < 1 || year > 9999) {
    throw new RangeError(`not a month: ${year}-${month}`)
  }
  return (year * 100 + month) as YearMonth
}

/** Reads `YYYY-MM`; undefined for anything else. */
export function parseYearMonth(text: string): YearMonth | undefined {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)
  return match && Number(match[1]) > 0 ? yearMonth(Number(match[1]), Number(match[2])) : undefined
}

/** `YYYY-MM`. */
export function formatYearMonth(value: YearMonth): string {
  return `${String(yearOf(value)).padStart(4, '0')}-${String(monthOf(value)).padStart(2, '0')}`
}

export function yearOf(value: YearMonth): number {
  return Math.trunc(value / 100)
}

/** 1 … 12. */
export function monthOf(value: YearMonth): number {
  return value % 100
}

/** A negative number of months goes back. */
export function addMonths(value: YearMonth, months: number): YearMonth {
  const index = yearOf(value) * 12 + (monthOf(value) - 1) + months
  return yearMonth(Math.floor(index / 12), (((index % 12) + 12) % 12) + 1)
}

/** Number of months from `from` to `to`; 0 for the same month. */
export function monthsBetween(from: YearMonth, to: YearMonth): number {
  return (yearOf(to) - yearOf(from)) * 12 + (monthOf(to) - monthOf(from))
}

/** Earlier months first. */
export function compareMonths(a: YearMonth, b: YearMonth): number {
  return a - b
}

/** The month that a day belongs to. */
export function monthOfDay(value: Day): YearMonth {
  const { year, month } = dayParts(value)
  return yearMonth(year, month)
}

export function firstDayOf(value: YearMonth): Day {
  return dayOf(yearOf(value), monthOf(value), 1)
}

export function lastDayOf(value: YearMonth): Day {
  return dayOf(yearOf(value), monthOf(value), daysInMonth(yearOf(value), monthOf(value)))
}

/** Every month from `from` to `to`, both included; empty when `to` is before `from`. */
export function monthRange(from: YearMonth, to: YearMonth): YearMonth[] {
  return Array.from({ length: Math.max(0, monthsBetween(from, to) + 1) }, (_, i) => addMonths(from, i))
}
