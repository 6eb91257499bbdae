import { expect, test } from 'vitest'
import { isSortableBy, orderOfSort, sortOfOrder } from './list-order.ts'

const ORDERS = ['ID_ASC', 'ID_DESC', 'DISPLAY_ORDER_ASC', 'REVENUE_DESC'] as const

test('an order of the API becomes a sort and comes back', () => {
  expect(sortOfOrder('DISPLAY_ORDER_ASC')).toEqual({ columnId: 'DISPLAY_ORDER', isDescending: false })
  for (const order of ORDERS) expect(orderOfSort(sortOfOrder(order), ORDERS)).toBe(order)
})

test('what the API does not sort by, or not in this direction, is no order', () => {
  expect(orderOfSort({ columnId: 'NAME', isDescending: true }, ORDERS)).toBeUndefined()
  expect(orderOfSort({ columnId: 'REVENUE', isDescending: false }, ORDERS)).toBeUndefined()
  expect(['ID', 'REVENUE', 'DISPLAY_ORDER', 'NAME'].map(isSortableBy(ORDERS))).toEqual([true, true, false, false])
})
