import { useMediaQuery } from '@mantine/hooks'
import { memo, type ReactNode, Suspense, useLayoutEffect, useMemo, useRef } from 'react'
import { useLatest } from '../data/use-latest.ts'
import { ScrollRegion } from '../elements/scroll-region.tsx'
import { usePressed } from '../elements/use-pressed.ts'
import { lazy } from '../routing/lazy.ts'
import { FailedContent, Message } from '../routing/screen-states.tsx'
import { type Column, nextSort, type Sort, sortRows } from './column.ts'
import styles from './data-table.module.css'
import { HeaderHint } from './header-hint.tsx'
import { useIncrementalRows } from './incremental-rows.ts'
import { Spacer } from './spacer.tsx'
import { usePrinting } from './use-printing.ts'
import type { VirtualRows as VirtualRowsPart } from './virtual-rows.tsx'

interface DataTableProps<Row> {
  /** What the table shows; for assistive technology. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The current sort, kept in the address; undefined: rows keep their order. */
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Label of the totals row; undefined: there is none. */
  totalLabel?: string
  isLoading?: boolean
  /** Rows whose figures may still change; they are hatched. */
  isProvisional?: (row: Row) => boolean
  /** Set when the last load failed. Rows that have been loaded stay, with a note above them. */
  failure?: { retry: () => void }
  empty?: { title: string; hint?: string }
}

/** From this number of rows on, only visible rows are in the DOM. */
const VIRTUAL_FROM = 100
/** From this number of rows on, the table scrolls in its own region, so that header and totals stay visible. */
const SCROLLS_FROM = 40
const ROW_HEIGHT = 36

const VirtualRows = lazy(() =>
  import('./virtual-rows.tsx').then(module => ({ default: module.VirtualRows })),
) as unknown as typeof VirtualRowsPart

/** A table with loading, empty, failed and partial states; on a phone, cards. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  'use memo'
  const isPrinting = usePrinting()
  const isNarrow = useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
  const { rows, columns, sort } = props
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort])
  if (rows.length === 0) {
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
      {isNarrow && !isPrinting ? (
        <Cards {...props} rows={sorted} />
      ) : (
        <Grid {...props} rows={sorted} isPrinting={isPrinting} />
      )}
    </>
  )
}

function LoadingRows() {
  return (
    <div className={styles.loading} role="status" aria-label="読み込み中">
      {[1, 2, 3, 4, 5, 6].map(row => (
        <i key={row} />
      ))}
    </div>
  )
}

function Grid<Row>(props: DataTableProps<Row> & { isPrinting: boolean }) {
  'use memo'
  const { columns, rows, rowKey, caption, sort, onSort } = props
  const place = useRef<HTMLElement>(null)
  const isVirtual = rows.length > VIRTUAL_FROM && !props.isPrinting
  const form = isVirtual ? '' : `${columns.map(column => column.id + (column.form ?? ''))} ${rows.map(rowKey)}`
  const drawn = useIncrementalRows(form, props.isPrinting || isVirtual ? 0 : rows.length, place)
  useLayoutEffect(() => noteCoveredRows(place.current))
  const renderRow = (row: Row) => (
    <BodyRow key={rowKey(row)} row={row} columns={columns} isProvisional={props.isProvisional?.(row) ?? false} />
  )
  return (
    <ScrollRegion
      ref={place}
      className={styles.place}
      data-scrolls={rows.length > SCROLLS_FROM || undefined}
      aria-label={`${caption}（スクロールできます）`}
    >
      <table className={styles.table} aria-rowcount={rows.length + 1} aria-busy={props.isLoading}>
        <caption className="visually-hidden">{caption}</caption>
        <HeaderRow columns={columns} sort={sort} onSort={onSort} />
        {props.isPrinting ? (
          <tbody>{rows.map(renderRow)}</tbody>
        ) : !isVirtual ? (
          <tbody>
            {rows.slice(0, drawn).map(renderRow)}
            <Spacer columnCount={columns.length} height={(rows.length - drawn) * ROW_HEIGHT} />
          </tbody>
        ) : (
          <Suspense fallback={<tbody>{rows.slice(0, SCROLLS_FROM).map(renderRow)}</tbody>}>
            <VirtualRows
              rows={rows}
              columnCount={columns.length}
              rowHeight={ROW_HEIGHT}
              place={place}
              renderRow={renderRow}
            />
          </Suspense>
        )}
        {props.totalLabel && <TotalsRow columns={columns} label={props.totalLabel} />}
      </table>
    </ScrollRegion>
  )
}

/** Marks tables in which links cover whole rows (`RowLink`), because their heading column must not be sticky. */
function noteCoveredRows(place: HTMLElement | null): void {
  const isCovered = place?.querySelector('[data-covers-row]') != null
  place?.querySelector('table')?.toggleAttribute('data-rows-covered', isCovered)
}

