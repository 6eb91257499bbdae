import type { Sort } from '../table/column.ts'

/** Orders of the APIs are named `NAME_ASC`; the columns of a list carry the name without the direction. */
export function sortOfOrder(order: string): Sort {
  return { columnId: order.replace(/_(ASC|DESC)$/, ''), isDescending: order.endsWith('_DESC') }
}

/** Whether the API sorts by the column. */
export function isSortableBy(orders: readonly string[]): (columnId: string) => boolean {
  return columnId => orders.includes(`${columnId}_DESC`)
}

/** The order of the API for what a column head asks for; undefined: the API does not sort by it. */
export function orderOfSort<const T extends string>(sort: Sort, orders: readonly T[]): T | undefined {
  const wanted = `${sort.columnId}_${sort.isDescending ? 'DESC' : 'ASC'}`
  return orders.find(order => order === wanted)
}
