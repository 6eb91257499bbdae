import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Filters, Pager, ScreenTop } from '../elements/list-top.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { Column, Sort } from '../table/column.ts'
import { DataTable } from '../table/data-table.tsx'
import styles from './list.module.css'
import type { ListFile } from './list-file.ts'
import type { Selection } from './selection.tsx'

const ColumnWidths = lazyPart(async () => (await import('./column-widths.tsx')).ColumnWidths)
const ListExport = lazyPart(async () => (await import('./list-export.tsx')).ListExport)

interface ListScreenProps<Row> {
  title: string
  /** What one row is, for caption and messages, for example 契約. */
  noun: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  total: number
  page: number
  pageSize: number
  onPage: (page: number) => void
  sort?: Sort
  onSort?: (sort: Sort) => void
  isLoading: boolean
  error: unknown
  retry: () => void
  /** Text of an empty list without filters; default: that there are no records yet. */
  nothing?: { readonly title: string; readonly hint: string }
  /** Whether a filter is set; an empty list then shows another text. */
  isFiltered: boolean
  /** Number of active filters besides the search. Phones show it on the button that unfolds them. */
  filterCount?: number
  onClearFilters: () => void
  /** Text of an empty list with a filter, where the reason is known. */
  emptyText?: { readonly title: string; readonly hint: string } | undefined
  filters: ReactNode
  /** Figures over the whole list, above it. */
  summary?: ReactNode
  /** Link to create a record, if the person may. */
  create?: { readonly label: string; readonly address: string } | undefined
  /** Further actions beside the button for a new record. */
  actions?: ReactNode
  /** Exports all rows of the list, not only the visible page. */
  file?: ListFile<Row>
  selection?: Selection
  /** Label of the totals row, whose cells are the columns' `total`. */
  totalLabel?: string | undefined
  /** Rows whose figures may still change; they are hatched. */
  isProvisional?: (row: Row) => boolean
  /** Actions for the selected rows. */
  bulk?: (ids: readonly string[]) => ReactNode
}

/** A list screen: filters, table, paging, loading and error states, selection and export. */
export function ListScreen<Row>(props: ListScreenProps<Row>) {
  const { noun, rows, create, selection, file } = props
  const place = useRef<HTMLElement>(null)
  const [isUnfolded, setUnfolded] = useState(false)
  const empty =
    props.total > 0
      ? { title: 'このページに表示する行はありません', hint: '前のページへ戻ってください。' }
      : props.isFiltered
        ? (props.emptyText ?? {
            title: `条件に合う${noun}がありません`,
            hint: '条件を変えるか、絞り込みを解除してください。',
          })
        : (props.nothing ?? {
            title: `${noun}はまだありません`,
            hint: create ? `「${create.label}」から登録してください。` : '',
          })
  return (
    <>
      <ScreenTop title={props.title}>
        {file && (
          <Suspense fallback={<Button disabled>書き出し</Button>}>
            <ListExport file={file} total={props.total} />
          </Suspense>
        )}
        {props.actions}
        {create && (
          <a className={styles.create} href={create.address}>
            <IconPlus size={16} aria-hidden />
            {create.label}
          </a>
        )}
      </ScreenTop>
      <div className={styles.filters} data-unfolded={isUnfolded || undefined}>
        <Filters>
          <span className={styles.fold}>
            <Button aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
              {props.filterCount ? `絞り込み（${props.filterCount}）` : '絞り込み'}
            </Button>
          </span>
          {props.filters}
          {props.isFiltered && (
            <Button tone="quiet" onClick={props.onClearFilters}>
              絞り込みを解除
            </Button>
          )}
        </Filters>
      </div>
      {props.summary}
      <section ref={place} className={styles.list} aria-label={`${noun}の一覧`} aria-busy={props.isLoading}>
        <h2 className="visually-hidden">{`${noun}の一覧`}</h2>
        <DataTable
          caption={`${noun}の一覧`}
          columns={props.columns}
          rows={rows}
          rowKey={props.rowKey}
          {...(props.sort ? { sort: props.sort } : {})}
          {...(props.onSort ? { onSort: props.onSort } : {})}
          isLoading={props.isLoading}
          {...(props.totalLabel === undefined ? {} : { totalLabel: props.totalLabel })}
          {...(props.isProvisional ? { isProvisional: props.isProvisional } : {})}
          {...(props.error ? { failure: { retry: props.retry } } : {})}
          empty={empty}
        />
      </section>
      <Suspense fallback={null}>
        <ColumnWidths columns={props.columns} place={place} />
      </Suspense>
      <Pager page={props.page} size={props.pageSize} total={props.total} onPage={props.onPage} />
      {selection && selection.mode !== 'none' && (
        <section className={styles.bulk} aria-label="選択した行の操作">
          <p role="status">
            <b>{selection.ids.length}</b>件を選択中
          </p>
          {props.bulk?.(selection.ids)}
          <Button tone="quiet" onClick={selection.clear}>
            選択を解除
          </Button>
        </section>
      )}
    </>
  )
}

interface RowLinkProps {
  address: string
  /** Only the cell is the link's target, not the row: for rows with many buttons. */
  isCell?: boolean
  /** The name takes the available width: for lists of few narrow columns. */
  isWide?: boolean
  children: ReactNode
}

/** Link from a row to its record. By default the whole row is its target. */
export function RowLink({ address, isCell = false, isWide = false, children }: RowLinkProps) {
  return (
    <a
      className={styles.rowLink}
      href={address}
      data-covers-row={isCell ? undefined : true}
      data-wide={isWide || undefined}
    >
      {children}
    </a>
  )
}

/** A secondary link of a list, less prominent than the one to create a record. */
export function SecondaryLink({ address, children }: { address: string; children: ReactNode }) {
  return (
    <a className={styles.secondary} href={address}>
      {children}
    </a>
  )
}
