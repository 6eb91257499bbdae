import { orderOfSort } from '@pc/ui/list/list-order.ts'
import type { Sort } from '@pc/ui/table/column.ts'
import { CONTENT_PAGE_SIZE } from '../../content-condition.ts'

/** Large enough for all periods of a range on one page. */
const PERIODS_PAGE_SIZE = 1000

interface Ordered<Order, DateOrder> {
  readonly groupBy: string
  readonly order: Order
  readonly dateOrder: DateOrder
}

/** The order and page size of the shown list. Lists by period have their own order (`dateOrder`) in the condition. */
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
