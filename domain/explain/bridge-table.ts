/**
 * The steps from the estimate to the final amount as the API returns them, in yen. `amount` is the change by the step,
 * `level` the running total after it.
 */
export interface BridgeSteps {
  /** YYYY-MM */
  readonly month: string
  readonly steps: readonly {
    readonly label: string
    readonly amount: number
    readonly level: number
    readonly lines: readonly { readonly label: string; readonly amount: number }[]
  }[]
}

type BridgeCells = readonly (string | number)[]

/** The rows of the CSV file: headings, then each step with its lines below it. */
export function bridgeTable({ month, steps }: BridgeSteps): readonly BridgeCells[] {
  return [
    ['発生月', '項目', '内訳', '金額（円）', '累計（円）'],
    ...steps.flatMap(step => [
      [month, step.label, '', step.amount, step.level],
      ...step.lines.map(line => [month, step.label, line.label, line.amount, '']),
    ]),
  ]
}

export const bridgeFileName = ({ month }: Pick<BridgeSteps, 'month'>): string => `速報から確定まで_${month}.csv`
