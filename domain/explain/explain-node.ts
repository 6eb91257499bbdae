import { formatScaledYen } from '../money/micro-yen.ts'
import { sumBy } from '../money/yen.ts'
import { type Day, dayParts } from '../month/day.ts'
import { monthText } from '../month/day-text.ja.ts'
import type { YearMonth } from '../month/year-month.ts'
import { ROUND_DOWN, type Rounding } from '../settlement/settlement-rules.ts'

/**
 * Amounts of explanations are counted in 1/10,000,000,000 yen, the finest unit that occurs (micro-yen × rate units), so
 * that what rounding takes away can be a line of its own.
 */
export const EXPLAIN_SCALE = 10_000_000_000n

export interface ExplainNode {
  /** Stable within the tree; links and focus use it. */
  readonly id: string
  readonly label: string
  /** In 1/{@link EXPLAIN_SCALE} yen. */
  readonly amount: bigint
  /** How the amount is computed, in Japanese words and figures. */
  readonly formula: string
  readonly inputs: readonly ExplainInput[]
  /** Their amounts sum to this amount exactly; empty at the bottom. */
  readonly children: readonly ExplainNode[]
  /** Where the amount was taken from: a job, a CSV line, a day, or the carry of a month. */
  readonly source: ExplainSource | null
  /** `staff`: the inputs of the node and everything below it show pools or margins. */
  readonly detailFor: 'everyone' | 'staff'
}

export interface ExplainInput {
  readonly name: string
  readonly value: string
  /** `rate_readers`: rates need a right of their own (`insight:payment_rate.`). */
  readonly visibleTo: 'everyone' | 'rate_readers' | 'staff'
}

export type ExplainSource =
  | { readonly kind: 'payment'; readonly agreementId: bigint }
  | { readonly kind: 'publisher_payment'; readonly agreementId: bigint; readonly publisherId: bigint }
  | { readonly kind: 'job'; readonly jobId: bigint; readonly line: number }
  | { readonly kind: 'day'; readonly publisherId: bigint; readonly day: Day }
  | { readonly kind: 'article' | 'video'; readonly contentId: bigint; readonly publisherId: bigint }
  | { readonly kind: 'opening_balance'; readonly agreementId: bigint; readonly publisherId: bigint }
  | { readonly kind: 'carried'; readonly agreementId: bigint; readonly publisherId: bigint }
  | { readonly kind: 'terms'; readonly agreementId: bigint; readonly publisherId: bigint | null }

/** The amount of a node as yen with all its decimals. */
export function explainedYen(node: Pick<ExplainNode, 'amount'>): string {
  return formatScaledYen(node.amount, EXPLAIN_SCALE)
}

/** The tree as rows of a file: depth, label, amount, formula; parents before their children. */
export function explainRows(node: ExplainNode, depth = 0): readonly (readonly string[])[] {
  const row = [String(depth), node.label, explainedYen(node), node.formula]
  return [row, ...node.children.flatMap(child => explainRows(child, depth + 1))]
}

/**
 * Nodes whose children do not sum to them; empty for a correct tree.
 * Tested by `domain/explain/explain-tree.test.ts`.
 */
export function unbalancedNodes(node: ExplainNode): readonly ExplainNode[] {
  const below = node.children.flatMap(unbalancedNodes)
  if (node.children.length === 0) return below
  return sumBy(node.children, child => child.amount) === node.amount ? below : [node, ...below]
}

/**
 * The tree without pools and margins, and without rates unless the reader may see them. A staff-only level is cut off
 * whole, so that sums stay exact.
 */
export function publisherView(node: ExplainNode, mayReadRates: boolean): ExplainNode {
  const children = node.detailFor === 'staff' ? [] : node.children.map(child => publisherView(child, mayReadRates))
  return {
    ...node,
    inputs: node.inputs.filter(
      input => input.visibleTo === 'everyone' || (mayReadRates && input.visibleTo === 'rate_readers'),
    ),
    children,
    detailFor: 'everyone',
  }
}

/** A node of whole yen, for everyone; without inputs and source unless `parts` names them. */
export function branch(
  id: string,
  label: string,
  amountYen: bigint,
  parts: Pick<ExplainNode, 'formula' | 'children'> & Partial<Pick<ExplainNode, 'inputs' | 'source'>>,
): ExplainNode {
  return { id, label, amount: amountYen * EXPLAIN_SCALE, inputs: [], source: null, detailFor: 'everyone', ...parts }
}

/** A node of whole yen without children. */
export function leaf(id: string, label: string, amountYen: bigint, formula: string): ExplainNode {
  return branch(id, label, amountYen, { formula, children: [] })
}

/** A node without children whose amount is already scaled by {@link EXPLAIN_SCALE}, for fractions of a yen. */
export function exactNode(id: string, label: string, amount: bigint): ExplainNode {
  return { ...leaf(id, label, 0n, ''), amount }
}

/** How shares are rounded, in Japanese; the same on every level of an explanation. */
export const ownAdsFormula = ({ word }: Rounding) => `広告収益 × 支払率 を月に1回${word}`
export const POOL_SHARE_FORMULA = `配分額 × 支払率 を${ROUND_DOWN.word}`

/** The line `端数 −0.95円（切捨て）`; no line when nothing was rounded. */
export function roundingNode(
  parentId: string,
  roundedYen: bigint,
  exact: bigint,
  { word }: Rounding,
): readonly ExplainNode[] {
  const amount = roundedYen * EXPLAIN_SCALE - exact
  return nonZero({ ...exactNode(`${parentId}/rounding`, `端数（${word}）`, amount), formula: `円未満を${word}` })
}

/** The node as a list of children; empty when its amount is 0, so that it is not shown. */
export function nonZero(node: ExplainNode): readonly ExplainNode[] {
  return node.amount === 0n ? [] : [node]
}

/** An input that every reader sees. */
export function inputForEveryone(name: string, value: string): ExplainInput {
  return { name, value, visibleTo: 'everyone' }
}

/** The publisher's rate, which only people who may read rates see. */
export function rateInput(value: string): ExplainInput {
  return { name: '支払率', value, visibleTo: 'rate_readers' }
}

/** An input that only staff sees. */
export function inputForStaff(name: string, value: string): ExplainInput {
  return { name, value, visibleTo: 'staff' }
}

/** 2026年6月分 */
export function monthLabel(month: YearMonth): string {
  return `${monthText(month)}分`
}

/** 6月1日 */
export function dayLabel(day: Day): string {
  const { month, date } = dayParts(day)
  return `${month}月${date}日`
}
