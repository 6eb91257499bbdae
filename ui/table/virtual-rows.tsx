import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useReducer } from 'react'
import { Spacer } from './spacer.tsx'

interface VirtualRowsProps<Row> {
  rows: readonly Row[]
  columnCount: number
  rowHeight: number
  /** The scrolling element. */
  place: RefObject<HTMLElement | null>
  renderRow: (row: Row, index: number) => ReactNode
}

/** Renders only the visible rows and two spacers. In its own chunk, because most tables are short. */
export function VirtualRows<Row>({ rows, columnCount, rowHeight, place, renderRow }: VirtualRowsProps<Row>) {
  // The virtualiser is mutable, which the compiler cannot see.
  'use no memo'
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  // The virtualiser reads the scrolling element in a layout effect, before the ref of an element mounted together with
  // the rows is set. So it renders once more.
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
