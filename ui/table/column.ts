import type { ReactNode } from 'react'

export type SortValue = number | string | null

export interface Column<Row> {
  readonly id: string
  /** With the unit in it: 収益（円）. */
  readonly header: string
  /** Figures are right-aligned together with their header. */
  readonly isFigure?: boolean
  readonly width?: number
  cell(row: Row): ReactNode
  /** Without it the column cannot be sorted. Null: no data. */
  sortValue?(row: Row): SortValue
  /** The rows come in their order from the server: a press on the header asks for another one. */
  readonly isSortedByServer?: boolean
  /** Changes together with what the cells look like, where the rows stay the same. */
  readonly form?: string
  /** In place of the header's text, for example a checkbox for all rows. */
  readonly headerContent?: ReactNode
  readonly total?: ReactNode
  /** What it means and how it is computed: shown when the header is pointed at or has the focus. */
  readonly description?: string
  /** Names the row: its header cell, and the heading of its card on a phone. */
  readonly isHeading?: boolean
}

export interface Sort {
  readonly columnId: string
  readonly isDescending: boolean
}

/** Stable; no data is neither large nor small and stays last in both directions. */
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

/** What a press on a column's header asks for: figures begin with the largest, then every press turns the order. */
export function nextSort(sort: Sort | undefined, columnId: string): Sort {
  return { columnId, isDescending: sort?.columnId === columnId ? !sort.isDescending : true }
}
