import type { Param } from '../condition/params.ts'

/** By what a list is ordered: the figure itself, or how much it changed since the compared days. */
export const ORDER_BASES = ['value', 'difference', 'percent'] as const
export type OrderBasis = (typeof ORDER_BASES)[number]
export const ORDER_BASIS_LABELS: Readonly<Record<OrderBasis, string>> = {
  value: '数値',
  difference: '増減',
  percent: '増減率',
}

const MIN_CHANGE = /^\d{1,12}(?:\.\d{1,2})?$/

/** At least so much has changed, in what the column shows (points of a rate) or in percent; empty: anything. */
export function minChange(): Param<string> {
  return {
    fallback: '',
    parse: text => (MIN_CHANGE.test(text) && Number(text) > 0 ? String(Number(text)) : undefined),
    format: value => value,
  }
}

interface ChangeCondition {
  readonly orderOf?: OrderBasis
  readonly minChange?: string
}

/** What the condition of a list asks of the API. */
export function changeArguments({ orderOf = 'value', minChange: min = '' }: ChangeCondition) {
  if (orderOf === 'value') return {}
  return min === '' ? { orderOf } : { orderOf, minChange: Number(min) }
}

/** Whether a list has only those rows that changed by so much. */
export function isMinChangeSet({ orderOf = 'value', minChange: min = '' }: ChangeCondition): boolean {
  return orderOf !== 'value' && min !== ''
}
