import type { KeyboardEvent } from 'react'
import type { ColumnUnit, ReportColumn } from '../../report-columns.ts'
import type { ComparedDays } from './compared-series.ts'
import { differenceOf, figureText } from './figure-text.ts'
import styles from './report-figures.module.css'

/** Functions that read the figure of each column, by column id. */
export type FigureValues<Figures> = Readonly<Record<string, (figures: Figures) => number | null | undefined>>

export interface Compared<Figures> {
  readonly compared: (Figures & ComparedDays) | null
}

/** Whether figures are shown with a comparison. While loading it follows the shown answer, so that rows render only once. */
export function isComparing(
  compareWith: string,
  isLoading: boolean,
  totals: Compared<unknown> | null | undefined,
): boolean {
  return isLoading && totals ? totals.compared !== null : compareWith !== 'none'
}

/** The explanation of a column header, for hover and focus. */
export function descriptionOf({ definition, formula }: ReportColumn): string {
  return formula === undefined ? definition : `${definition}\n計算：${formula}`
}

interface FigureCellProps {
  unit: ColumnUnit
  now: number | null | undefined
  before: number | null | undefined
  isCompared: boolean
  why?: Why | undefined
  /** Which part of a change has room; default: both. */
  part?: ChangePart | undefined
}

/** A part of a change: +160,813 or +11.2%. */
export type ChangePart = 'amount' | 'percent'

/** Makes the change of a figure a button that opens its explanation. */
export interface Why {
  readonly open: () => void
  /** Whether Tab reaches this button. Only one per row is reached; arrow keys move to the others. */
  readonly isEntry: boolean
}

export function FigureCell({ isCompared, ...figure }: FigureCellProps) {
  return (
    <>
      {figureText(figure.unit, figure.now)}
      {isCompared && <DifferenceText {...figure} />}
    </>
  )
}

/**
 * The difference of a figure from the compared days: arrow, amount and percent; a dash when there is none. Arrow,
 * dash and their text for screen readers come from the style sheet (`content`): as elements they would be most of the
 * table's DOM.
 */
export function DifferenceText({ unit, now, before, why, part }: Omit<FigureCellProps, 'isCompared'>) {
  const difference = differenceOf(unit, now, before)
  if (!difference) return <small className={styles.change} data-direction="unknown" />
  const { direction, text, change } = difference
  // Less than 0.1 % is told by its amount: an arrow beside ±0.0% would look wrong.
  const isAmount = !change || part === 'amount' || (part && change.startsWith('±'))
  const shown = {
    ...{ className: styles.change, 'data-direction': direction, title: `比較：${figureText(unit, before)}（${text}）` },
    children: isAmount ? text : part ? change : `${text}\u2002${change}`,
  }
  // Both figures are 0 or empty, so there is nothing to explain.
  if (!why || (!now && !before)) return <small {...shown} />
  return (
    <button
      {...shown}
      type="button"
      aria-haspopup="dialog"
      tabIndex={why.isEntry ? 0 : -1}
      onClick={why.open}
      onKeyDown={moveInRow}
    />
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Moves the focus to another change button of the same row by arrow keys. */
function moveInRow({ key, currentTarget }: KeyboardEvent<HTMLButtonElement>): void {
  const changes = [
    ...(currentTarget.closest('tr, li, dl')?.querySelectorAll<HTMLElement>('button[aria-haspopup]') ?? []),
  ]
  changes[changes.indexOf(currentTarget) + (STEPS[key] ?? 0)]?.focus()
}
