import { useState } from 'react'
import type { Column } from '../table/column.ts'
import styles from './list.module.css'

/** How many of the visible rows are selected. */
export type SelectionMode = 'all' | 'part' | 'none'

export interface Selection {
  readonly mode: SelectionMode
  /** Ids of selected visible rows, in their order. */
  readonly ids: readonly string[]
  toggle(id: string): void
  toggleAll(): void
  clear(): void
}

/** The selection among the visible rows. Rows that leave the page leave the selection. */
export function useSelection(shownIds: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const ids = shownIds.filter(id => chosen.has(id))
  const mode = ids.length === 0 ? 'none' : ids.length === shownIds.length ? 'all' : 'part'
  return {
    mode,
    ids,
    toggle(id) {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      setChosen(next)
    },
    toggleAll: () => setChosen(mode === 'all' ? new Set() : new Set(shownIds)),
    clear: () => setChosen(new Set()),
  }
}

/** The first column of a list in which rows can be selected. */
export function selectionColumn<Row>(
  selection: Selection,
  read: { readonly id: (row: Row) => string; readonly name: (row: Row) => string },
): Column<Row> {
  return {
    id: 'selection',
    header: '選択',
    width: 44,
    headerContent: (
      <input
        type="checkbox"
        className={styles.check}
        aria-label="このページのすべての行を選択"
        checked={selection.mode === 'all'}
        ref={box => {
          if (box) box.indeterminate = selection.mode === 'part'
        }}
        onChange={selection.toggleAll}
      />
    ),
    cell: row => (
      <input
        type="checkbox"
        className={styles.check}
        aria-label={`${read.name(row)}を選択`}
        checked={selection.ids.includes(read.id(row))}
        onChange={() => selection.toggle(read.id(row))}
      />
    ),
  }
}
