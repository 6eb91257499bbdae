import type { Column } from '@pc/ui/table/column.ts'
import { type ColumnUnit, headerOf, type ReportColumn } from '../../report-columns.ts'
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

interface FigureColumns<Figures> {
  readonly columns: readonly ReportColumn[]
  readonly values: FigureValues<Figures>
  readonly totals: (Figures & Partial<Compared<Figures>>) | null | undefined
  readonly isCompared: boolean
  /** Ids that the server sorts by. */
  readonly isSortable: (id: string) => boolean
}

/** Of the report's columns, those that are figures, for rows that come in their order from the server. */
export function figureColumns<Figures, Row extends Figures & Compared<Figures>>(
  options: FigureColumns<Figures>,
): Column<Row>[] {
  const { columns, values, totals, isCompared, isSortable } = options
  return columns.flatMap((column): Column<Row>[] => {
    const value = values[column.id]
    if (!value) return []
    const cell = (now: Figures, before: Figures | null | undefined) => (
      <FigureCell unit={column.unit} now={value(now)} before={before && value(before)} isCompared={isCompared} />
    )
    return [
      {
        id: column.id,
        header: headerOf(column),
        description: descriptionOf(column),
        isFigure: true,
        form: isCompared ? 'compared' : 'plain',
        isSortedByServer: isSortable(column.id),
        cell: row => cell(row, row.compared),
        ...(totals ? { total: cell(totals, totals.compared) } : {}),
      },
    ]
  })
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
}

export function FigureCell({ unit, now, before, isCompared }: FigureCellProps) {
  return (
    <>
      {figureText(unit, now)}
      {isCompared && <DifferenceText unit={unit} now={now} before={before} />}
    </>
  )
}

/**
 * How a figure differs from the compared days: difference, percent, arrow and colour; nothing to compare with: a dash.
 * Arrow and dash, and the words for people who do not see them, are the sheet's: as a thousand elements they would be most
 * of what a table costs.
 */
function DifferenceText({ unit, now, before }: Omit<FigureCellProps, 'isCompared'>) {
  const difference = differenceOf(unit, now, before)
  if (!difference) return <small className={styles.change} data-direction="unknown" />
  const { direction, text, change } = difference
  return (
    <small className={styles.change} data-direction={direction} title={`比較：${figureText(unit, before)}`}>
      {change === undefined ? text : `${text}\u2002${change}`}
    </small>
  )
}

export interface Tile {
  readonly label: string
  readonly unit: ColumnUnit
  /** 回, 円. */
  readonly suffix?: string
  readonly now: number | null | undefined
  readonly before: number | null | undefined
}

/** Key figures above a report, with their change when days are compared. */
export function Tiles(props: {
  tiles: readonly Tile[]
  isCompared: boolean
  /** Their places, while the figures are on their way. */
  isWaiting?: boolean
}) {
  const { tiles, isCompared, isWaiting = false } = props
  return (
    <dl className={styles.tiles} aria-busy={isWaiting}>
      {tiles.map(({ label, unit, suffix, now, before }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {isWaiting ? '\u00a0' : figureText(unit, now)}
            {suffix && !isWaiting && <small>{suffix}</small>}
          </dd>
          {isCompared && (
            <dd className={styles.tileChange}>
              {isWaiting ? '\u00a0' : <DifferenceText unit={unit} now={now} before={before} />}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
