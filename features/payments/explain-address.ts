/** Rows whose amounts can be explained. */
export const EXPLAIN_KINDS = ['transfer', 'payment', 'publisher_payment', 'pool'] as const
export type ExplainTargetKind = (typeof EXPLAIN_KINDS)[number]

/** One amount: which row, and which of its columns. */
export interface ExplainTarget {
  readonly kind: ExplainTargetKind
  readonly id: string
  readonly column: string
}

/** `payment-12-revenue`, as the condition of a list carries it. */
export function formatExplainTarget({ kind, id, column }: ExplainTarget): string {
  return `${kind}-${id}-${column}`
}

/** Undefined when the text names no amount. */
export function parseExplainTarget(text: string): ExplainTarget | undefined {
  const [kindText, id, column] = text.split('-')
  const kind = EXPLAIN_KINDS.find(each => each === kindText)
  if (!kind || !id || !column || !/^[1-9]\d{0,17}$/.test(id) || !/^[A-Za-z]+$/.test(column)) return undefined
  return { kind, id, column }
}

/** The column that opens the way from the estimate to the final amount instead of an amount's breakdown. */
export const BRIDGE_COLUMN = 'estimate'
