import { ident, joined, type Sql, sql, sumInt } from '@pc/platform/stats/sql.ts'
import { type Sums, sumOfColumns } from './figure-sums.ts'

/** A figure to sort by: the sum of `columns`, or its ratio to the sum of `per`, which is null when the divisor is 0. */
export interface SortFigure {
  readonly columns: readonly string[]
  readonly per?: readonly string[]
  /** For sums only: the figure is null where this column is 0, that is where no delivered row had the figure. */
  readonly where?: string
}
export interface FigureOrder {
  readonly figure: SortFigure
  readonly isDescending: boolean
}

/** The figure as an SQL aggregate. @param valueIn SQL of a column's value in the rows */
export function figureSql(figure: SortFigure, valueIn: (column: string) => Sql = ident): Sql {
  return figureOf(figure, column => sumInt(valueIn(column)))
}

/** The figure of a single row without aggregation, of the same SQL type, for unions with {@link figureSql}. */
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

/** An `order by` list: null figures come last in both directions, equal ones in the order of `key`, which must be unique. */
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

/** Orders that every list offers besides its figures. */
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
