import type { Day } from '@pc/domain/month/day.ts'
import { text } from '../reading/reading-engine.ts'
import { type ColumnType, type DatasetColumn, EARLIEST_DAY } from './dataset-columns.ts'

/** The present, for limits on dates. Absent when an accepted batch is read again: then only the form of values is checked. */
export interface Today {
  readonly today: Day
  readonly nowMs: number
}

/** A column of the delivery as SQL: `source` is its value there, of an engine type. */
export interface ColumnSql {
  readonly column: DatasetColumn
  /** The typed value; NULL where the source value is absent or not of the type. */
  readonly value: string
  /** True where the row must be reported. */
  readonly isWrong: string
  /** The source value as text, for messages. */
  readonly raw: string
  /** The code of the row error, where {@link isWrong}. */
  readonly code: string
}

const MAX = `${Number.MAX_SAFE_INTEGER}`
const INSTANT = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.]\d{1,9})?(Z|[+-]\d\d(:?\d\d)?)`
const INTEGER_TYPES = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/
const FRACTION_TYPES = /^(FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/
/** The hidden characters of `domain/text/name-text.ts` in DuckDB's regex syntax, and every joiner; a test compares them. */
const HIDDEN = String.raw`\x{34F}\x{17B4}\x{17B5}\p{Cc}\x{61C}\x{200B}-\x{200F}\x{2028}-\x{202E}\x{AD}\x{180E}\x{2060}-\x{2064}\x{2066}-\x{206F}\x{FEFF}\x{FFF9}-\x{FFFB}\x{115F}\x{1160}\x{2800}\x{3164}\x{FFA0}\x{E0000}-\x{E007F}`
/** A character that a reader sees: neither hidden nor white space. */
const VISIBLE = String.raw`[^\s\p{Z}${HIDDEN}]`
/** Scheme, host of letters and digits (no credentials, no backslash), port, then nothing that could end an address. */
const WEB_ADDRESS = String.raw`(?i:https?)://[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*(:[0-9]{1,5})?([/?#][^\s\p{Z}\p{Cc}\x{061C}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}"<>\\]*)?`
const DAY_MS = 86_400_000

/**
 * @param engineType DuckDB's type of the column in the file; VARCHAR for CSV and NDJSON
 * @returns undefined when the column cannot have this type
 */
export function columnSql(column: DatasetColumn, engineType: string, now: Today | undefined): ColumnSql | undefined {
  const source = quoted(column.name)
  const value = valueSql(column, source, engineType)
  if (value === undefined) return undefined
  const raw = column.type.kind === 'cells' && engineType !== 'VARCHAR' ? value : `cast(${source} as varchar)`
  const isRight = rightSql(column, value, now)
  const isAbsent = engineType === 'VARCHAR' ? `nullif(${source}, '') is null` : `${source} is null`
  const isWrong =
    column.presence === 'optional'
      ? `(not (${isAbsent}) and coalesce(not (${isRight}), true))`
      : `coalesce(not (${isRight}), true)`
  return { column, value, isWrong, raw, code: codeSql(column, value, isAbsent, source, now) }
}

/** SQL of the source text of a column that the delivery does not have. */
export const ABSENT = 'null::varchar'

