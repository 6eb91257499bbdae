import { orderOfSort } from '@pc/ui/list/list-order.ts'
import type { Sort } from '@pc/ui/table/column.ts'
import { CONTENT_PAGE_SIZE } from '../../content-condition.ts'

/** All periods of a range stand on one page. */
const PERIODS_PAGE_SIZE = 1000

interface Ordered<Order, DateOrder> {
  readonly groupBy: string
  readonly order: Order
  readonly dateOrder: DateOrder
}

/** What a list of articles or videos is sorted by, and how much is on a page: its periods have an order of their own. */
export function contentOrder<Order extends string, DateOrder extends string>(
  condition: Ordered<Order, DateOrder>,
  setCondition: (change: { order: Order; page: number } | { dateOrder: DateOrder; page: number }) => void,
  orders: readonly Order[],
  dateOrders: readonly DateOrder[],
) {
  const isByDate = condition.groupBy === 'date'
  return {
    isByDate,
    order: isByDate ? condition.dateOrder : condition.order,
    onSort: (sort: Sort) => {
      const order = orderOfSort(sort, orders)
      const dateOrder = orderOfSort(sort, dateOrders)
      if (isByDate && dateOrder) setCondition({ dateOrder, page: 1 })
      else if (!isByDate && order) setCondition({ order, page: 1 })
    },
    pageSize: isByDate ? PERIODS_PAGE_SIZE : CONTENT_PAGE_SIZE,
  }
}
