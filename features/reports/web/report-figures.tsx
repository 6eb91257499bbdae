import type { CsvCell } from '@pc/ui/csv.ts'
import { formatChange, formatInteger, NO_VALUE } from '@pc/ui/format.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import styles from './report.module.css'

/** A figure of a report: how it is written, sorted, compared and exported, declared once. */
export interface ReportFigure<Figures> {
  /** The name of its order in the API, where it can be sorted by. */
  readonly id: string
  readonly header: string
  value(figures: Figures): number | null
  /** Default: a whole number with separators. */
  text?(figures: Figures): string
  /** For a spreadsheet; default: the value. */
  csv?(figures: Figures): CsvCell
  readonly isSortable?: boolean
}

export interface Compared<Figures> {
  readonly compared: Figures | null
}

function figureText<Figures>(figure: ReportFigure<Figures>, figures: Figures): string {
  return figure.text?.(figures) ?? formatInteger(figure.value(figures))
}

/** Columns of a list whose rows come in their order from the server. */
export function figureColumns<Figures, Row extends Figures & Compared<Figures>>(
  figures: readonly ReportFigure<Figures>[],
  totals: (Figures & Partial<Compared<Figures>>) | null | undefined,
  isCompared: boolean,
): Column<Row>[] {
  return figures.map(figure => ({
    id: figure.id,
    header: figure.header,
    isFigure: true,
    isSortedByServer: figure.isSortable ?? true,
    cell: row => <FigureCell figure={figure} now={row} before={row.compared} isCompared={isCompared} />,
    ...(totals
      ? { total: <FigureCell figure={figure} now={totals} before={totals.compared} isCompared={isCompared} /> }
      : {}),
  }))
}

interface FigureCellProps<Figures> {
  figure: ReportFigure<Figures>
  now: Figures
  before: Figures | null | undefined
  isCompared: boolean
}

function FigureCell<Figures>({ figure, now, before, isCompared }: FigureCellProps<Figures>) {
  return (
    <>
      {figureText(figure, now)}
      {isCompared && <ChangeText now={figure.value(now)} before={before && figure.value(before)} />}
    </>
  )
}

/** How a figure differs from the compared days: sign, arrow and colour; nothing to compare with: a dash. */
function ChangeText({ now, before }: { now: number | null; before: number | null | undefined }) {
  const change = now === null || before === null || before === undefined ? undefined : formatChange(now, before)
  if (!change) {
    return (
      <small className={styles.change}>
        <span aria-hidden>{NO_VALUE}</span>
        <span className="visually-hidden">比較できるデータなし</span>
      </small>
    )
  }
  const Icon = change.direction === 'down' ? IconArrowDown : IconArrowUp
  return (
    <small className={styles.change} data-direction={change.direction}>
      {change.direction !== 'none' && <Icon size={12} stroke={2.2} aria-hidden />}
      <span className="visually-hidden">{change.direction === 'down' ? '減少' : '増加'}</span>
      {change.text}
    </small>
  )
}

/** Columns for a spreadsheet: the figures, and what they are compared with when they are. */
export function figureCsvColumns<Figures, Row extends Figures & Compared<Figures>>(
  figures: readonly ReportFigure<Figures>[],
  isCompared: boolean,
): { readonly header: string; cell(row: Row): CsvCell }[] {
  return figures.flatMap(figure => {
    const read = (from: Figures): CsvCell => (figure.csv ? figure.csv(from) : figure.value(from))
    const own = { header: figure.header, cell: (row: Row) => read(row) }
    const before = {
      header: `${figure.header}（比較期間）`,
      cell: (row: Row) => (row.compared ? read(row.compared) : null),
    }
    return isCompared ? [own, before] : [own]
  })
}

export interface Tile {
  readonly label: string
  readonly text: string
  readonly unit?: string
  readonly now: number | null
  readonly before: number | null | undefined
}

/** Key figures above a report, with their change when days are compared. */
export function Tiles({ tiles, isCompared }: { tiles: readonly Tile[]; isCompared: boolean }) {
  return (
    <dl className={styles.tiles}>
      {tiles.map(tile => (
        <div key={tile.label}>
          <dt>{tile.label}</dt>
          <dd>
            {tile.text}
            {tile.unit && <small>{tile.unit}</small>}
          </dd>
          {isCompared && (
            <dd className={styles.tileChange}>
              <ChangeText now={tile.now} before={tile.before} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
