import type { Row, Value } from './port.ts'
import { type Dialect, type Param, render, type Sql } from './sql.ts'

/** SQL dialect, parameters and row format of ClickHouse. */

/**
 * Settings with which ClickHouse behaves like standard SQL and DuckDB. Insert deduplication is off, because two equal
 * rows of a batch are two rows. The query size is raised, because a statement lists every hidden version, some 10,000
 * after a nightly merge.
 */
export const CLICKHOUSE_SETTINGS = {
  join_use_nulls: 1,
  aggregate_functions_null_for_empty: 1,
  group_by_use_nulls: 1,
  cast_keep_nullable: 1,
  output_format_json_quote_64bit_integers: 1,
  insert_deduplicate: 0,
  max_query_size: 64 * 1024 * 1024,
} as const

/** Rows as JSON arrays, one a line, below a line of names and a line of types. */
export const ROW_FORMAT = 'JSONCompactEachRowWithNamesAndTypes'

function typeOf(value: Param): string {
  if (typeof value === 'string') return 'Date'
  return typeof value === 'object' ? 'Array(Int64)' : 'Int64'
}

/** Tested by `platform/stats/sql.test.ts`. */
export function clickHouseDialect(table: (name: string) => string): Dialect {
  return {
    param: (position, value) => `{p${position}:${typeOf(value)}}`,
    fragments: {
      table: name => table(name!),
      sumInt: x => `sum(cast(${x} as Int128))`,
      intDiv: (a, b) => `intDiv(${a}, ${b})`,
      countOf: () => 'count(*) over ()',
    },
  }
}

/** A statement as ClickHouse's HTTP interface takes it: its text, and parameters by name. */
export function renderClickHouse(statement: Sql, dialect: Dialect): { text: string; params: Record<string, string> } {
  const { text, params } = render(statement, dialect)
  const texts = params.map(value => (typeof value === 'object' ? `[${value.join(',')}]` : String(value)))
  return { text, params: Object.fromEntries(texts.map((value, index) => [`p${index + 1}`, value])) }
}

function decoder(type: string): (value: unknown) => Value {
  const base = /^Nullable\((.*)\)$/.exec(type)?.[1] ?? type
  if (/^U?Int\d+$/.test(base)) return value => (value === null ? null : BigInt(value as string | number))
  if (/^(Float64|String|Date|Bool|Nothing)$/.test(base)) return value => value as Value
  throw new TypeError(`column type ${type} is not portable`)
}

/** Reads an answer in {@link ROW_FORMAT}. */
export function readRows(answer: string): Row[] {
  const [names, types, ...rows] = answer
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as unknown[])
  if (!names || !types) return []
  const decoders = types.map(type => decoder(String(type)))
  return rows.map(row =>
    Object.fromEntries(row.map((value, column) => [String(names[column]), decoders[column]!(value)])),
  )
}