/** The SQL of a column that the delivery does not have: 0 for presence `filled`, else NULL; never wrong. */
export function absentColumnSql(column: DatasetColumn): ColumnSql {
  const type = ['choice', 'cells', 'title', 'name', 'names', 'web-address'].includes(column.type.kind)
    ? 'varchar'
    : 'bigint'
  const value = column.presence === 'filled' ? '0::bigint' : `null::${type}`
  return { column, value, isWrong: 'false', raw: ABSENT, code: text('missing') }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function valueSql(column: DatasetColumn, source: string, type: string): string | undefined {
  const isText = type === 'VARCHAR'
  switch (column.type.kind) {
    case 'day':
      if (type === 'DATE') return source
      return isText
        ? `case when cast(try_cast(${source} as date) as varchar) = ${source} then try_cast(${source} as date) end`
        : undefined
    case 'instant':
      if (type === 'TIMESTAMP WITH TIME ZONE') return `epoch_ms(${source})`
      if (INTEGER_TYPES.test(type)) return `try_cast(${source} as bigint)`
      if (!isText) return undefined
      return (
        `case when regexp_full_match(${source}, '[0-9]{12,14}') then try_cast(${source} as bigint) ` +
        `when regexp_full_match(${source}, ${text(INSTANT)}) then epoch_ms(try_cast(${source} as timestamptz)) end`
      )
    case 'choice':
      return isText ? source : undefined
    case 'title':
    case 'name':
    case 'web-address':
      return isText ? `nullif(${source}, '')` : undefined
    case 'names':
      if (isText) return `nullif(${source}, '')`
      return type === 'VARCHAR[]' ? `cast(to_json(${source}) as varchar)` : undefined
    case 'cells':
      if (isText) return `nullif(${source}, '')`
      return /^(JSON|STRUCT\(.*\)\[\])$/.test(type) ? `cast(to_json(${source}) as varchar)` : undefined
    default:
      return integerSql(source, type)
  }
}

/** Only the plain decimal spelling counts: a cast alone would take `1e3`, ` 5` and `5.4`. */
function integerSql(source: string, type: string): string | undefined {
  if (INTEGER_TYPES.test(type)) return `try_cast(${source} as bigint)`
  if (FRACTION_TYPES.test(type)) {
    return `case when ${source} = trunc(${source}) and abs(${source}) <= ${MAX} then try_cast(${source} as bigint) end`
  }
  if (type !== 'VARCHAR') return undefined
  return `case when cast(try_cast(${source} as bigint) as varchar) = ${source} then try_cast(${source} as bigint) end`
}

function rightSql(column: DatasetColumn, value: string, now: Today | undefined): string {
  switch (column.type.kind) {
    case 'day':
      return `(${value}) between date ${text(EARLIEST_DAY)} and date ${text(now?.today ?? '9999-12-31')}`
    case 'instant':
      return `(${value}) between ${earliestMs(column.type)} and ${latestMs(column.type, now)}`
    case 'choice':
      return `(${value}) in (${column.type.choices.map(text).join(', ')})`
    case 'cells':
      return 'true' // the cells have their own checks
    case 'names':
      return namesAreRight(column.type, value)
    case 'title':
      return `length(${value}) <= ${column.type.max} and regexp_matches(${value}, ${text(VISIBLE)})`
    case 'name':
      return `length(${value}) <= ${column.type.max} and regexp_matches(${value}, ${text(VISIBLE)}) and not regexp_matches(${value}, ${text(`[${HIDDEN}]`)})`
    case 'web-address':
      return `length(${value}) <= ${column.type.max} and regexp_full_match(${value}, ${text(WEB_ADDRESS)})`
    case 'id':
      return `(${value}) between 1 and ${MAX}`
    case 'count':
      return `(${value}) between 0 and ${now ? column.type.max : MAX}`
  }
}

function codeSql(
  column: DatasetColumn,
  value: string,
  isAbsent: string,
  source: string,
  now: Today | undefined,
): string {
  const absent = `when ${isAbsent} then 'missing'`
  switch (column.type.kind) {
    case 'day':
      return `case ${absent} when (${value}) is null then 'not-a-day' when (${value}) < date ${text(EARLIEST_DAY)} then 'too-early' else 'future' end`
    case 'instant': {
      const late = column.type.aheadDays === 0 ? 'future' : 'too-far-ahead'
      return `case ${absent} when (${value}) is null then 'not-an-instant' when (${value}) < ${earliestMs(column.type)} then 'too-early' else '${late}' end`
    }
    case 'choice':
      return `case ${absent} else 'not-a-choice' end`
    case 'cells':
      return text('cells-json')
    case 'names':
      return `case when ${isList(value)} and ${listOf(value)} is null then 'names-json' else 'names-value' end`
    case 'title':
    case 'name': {
      const hidden =
        column.type.kind === 'name' ? `when regexp_matches(${value}, ${text(VISIBLE)}) then 'hidden-character' ` : ''
      return `case ${absent} when length(${value}) > ${column.type.max} then 'too-long' ${hidden}else 'missing' end`
    }
    case 'web-address':
      return `case ${absent} when length(${value}) > ${column.type.max} then 'too-long' else 'not-a-web-address' end`
    default: {
      const isNumber = `regexp_full_match(cast(${source} as varchar), '-?[0-9]+')`
      const inRange = rightSql(column, value, now)
      return `case ${absent} when ${isNumber} or coalesce(not (${inRange}), false) then 'out-of-range' else 'not-integer' end`
    }
  }
}

/** White space at an end, or a hidden character. */
const UNCLEAN = String.raw`^[\s\p{Z}]|[\s\p{Z}]$|[${HIDDEN}]`
/** In a JSON array: an escape, or white space beside a quote that begins or ends a name. */
const UNCLEAN_IN_LIST = String.raw`\\|[\[,]\s*"[\s\p{Z}]|[\s\p{Z}]"\s*[,\]]`

/**
 * SQL that is true where a checked text may not be stored as it was delivered (`withoutHiddenCharacters`, `trim`); it is
 * also true for some that may. NULL without a text; undefined for columns that are always stored as delivered.
 */
export function needsCleaning(column: DatasetColumn): string | undefined {
  const value = quoted(column.name)
  const isUnclean = `regexp_matches(${value}, ${text(UNCLEAN)})`
  if (column.type.kind === 'title') return isUnclean
  if (column.type.kind !== 'names') return undefined
  return `(${isUnclean} or (starts_with(${value}, '[') and regexp_matches(${value}, ${text(UNCLEAN_IN_LIST)})))`
}

type NamesType = Extract<ColumnType, { kind: 'names' }>

const isList = (value: string) => `starts_with(ltrim(${value}), '[')`
/** SQL of the strings in a JSON array; NULL where it is not an array, or holds anything but strings. */
const listOf = (value: string) =>
  `case when json_type(try_cast(${value} as json)) = 'ARRAY' and ` +
  `len(list_filter(json_type(try_cast(${value} as json), '$[*]'), lambda one: one <> 'VARCHAR')) = 0 ` +
  `then json_extract_string(try_cast(${value} as json), '$[*]') end`

function namesAreRight({ max, most }: NamesType, value: string): string {
  const isName = (name: string) => `length(${name}) <= ${max} and regexp_matches(${name}, ${text(VISIBLE)})`
  const names = listOf(value)
  return (
    `case when ${isList(value)} then len(${names}) <= ${most} ` +
    `and len(list_filter(${names}, lambda one: not (${isName('one')}))) = 0 else ${isName(value)} end`
  )
}

type InstantType = Extract<ColumnType, { kind: 'instant' }>

function earliestMs({ earliest }: InstantType): number {
  return Date.parse(`${earliest}T00:00:00+09:00`)
}

function latestMs({ aheadDays }: InstantType, now: Today | undefined): number | string {
  return now ? now.nowMs + aheadDays * DAY_MS : MAX
}