interface HeaderRowProps<Row> {
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}

/** Shows the pressed order before the sorted rows arrive. Only the header renders for that. */
function HeaderRow<Row>({ columns, sort, onSort }: HeaderRowProps<Row>) {
  const [pressed, press] = usePressed(sort, next => next && onSort?.(next))
  const pressColumn = useLatest((columnId: string) => press(nextSort(pressed, columnId)))
  return (
    <thead>
      <tr>
        {columns.map(column => (
          <HeaderCell
            key={column.id}
            column={column}
            order={pressed?.columnId !== column.id ? undefined : pressed.isDescending ? 'descending' : 'ascending'}
            onPress={onSort && pressColumn}
          />
        ))}
      </tr>
    </thead>
  )
}

interface HeaderCellProps<Row> {
  column: Column<Row>
  order: 'ascending' | 'descending' | undefined
  onPress: ((columnId: string) => void) | undefined
}

const HeaderCell = memo(HeaderCellNow) as typeof HeaderCellNow

function HeaderCellNow<Row>({ column, order, onPress }: HeaderCellProps<Row>) {
  const isSortable = (column.sortValue !== undefined || column.isSortedByServer) && onPress !== undefined
  return (
    <th
      scope="col"
      className={column.isFigure ? styles.figure : undefined}
      style={column.width ? { width: column.width } : undefined}
      data-heading={column.isHeading || undefined}
      aria-sort={order}
    >
      <Described hint={column.description}>
        {describedBy =>
          isSortable ? (
            <button type="button" aria-describedby={describedBy} onClick={() => onPress(column.id)}>
              {column.header}
              <OrderIcon />
            </button>
          ) : describedBy ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what it means must be reachable by keyboard
            <span tabIndex={0} aria-describedby={describedBy}>
              {column.header}
            </span>
          ) : (
            (column.headerContent ?? column.header)
          )
        }
      </Described>
    </th>
  )
}

/** CSS highlights one of its paths, so that a new order changes no layout of a thousand cells. */
function OrderIcon() {
  return (
    <svg className={styles.order} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 9l4 -4l4 4m-4 -4v14M21 15l-4 4l-4 -4m4 4v-14" />
      <path d="M12 5v14M18 11l-6 -6l-6 6" />
      <path d="M12 5v14M18 13l-6 6l-6 -6" />
    </svg>
  )
}

function Described(props: { hint: string | undefined; children: (describedBy: string | undefined) => ReactNode }) {
  if (props.hint === undefined) return props.children(undefined)
  return <HeaderHint hint={props.hint}>{props.children}</HeaderHint>
}

interface BodyRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  isProvisional: boolean
}

function BodyRow<Row>({ row, columns, isProvisional }: BodyRowProps<Row>) {
  'use memo'
  return (
    <tr data-provisional={isProvisional || undefined}>
      {columns.map(column => (
        <BodyCell key={column.id} column={column}>
          {column.cell(row)}
        </BodyCell>
      ))}
    </tr>
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

/** On a phone: one card for each row instead of horizontal scrolling. */
function Cards<Row>({ columns, rows, rowKey, caption, totalLabel, isProvisional }: DataTableProps<Row>) {
  'use memo'
  const heading = columns.find(column => column.isHeading) ?? columns[0]!
  const rest = columns.filter(column => column !== heading)
  return (
    <ul className={styles.cards} aria-label={caption}>
      {totalLabel && (
        <li className={styles.totalCard}>
          <h3>{totalLabel}</h3>
          <Pairs columns={rest.filter(column => column.total !== undefined)} read={column => column.total} />
        </li>
      )}
      {rows.map(row => (
        <li key={rowKey(row)} data-provisional={isProvisional?.(row) || undefined}>
          <h3>{heading.cell(row)}</h3>
          <Pairs columns={rest} read={column => column.cell(row)} />
        </li>
      ))}
    </ul>
  )
}

function Pairs<Row>({ columns, read }: { columns: readonly Column<Row>[]; read: (column: Column<Row>) => ReactNode }) {
  return (
    <dl>
      {columns.map(column => (
        <div key={column.id}>
          <dt>{column.header}</dt>
          <dd className={column.isFigure ? 'num' : undefined}>{read(column)}</dd>
        </div>
      ))}
    </dl>
  )
}
