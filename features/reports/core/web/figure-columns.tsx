import type { OrderBasis } from '@pc/domain/report/order-basis.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { headerOf, type ReportColumn } from '../../report-columns.ts'
import type { ExplainRows } from './explanation.tsx'
import { type Compared, descriptionOf, FigureCell, type FigureValues } from './report-figures.tsx'

interface FigureColumns<Figures, Row> {
  readonly columns: readonly ReportColumn[]
  readonly values: FigureValues<Figures>
  readonly totals: (Figures & Partial<Compared<Figures>>) | null | undefined
  readonly isCompared: boolean
  /** Whether the server can sort by a column id. */
  readonly isSortable: (id: string) => boolean
  readonly explain: ExplainRows<Row>
  /** What the list is ordered by; absent: the figure. */
  readonly orderOf?: OrderBasis | undefined
}

/**
 * A wide table has room for one part of a change: percent, or the amount where that orders the list. The change of a
 * rate is always in points.
 */
const partOf = (unit: ReportColumn['unit'], orderOf: OrderBasis | undefined) =>
  unit === 'percent' || orderOf === 'difference' ? 'amount' : 'percent'

/** Table columns of the report's figures, for lists that the server sorts. Other columns are skipped. */
export function figureColumns<Figures, Row extends Figures & Compared<Figures>>({
  columns,
  values,
  totals,
  isCompared,
  isSortable,
  explain,
  orderOf,
}: FigureColumns<Figures, Row>): Column<Row>[] {
  return columns.flatMap((column): Column<Row>[] => {
    const value = values[column.id]
    if (!value) return []
    const cell = (now: Figures, before: Figures | null | undefined, row?: Row) => (
      <FigureCell
        unit={column.unit}
        now={value(now)}
        before={before && value(before)}
        isCompared={isCompared}
        why={explain.why(column.id, row)}
        part={partOf(column.unit, orderOf)}
      />
    )
    return [
      {
        id: column.id,
        header: headerOf(column),
        description: descriptionOf(column),
        isFigure: true,
        form: isCompared ? `compared ${partOf(column.unit, orderOf)}` : 'plain',
        isSortedByServer: isSortable(column.id),
        cell: row => cell(row, row.compared, row),
        ...(totals ? { total: cell(totals, totals.compared) } : {}),
      },
    ]
  })
}
