import { type Day, parseDay } from '../month/day.ts'
import { EARLIEST_MONTH, formatYearMonth, parseYearMonth, type YearMonth } from '../month/year-month.ts'
import { LATEST_DAY, LATEST_MONTH } from './default-range.ts'

/**
 * One parameter of a condition: its text in an address, and its value when the address does not name it.
 * `parse(format(value))` returns the value; equal values have one text.
 * Tested by `domain/condition/condition.test.ts`.
 */
export interface Param<T> {
  /** The value when the address does not name the parameter; it is never written into an address. */
  readonly fallback: T
  /** Undefined when the text is not a value of this parameter; the fallback applies then. */
  parse(text: string): T | undefined
  format(value: T): string
  /** Rows per page; set only on the page parameter of a list. */
  readonly pageSize?: number
}

const MAX_TEXT_LENGTH = 200
/** At most 18 digits, so that every id fits into PostgreSQL's bigint. */
const ID = /^[1-9]\d{0,17}$/
/** Keeps addresses short enough to be sent by email. */
export const MAX_IDS = 100

/** A calendar day between the first that the product knows and {@link LATEST_DAY}; undefined: not chosen. */
export function day(): Param<Day | undefined> {
  const earliest = `${formatYearMonth(EARLIEST_MONTH)}-01`
  return {
    fallback: undefined,
    parse(text) {
      const parsed = parseDay(text)
      return parsed === undefined || parsed < earliest || parsed > LATEST_DAY ? undefined : parsed
    },
    format: value => value ?? '',
  }
}

/** A calendar month from 2020-12 to {@link LATEST_MONTH}; undefined: not chosen. */
export function month(): Param<YearMonth | undefined> {
  return {
    fallback: undefined,
    parse(text) {
      const parsed = parseYearMonth(text)
      return parsed === undefined || parsed < EARLIEST_MONTH || parsed > LATEST_MONTH ? undefined : parsed
    },
    format: value => (value === undefined ? '' : formatYearMonth(value)),
  }
}

/** One of a closed list. The default is the first unless `fallback` names another. */
export function oneOf<const T extends string>(
  options: readonly [T, ...T[]],
  fallback: NoInfer<T> = options[0],
): Param<T> {
  return {
    fallback,
    parse: text => options.find(option => option === text),
    format: value => value,
  }
}

/** One entity by its id; undefined: not chosen. */
export function id(): Param<string | undefined> {
  return {
    fallback: undefined,
    parse: text => (ID.test(text) ? text : undefined),
    format: value => value ?? '',
  }
}

/**
 * A set of entities, in ascending order of ids; empty: all.
 * @param most how many ids an address may name
 */
export function ids(most = MAX_IDS): Param<readonly string[]> {
  return {
    fallback: [],
    parse: text => ascendingIds(text.split(',').filter(part => ID.test(part))).slice(0, most),
    format: value => ascendingIds(value).join(','),
  }
}

function ascendingIds(values: readonly string[]): string[] {
  return [...new Set(values)].sort((a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0))
}

/** The page of a list, from 1. `pageVariables` turns it into `limit` and `offset`. */
export function page(size = 100): Param<number> {
  return {
    fallback: 1,
    parse: text => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
    format: value => String(value),
    pageSize: size,
  }
}

/** Free text such as a search word: trimmed, single spaces, cut after 200 characters. */
export function text(): Param<string> {
  return {
    fallback: '',
    parse: raw => tidy(raw),
    format: value => tidy(value),
  }
}

function tidy(raw: string): string {
  // Lone surrogates cannot be encoded in an address.
  const cut = Array.from(
    raw
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ).slice(0, MAX_TEXT_LENGTH)
  return cut.join('').trim()
}

/** Yes or no; the default is no. */
export function flag(): Param<boolean> {
  return {
    fallback: false,
    parse: raw => (raw === '1' ? true : raw === '0' ? false : undefined),
    format: value => (value ? '1' : '0'),
  }
}
