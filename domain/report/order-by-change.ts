import type { OrderBasis } from './order-basis.ts'

export const ORDER_BASIS_LABELS: Readonly<Record<OrderBasis, string>> = {
  value: '数値',
  difference: '増減',
  percent: '増減率',
}

interface ChangeCondition {
  readonly orderOf?: OrderBasis
  /** At least so much has changed, in what the column shows (points of a rate) or in percent; empty: anything. */
  readonly minChange?: string
}

/** The greatest value that the API accepts. */
const MAX_MIN_CHANGE = 1e12

/** The least change in the condition; undefined when it has none or one that is not a positive number. */
function minChangeOf({ orderOf = 'value', minChange = '' }: ChangeCondition): number | undefined {
  const least = Number(minChange)
  return orderOf !== 'value' && least > 0 && least <= MAX_MIN_CHANGE ? least : undefined
}

/** The arguments of the API that the condition of a list needs; none for the order by the figure itself. */
export function changeArguments(condition: ChangeCondition) {
  const { orderOf = 'value' } = condition
  if (orderOf === 'value') return {}
  const minChange = minChangeOf(condition)
  return minChange === undefined ? { orderOf } : { orderOf, minChange }
}

/** Whether a list has only those rows that changed by so much. */
export function isMinChangeSet(condition: ChangeCondition): boolean {
  return minChangeOf(condition) !== undefined
}
