import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useReducer } from 'react'
import { Spacer } from './spacer.tsx'

interface VirtualRowsProps<Row> {
  rows: readonly Row[]
  columnCount: number
  rowHeight: number
  /** The region that scrolls. */
  place: RefObject<HTMLElement | null>
  renderRow: (row: Row, index: number) => ReactNode
}

/** Only the rows in sight exist; two empty ones stand for the others. In a chunk of its own: most tables are short. */
export function VirtualRows<Row>({ rows, columnCount, rowHeight, place, renderRow }: VirtualRowsProps<Row>) {
  // The virtualiser changes in place, which the compiler cannot see.
  'use no memo'
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  // The virtualiser looks for the region in a layout effect, when a region that is mounted with these rows has no reference yet.
  const [, lookAgain] = useReducer(count => count + 1, 0)
  useEffect(lookAgain, [])
  const items = virtualizer.getVirtualItems()
  return (
    <tbody>
      <Spacer columnCount={columnCount} height={items[0]?.start ?? 0} />
      {items.map(item => renderRow(rows[item.index]!, item.index))}
      <Spacer columnCount={columnCount} height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
    </tbody>
  )
}
