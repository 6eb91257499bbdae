import type { ReactNode } from 'react'

export type SortValue = number | string | null

export interface Column<Row> {
  readonly id: string
  /** Header text, including the unit: 収益（円）. */
  readonly header: string
  /** Figures are right-aligned together with their header. */
  readonly isFigure?: boolean
  readonly width?: number
  cell(row: Row): ReactNode
  /** Value to sort by; null: no data, sorted last. Without it the column cannot be sorted. */
  sortValue?(row: Row): SortValue
  /** The server sorts: pressing the header only reports the wanted order. */
  readonly isSortedByServer?: boolean
  /** A key that changes when the same rows must render differently, for example with another comparison. */
  readonly form?: string
  /** In place of the header's text, for example a checkbox for all rows. */
  readonly headerContent?: ReactNode
  readonly total?: ReactNode
  /** Meaning and computation of the column, shown when the header is hovered or focused. */
  readonly description?: string
  /** Names the row: a header cell, and the heading of its card on a phone. */
  readonly isHeading?: boolean
}

export interface Sort {
  readonly columnId: string
  readonly isDescending: boolean
}

/** Stable sort. Rows without data are last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const readValue = columns.find(column => column.id === sort?.columnId)?.sortValue
  if (!readValue) return rows
  const direction = sort?.isDescending ? -1 : 1
  return [...rows].sort((one, other) => {
    const [a, b] = [readValue(one), readValue(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return (
      direction * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'ja'))
    )
  })
}

/** The order after pressing a header: the largest value first, then each press reverses it. */
export function nextSort(sort: Sort | undefined, columnId: string): Sort {
  return { columnId, isDescending: sort?.columnId === columnId ? !sort.isDescending : true }
}
