import {
  BIGINT,
  DATE,
  type DuckDBConnection,
  DuckDBDateValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  LIST,
  listValue,
} from '@duckdb/node-api'
import { day, toDayNumber } from '@pc/domain/month/day.ts'
import type { Row, Value } from './port.ts'
import { type Dialect, type Param, render, type Sql } from './sql.ts'

/** How DuckDB spells a statement, takes its parameters and gives its rows. */

const fragments = (table: (name: string) => string): Dialect['fragments'] => ({
  table: name => table(name!),
  sumInt: x => `sum(${x})`,
  intDiv: (a, b) => `((${a}) // (${b}))`,
  countOf: (...sources) => `(${sources.map(source => `(select count(*) from ${source})`).join(' + ')})`,
})

export function duckDbDialect(table: (name: string) => string): Dialect {
  return {
    // A list becomes a small table: DuckDB then joins by hash; `x in $1` would search the list for each row.
    param: (position, value) => (typeof value === 'object' ? `(select unnest($${position}))` : `$${position}`),
    fragments: fragments(table),
  }
}

const EPOCH = toDayNumber(day('1970-01-01'))

/** Days since 1970-01-01. @throws RangeError for a text that is not a day */
export function epochDay(text: string): number {
  return toDayNumber(day(text)) - EPOCH
}

function bound(value: Param): readonly [DuckDBValue, DuckDBType] {
  if (typeof value === 'string') return [new DuckDBDateValue(epochDay(value)), DATE]
  if (typeof value === 'object') return [listValue([...value]), LIST(BIGINT)]
  return [BigInt(value), BIGINT]
}

const INTEGER_TYPES: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
])

function decode(value: DuckDBValue, type: DuckDBTypeId): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (INTEGER_TYPES.has(type)) return BigInt(value as number | bigint)
  if (type === DuckDBTypeId.DOUBLE) return value as number
  if (type === DuckDBTypeId.DATE) return String(value)
  throw new TypeError(`column type ${DuckDBTypeId[type]} is not portable`)
}

/** The text of a statement and its parameters with their types, as a connection's `run` takes them. */
export function renderDuckDb(statement: Sql, dialect: Dialect) {
  const { text, params } = render(statement, dialect)
  const bindings = params.map(bound)
  return { text, params: [bindings.map(([value]) => value), bindings.map(([, type]) => type)] as const }
}

/** Chunk by chunk, as the engine hands them over: rows by the ten thousand hold nobody up. */
export async function select(connection: DuckDBConnection, statement: Sql, dialect: Dialect): Promise<Row[]> {
  const { text, params } = renderDuckDb(statement, dialect)
  const result = await connection.run(text, ...params)
  const names = result.columnNames()
  const types = result.columnTypes().map(type => type.typeId)
  const rows: Row[] = []
  for await (const chunk of result) {
    const columns = chunk.getColumns()
    for (let place = 0; place < chunk.rowCount; place += 1) {
      const row: Record<string, Value> = {}
      for (let column = 0; column < names.length; column += 1) {
        row[names[column]!] = decode(columns[column]![place]!, types[column]!)
      }
      rows.push(row)
    }
  }
  return rows
}
