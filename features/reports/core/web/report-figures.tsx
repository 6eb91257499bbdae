import type { KeyboardEvent } from 'react'
import type { ColumnUnit, ReportColumn } from '../../report-columns.ts'
import type { ComparedDays } from './compared-series.ts'
import { differenceOf, figureText } from './figure-text.ts'
import styles from './report-figures.module.css'

/** What the figures of a report's columns are, by the ids of the columns. */
export type FigureValues<Figures> = Readonly<Record<string, (figures: Figures) => number | null | undefined>>

export interface Compared<Figures> {
  readonly compared: (Figures & ComparedDays) | null
}

/** While another answer is on its way, what is shown keeps its form: a hundred rows are not drawn twice. */
export function isComparing(
  compareWith: string,
  isLoading: boolean,
  totals: Compared<unknown> | null | undefined,
): boolean {
  return isLoading && totals ? totals.compared !== null : compareWith !== 'none'
}

/** What a header explains when it is pointed at or has the focus. */
export function descriptionOf({ definition, formula }: ReportColumn): string {
  return formula === undefined ? definition : `${definition}\n計算：${formula}`
}

interface FigureCellProps {
  unit: ColumnUnit
  now: number | null | undefined
  before: number | null | undefined
  isCompared: boolean
  why?: Why | undefined
}

/** What the change of a figure opens: why it changed. */
export interface Why {
  readonly open: () => void
  /** Tab goes to one change of each row; arrows go on to the others. */
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
 * How a figure differs from the compared days: difference, percent, arrow and colour; nothing to compare with: a dash.
 * Arrow and dash, and the words for people who do not see them, are the sheet's: as a thousand elements they would be most
 * of what a table costs.
 */
export function DifferenceText({ unit, now, before, why }: Omit<FigureCellProps, 'isCompared'>) {
  const difference = differenceOf(unit, now, before)
  if (!difference) return <small className={styles.change} data-direction="unknown" />
  const { direction, text, change } = difference
  const shown = {
    ...{ className: styles.change, 'data-direction': direction, title: `比較：${figureText(unit, before)}` },
    children: change === undefined ? text : `${text}\u2002${change}`,
  }
  // Nothing became nothing: there is nothing to explain.
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

/** From one change to the next of the same row. */
function moveInRow({ key, currentTarget }: KeyboardEvent<HTMLButtonElement>): void {
  const changes = [
    ...(currentTarget.closest('tr, li, dl')?.querySelectorAll<HTMLElement>('button[aria-haspopup]') ?? []),
  ]
  changes[changes.indexOf(currentTarget) + (STEPS[key] ?? 0)]?.focus()
}
