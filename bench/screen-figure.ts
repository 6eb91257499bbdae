/** A measured figure and its budget (docs/adr/0013, and the budgets of the design). Lower is better. */
export interface ScreenFigure {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'KB' | ''
  readonly target: number | undefined
}
