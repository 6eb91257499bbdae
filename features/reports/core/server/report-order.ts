import { ident, joined, type Sql, sql, sumInt } from '@pc/platform/stats/sql.ts'
import { type Sums, sumOfColumns } from './figure-sums.ts'

/** What a report can be sorted by: a sum of columns, or a ratio of two such sums, which is nothing without a divisor. */
export interface SortFigure {
  readonly columns: readonly string[]
  readonly per?: readonly string[]
  /** Of a sum: it is nothing where this column is 0. */
  readonly where?: string
}
export interface FigureOrder {
  readonly figure: SortFigure
  readonly isDescending: boolean
}

/** The figure as an aggregate over rows that have the columns, perhaps under other names. */
export function figureSql(figure: SortFigure, valueIn: (column: string) => Sql = ident): Sql {
  return figureOf(figure, column => sumInt(valueIn(column)))
}

/** The same figure of a single row, of the same type. */
export function rowFigureSql(figure: SortFigure): Sql {
  return figureOf(figure, column => sql`cast(${ident(column)} as Int128)`)
}

function figureOf({ columns, per, where }: SortFigure, of: (column: string) => Sql): Sql {
  const sumOf = (names: readonly string[]) => joined(names.map(of), sql` + `)
  if (where !== undefined) return sql`case when ${of(where)} > 0 then ${sumOf(columns)} end`
  if (!per) return sumOf(columns)
  return sql`cast(${sumOf(columns)} as double) / nullif(${sumOf(per)}, 0)`
}

/** Columns that the figure needs. */
export function columnsOf({ columns, per = [], where }: SortFigure): readonly string[] {
  return [...new Set([...columns, ...per, ...(where === undefined ? [] : [where])])]
}

/** `<figure> desc nulls last, <unique key> desc`: rows without a figure come last, equal ones in the order of their key. */
export function orderSql(figure: Sql, key: Sql, isDescending: boolean): Sql {
  return isDescending ? sql`${figure} desc nulls last, ${key} desc` : sql`${figure} asc nulls last, ${key} asc`
}

/** The same order for rows in memory. */
export function compareSums({ figure, isDescending }: FigureOrder): (a: Sums, b: Sums) => number {
  const figureOf = (sums: Sums): bigint | number | null => {
    if (figure.where !== undefined && sumOfColumns(sums, figure.where) === 0n) return null
    const dividend = sumOfColumns(sums, ...figure.columns)
    if (!figure.per) return dividend
    const divisor = sumOfColumns(sums, ...figure.per)
    return divisor === 0n ? null : Number(dividend) / Number(divisor)
  }
  return (a, b) => {
    const [x, y] = [figureOf(a), figureOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    if (x === y) return 0
    return x < y === isDescending ? 1 : -1
  }
}

/** What every list can be sorted by. */
export const COMMON_ORDERS = ['ID', 'CREATEDAT', 'UPDATEDAT'] as const
export interface CommonOrder {
  readonly by: (typeof COMMON_ORDERS)[number]
  readonly isDescending: boolean
}
export const isCommonOrder = (order: object): order is CommonOrder => 'by' in order
export const commonOrderOf = (name: string): CommonOrder['by'] | undefined =>
  COMMON_ORDERS.find(common => common === name)

/** The names of a GraphQL enum: each figure ascending and descending. */
export function orderNames<Name extends string>(names: readonly Name[]): readonly `${Name}_${'ASC' | 'DESC'}`[] {
  return names.flatMap(name => [`${name}_ASC`, `${name}_DESC`] as const)
}

export function splitOrder<Name extends string>(
  order: `${Name}_${'ASC' | 'DESC'}`,
): {
  readonly name: Name
  readonly isDescending: boolean
} {
  const isDescending = order.endsWith('_DESC')
  return { name: order.slice(0, isDescending ? -5 : -4) as Name, isDescending }
}
