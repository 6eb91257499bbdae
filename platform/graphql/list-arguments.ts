import { LATEST_MONTH } from '@pc/domain/condition/default-range.ts'
import { EARLIEST_MONTH, type YearMonth } from '@pc/domain/month/year-month.ts'
import { searchWords } from '@pc/domain/text/search-text.ts'
import { refuse } from './refusal-error.ts'

/** The largest `limit` of a list. */
export const MAX_PAGE_SIZE = 1000
const MAX_SEARCH_LENGTH = 200

/** Sort orders that every list offers beside its own. */
export const COMMON_LIST_ORDERS = [
  'ID_ASC',
  'ID_DESC',
  'CREATEDAT_ASC',
  'CREATEDAT_DESC',
  'UPDATEDAT_ASC',
  'UPDATEDAT_DESC',
] as const

type Direction = 'ASC' | 'DESC'

/** `MONTH_DESC` as its column and its direction; a table that lacks one of the list's columns does not compile. */
export function splitOrder<Order extends string>(
  order: Order,
): readonly [column: Order extends `${infer Column}_${Direction}` ? Column : never, direction: Direction] {
  return order.split('_') as never
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Validates `limit` and `offset` of a list. @throws a refusal (BAD_REQUEST) */
export function readPage(args: Page): Page {
  if (args.limit < 1 || args.limit > MAX_PAGE_SIZE) refuse('list/limit-out-of-range', ['limit'], { max: MAX_PAGE_SIZE })
  if (args.offset < 0) refuse('list/offset-out-of-range', ['offset'])
  return { limit: args.limit, offset: args.offset }
}

/** The id of a row. @throws a refusal when the text is no positive 64-bit number */
export function readId(text: string, path: readonly (string | number)[]): bigint {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) >= 2n ** 63n) refuse('id/not-a-number', path)
  return BigInt(text)
}

/** The search text as a LIKE pattern that matches anywhere, with wildcards escaped; undefined: no search. */
export function readSearch(text: string | null | undefined): string | undefined {
  const trimmed = text?.replaceAll('\0', '').trim()
  if (!trimmed) return undefined
  if (trimmed.length > MAX_SEARCH_LENGTH) refuse('search/text-too-long', ['q'], { max: MAX_SEARCH_LENGTH })
  return `%${trimmed.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/**
 * The words of a search in Japanese names, in the normal form of the SQL function `app.search_text`. A row matches when
 * it has all of them.
 */
export function readSearchWords(text: string | null | undefined): readonly string[] {
  const typed = text?.replaceAll('\0', '') ?? ''
  if (typed.length > MAX_SEARCH_LENGTH) refuse('search/text-too-long', ['q'], { max: MAX_SEARCH_LENGTH })
  return searchWords(typed)
}

/** A month as the integer YYYYMM. @throws a refusal outside the supported months */
export function readMonth(value: number, path: readonly (string | number)[]): YearMonth {
  const isMonth = value >= EARLIEST_MONTH && value <= LATEST_MONTH && value % 100 >= 1 && value % 100 <= 12
  if (!isMonth) refuse('month/not-a-month', path)
  return value as YearMonth
}
