import type { Sort } from '../table/column.ts'

/** Converts an order of the API (`NAME_ASC`) to a column sort; columns are named as the order without its direction. */
export function sortOfOrder(order: string): Sort {
  return { columnId: order.replace(/_(ASC|DESC)$/, ''), isDescending: order.endsWith('_DESC') }
}

/** Returns a function that says whether the API can sort by a column. */
export function isSortableBy(orders: readonly string[]): (columnId: string) => boolean {
  return columnId => orders.includes(`${columnId}_DESC`)
}

/** The API's order for a column sort; undefined: the API cannot sort by it. */
export function orderOfSort<const T extends string>(sort: Sort, orders: readonly T[]): T | undefined {
  const wanted = `${sort.columnId}_${sort.isDescending ? 'DESC' : 'ASC'}`
  return orders.find(order => order === wanted)
}
