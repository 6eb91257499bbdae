/** By what a list is ordered: the figure itself, or how much it changed since the compared days. */
export const ORDER_BASES = ['value', 'difference', 'percent'] as const
export type OrderBasis = (typeof ORDER_BASES)[number]
