import { sumBy } from '../money/yen.ts'
import type { GeneratedBucket } from '../settlement/settlement-input.ts'
import { branch, EXPLAIN_SCALE, type ExplainNode, inputForEveryone, leaf, monthLabel, nonZero } from './explain-node.ts'

/** The opening balances that were part of a publisher's payment. */
export type OpeningOf = (publisherId: bigint) => readonly GeneratedBucket[]

/**
 * Splits the carried amount into what the month before left over and the opening balances. These come from the previous
 * system, so no earlier month explains them.
 * Tested by `features/payments/explain/server/explain-amounts.test.ts`.
 */
export function withOpeningBalances(node: ExplainNode, openingOf: OpeningOf): ExplainNode {
  if (node.source?.kind !== 'carried') {
    return { ...node, children: node.children.map(child => withOpeningBalances(child, openingOf)) }
  }
  const { agreementId, publisherId } = node.source
  const opening = openingOf(publisherId)
  if (opening.length === 0) return node
  const carriedYen = node.amount / EXPLAIN_SCALE
  const openingYen = sumBy(opening, bucket => bucket.amountYen)
  return branch(node.id, node.label, carriedYen, {
    formula: '前の月の未払残高 + 期首残高',
    children: [
      ...nonZero({
        ...leaf(`${node.id}/before`, '前の月の未払残高', carriedYen - openingYen, node.formula),
        source: node.source,
      }),
      ...opening.map(({ generatedMonth, amountYen }) => ({
        ...leaf(
          `${node.id}/opening-${generatedMonth}`,
          `期首残高（${monthLabel(generatedMonth)}）`,
          amountYen,
          '以前のシステムから引き継いだ未払残高',
        ),
        inputs: [inputForEveryone('発生月', monthLabel(generatedMonth))],
        source: { kind: 'opening_balance' as const, agreementId, publisherId },
      })),
    ],
  })
}
