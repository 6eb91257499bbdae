import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import {
  type ColumnDef,
  createSortedRowModel,
  functionalUpdate,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef } from 'react'
import { FailedContent, Message } from '../screen-states.tsx'
import styles from './data-table.module.css'

export type SortValue = number | string | null

export interface Column<Row> {
  readonly id: string
  /** With the unit in it: 収益（円）. */
  readonly header: string
  /** Figures are right-aligned together with their header. */
  readonly isFigure?: boolean
  readonly width?: number
  cell(row: Row): ReactNode
  /** Without it the column cannot be sorted. Null (no data) always comes last. */
  sortValue?(row: Row): SortValue
  readonly total?: ReactNode
  /** The heading of a row's card on a phone. */
  readonly isHeading?: boolean
}

export interface Sort {
  readonly columnId: string
  readonly isDescending: boolean
}

interface DataTableProps<Row> {
  /** What the table shows; for assistive technology. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The sorting lives in the address; without it the rows keep their order. */
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Given with the totals row. */
  totalLabel?: string
  isLoading?: boolean
  /** Set: nothing could be loaded. With rows present it is said above them, and they stay. */
  failure?: { retry: () => void }
  empty?: { title: string; hint?: string }
}

/** From here on only the visible rows exist. */
const VIRTUAL_FROM = 100
const SCROLLS_FROM = 40
const ROW_HEIGHT = 36

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const isPhone = useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
  if (props.rows.length === 0) {
    if (props.failure) return <FailedContent onRetry={props.failure.retry} />
    if (props.isLoading) return <LoadingRows />
    return <Message title={props.empty?.title ?? '該当するデータがありません'}>{props.empty?.hint}</Message>
  }
  return (
    <>
      {props.failure && (
        <p className={styles.notice} role="status">
          最新のデータを読み込めませんでした。前回の内容を表示しています。
          <button type="button" onClick={props.failure.retry}>
            もう一度読み込む
          </button>
        </p>
      )}
      {isPhone ? <Cards {...props} /> : <Grid {...props} />}
    </>
  )
}

function LoadingRows() {
  return (
    <div className={styles.loading} role="status" aria-label="読み込み中">
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: six equal placeholders
        <i key={index} />
      ))}
    </div>
  )
}

/** No data is neither large nor small: undefined stays last in both directions. */
function define<Row extends RowData>(column: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    accessorFn: row => column.sortValue?.(row) ?? undefined,
    header: column.header,
    enableSorting: column.sortValue !== undefined,
    sortUndefined: 'last',
    sortFn: (a, b, columnId) => compare(a.getValue(columnId), b.getValue(columnId)),
    cell: context => column.cell(context.row.original),
  }
}

function compare(a: SortValue, b: SortValue): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'ja')
}

function Grid<Row extends RowData>(props: DataTableProps<Row>) {
  // The virtualiser changes in place, which the compiler cannot see.
  'use no memo'
  const { columns, rows, rowKey, caption } = props
  const place = useRef<HTMLDivElement>(null)
  const sorting = props.sort ? [{ id: props.sort.columnId, desc: props.sort.isDescending }] : []
  const definitions = useMemo(() => columns.map(define), [columns])
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: rowKey,
    enableSortingRemoval: false,
    sortDescFirst: true,
    state: { sorting },
    onSortingChange: change => {
      const [next] = functionalUpdate(change, sorting)
      if (next) props.onSort?.({ columnId: next.id, isDescending: next.desc })
    },
  })
  const allRows = table.getRowModel().rows
  const isVirtual = allRows.length > VIRTUAL_FROM
  const virtualizer = useVirtualizer({
    count: allRows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    enabled: isVirtual,
  })
  const visible = isVirtual ? virtualizer.getVirtualItems() : undefined
  const shownRows = visible ? visible.map(item => allRows[item.index]!) : allRows
  const before = visible?.[0]?.start ?? 0
  const after = visible ? virtualizer.getTotalSize() - (visible.at(-1)?.end ?? 0) : 0
  const byId = new Map(columns.map(column => [column.id, column]))

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section
      ref={place}
      className={styles.place}
      data-scrolls={allRows.length > SCROLLS_FROM || undefined}
      aria-label={`${caption}（スクロールできます）`}
      tabIndex={0}
    >
      <table className={styles.table} aria-rowcount={allRows.length + 1} aria-busy={props.isLoading}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {table.getHeaderGroups()[0]!.headers.map(header => (
              <HeaderCell
                key={header.id}
                column={byId.get(header.column.id)!}
                sorted={header.column.getCanSort() ? header.column.getIsSorted() : undefined}
                onSort={() => header.column.toggleSorting()}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer columns={columns.length} height={before} />}
          {shownRows.map(row => (
            <tr key={row.id}>
              {row.getAllCells().map(cell => (
                <BodyCell key={cell.id} column={byId.get(cell.column.id)!}>
                  <table.FlexRender cell={cell} />
                </BodyCell>
              ))}
            </tr>
          ))}
          {after > 0 && <Spacer columns={columns.length} height={after} />}
        </tbody>
        {props.totalLabel && <TotalsRow columns={columns} label={props.totalLabel} />}
      </table>
    </section>
  )
}

function Spacer({ columns, height }: { columns: number; height: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={columns} className={styles.spacer} style={{ height }} />
    </tr>
  )
}

function HeaderCell<Row>(props: { column: Column<Row>; sorted: false | 'asc' | 'desc' | undefined; onSort: () => void }) {
  const { column, sorted } = props
  const Icon = sorted === 'asc' ? IconArrowUp : sorted === 'desc' ? IconArrowDown : IconArrowsSort
  return (
    <th
      scope="col"
      className={column.isFigure ? styles.figure : undefined}
      style={column.width ? { width: column.width } : undefined}
      aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {sorted === undefined ? (
        column.header
      ) : (
        <button type="button" onClick={props.onSort}>
          {column.header}
          <Icon size={14} aria-hidden />
        </button>
      )}
    </th>
  )
}

function BodyCell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  if (column.isHeading) return <th scope="row">{children}</th>
  return <td className={column.isFigure ? 'num' : undefined}>{children}</td>
}

function TotalsRow<Row>({ columns, label }: { columns: readonly Column<Row>[]; label: string }) {
  return (
    <tfoot>
      <tr>
        {columns.map((column, index) =>
          index === 0 ? (
            <th key={column.id} scope="row">
              {label}
            </th>
          ) : (
            <td key={column.id} className={column.isFigure ? 'num' : undefined}>
              {column.total}
            </td>
          ),
        )}
      </tr>
    </tfoot>
  )
}

/** A phone gets one card per row instead of a table that scrolls sideways. */
function Cards<Row>({ columns, rows, rowKey, caption, totalLabel }: DataTableProps<Row>) {
  const heading = columns.find(column => column.isHeading) ?? columns[0]!
  const rest = columns.filter(column => column !== heading)
  return (
    <ul className={styles.cards} aria-label={caption}>
      {totalLabel && (
        <li className={styles.totalCard}>
          <h3>{totalLabel}</h3>
          <dl>
            {rest
              .filter(column => column.total !== undefined)
              .map(column => (
                <div key={column.id}>
                  <dt>{column.header}</dt>
                  <dd className="num">{column.total}</dd>
                </div>
              ))}
          </dl>
        </li>
      )}
      {rows.map(row => (
        <li key={rowKey(row)}>
          <h3>{heading.cell(row)}</h3>
          <dl>
            {rest.map(column => (
              <div key={column.id}>
                <dt>{column.header}</dt>
                <dd className="num">{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
