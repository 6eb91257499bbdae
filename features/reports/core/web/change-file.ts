import type { ExplainChangeQuery } from './change-drawer.gen.ts'

type Change = NonNullable<ExplainChangeQuery['explainChange']>
type Cells = readonly (string | number | null)[]

/** The explanation as rows of a CSV file: each breakdown with its exact parts, which sum to the difference. */
export function changeTable(change: Change): readonly Cells[] {
  const levels = [{ label: '要素', parts: change.factors }, ...change.dimensions]
  return [
    ['分け方', '項目', '比較する期間', 'この期間', '増減'],
    ['全体', change.label, change.before, change.now, exact(change.exactDifference)],
    ...levels.flatMap(({ label, parts }) =>
      parts.map(part => [label, part.label, part.before, part.now, exact(part.exactDifference)]),
    ),
  ]
}

/** A number when JavaScript holds it exactly; otherwise the text with all decimals. */
function exact(text: string): string | number {
  const value = Number(text)
  return String(value) === text ? value : text
}

export const changeFileName = ({ label, from, to }: Pick<Change, 'label' | 'from' | 'to'>): string =>
  `増減の理由_${label}_${from}_${to}.csv`
