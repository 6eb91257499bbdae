import { type Day, parseDay } from '../month/day.ts'
import { EARLIEST_MONTH, formatYearMonth, monthOfDay, parseYearMonth, type YearMonth } from '../month/year-month.ts'
import { LATEST_DAY } from './default-range.ts'

/**
 * One parameter of a condition: how it is read from and written to an address, and what it is when the address does
 * not say. `parse(format(value))` gives the value back; two texts of one value have one `format`.
 */
export interface Param<T> {
  readonly kind: ParamKind
  /** The value of an address that does not name this parameter; never written into an address. */
  readonly fallback: T
  /** Undefined when the text is not a value of this parameter: the fallback applies then. */
  parse(text: string): T | undefined
  format(value: T): string
  /** The variables that a query gets from the value. */
  variables(name: string, value: T): Readonly<Record<string, unknown>>
  /** Allowed values, where there is a closed list. */
  readonly options?: readonly string[]
}
export type ParamKind = 'day' | 'month' | 'choice' | 'ids' | 'id' | 'page' | 'text' | 'flag'

const MAX_TEXT_LENGTH = 200
/** PostgreSQL's bigint ends at 19 digits; nobody needs 19. */
const ID = /^[1-9]\d{0,17}$/
/** An address stays short enough to be mailed. */
export const MAX_IDS = 100
const LATEST_MONTH = monthOfDay(LATEST_DAY)

function named(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [name]: value }
}

/** A calendar day between the first that the product knows and {@link LATEST_DAY}; undefined: not chosen. */
export function day(): Param<Day | undefined> {
  const earliest = `${formatYearMonth(EARLIEST_MONTH)}-01`
  return {
    kind: 'day',
    fallback: undefined,
    parse(text) {
      const parsed = parseDay(text)
      return parsed === undefined || parsed < earliest || parsed > LATEST_DAY ? undefined : parsed
    },
    format: value => value ?? '',
    variables: named,
  }
}

/** A calendar month from 2020-12 to {@link LATEST_MONTH}; undefined: not chosen. */
export function month(): Param<YearMonth | undefined> {
  return {
    kind: 'month',
    fallback: undefined,
    parse(text) {
      const parsed = parseYearMonth(text)
      return parsed === undefined || parsed < EARLIEST_MONTH || parsed > LATEST_MONTH ? undefined : parsed
    },
    format: value => (value === undefined ? '' : formatYearMonth(value)),
    variables: (name, value) => named(name, value === undefined ? undefined : formatYearMonth(value)),
  }
}

/** One of a closed list; the first is the default unless another is named. */
export function oneOf<const T extends string>(
  options: readonly [T, ...T[]],
  fallback: NoInfer<T> = options[0],
): Param<T> {
  return {
    kind: 'choice',
    options,
    fallback,
    parse: text => options.find(option => option === text),
    format: value => value,
    variables: named,
  }
}

/** One entity by its id; undefined: not chosen. */
export function id(): Param<string | undefined> {
  return {
    kind: 'id',
    fallback: undefined,
    parse: text => (ID.test(text) ? text : undefined),
    format: value => value ?? '',
    variables: named,
  }
}

/** A set of entities, in ascending order of their ids; empty: all. @param most what an address may name of them */
export function ids(most = MAX_IDS): Param<readonly string[]> {
  return {
    kind: 'ids',
    fallback: [],
    parse: text => ascendingIds(text.split(',').filter(part => ID.test(part))).slice(0, most),
    format: value => ascendingIds(value).join(','),
    variables: (name, value) => named(name, value.length === 0 ? undefined : value),
  }
}

function ascendingIds(values: readonly string[]): string[] {
  return [...new Set(values)].sort((a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0))
}

/** The page of a list, from 1; becomes `limit` and `offset`. */
export function page(size = 100): Param<number> {
  return {
    kind: 'page',
    fallback: 1,
    parse: text => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
    format: value => String(value),
    variables: (_name, value) => ({ limit: size, offset: (value - 1) * size }),
  }
}

/** Free text such as a search word: trimmed, one space between words, cut after 200 characters. */
export function text(): Param<string> {
  return {
    kind: 'text',
    fallback: '',
    parse: raw => tidy(raw),
    format: value => tidy(value),
    variables: (name, value) => named(name, value === '' ? undefined : value),
  }
}

function tidy(raw: string): string {
  // Lone surrogates cannot be written into an address.
  const cut = Array.from(
    raw
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ).slice(0, MAX_TEXT_LENGTH)
  return cut.join('').trim()
}

/** Yes or no; no by default. */
export function flag(): Param<boolean> {
  return {
    kind: 'flag',
    fallback: false,
    parse: raw => (raw === '1' ? true : raw === '0' ? false : undefined),
    format: value => (value ? '1' : '0'),
    variables: named,
  }
}
