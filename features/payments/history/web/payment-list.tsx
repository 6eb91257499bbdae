import type { OperationVariables } from '@apollo/client'
import type { CsvCell } from '@pc/ui/data/csv.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { useLatest } from '@pc/ui/data/use-latest.ts'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import { selectionColumn, useSelection } from '@pc/ui/list/selection.tsx'
import { type ListKind, useConditionList } from '@pc/ui/list/use-condition-list.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { type OptionalColumn, useChosenColumns } from '@pc/ui/views/chosen-columns.tsx'
import { memo, type ReactNode } from 'react'
import { ExplainableAmounts } from '../../core/web/explained-yen.tsx'
import { PAYMENT_LIST_ORDERS, PAYMENT_PAGE_SIZE, type PaymentCondition } from '../../payment-condition.ts'
import { PaymentFilters } from './payment-filters.tsx'
import { PaymentTotals, type Total } from './payment-totals.tsx'

/** What all lists of payments have in common. `explain` and `at` open a panel beside the list and do not filter it. */
export const PAYMENT_LIST = {
  orders: PAYMENT_LIST_ORDERS,
  pageSize: PAYMENT_PAGE_SIZE,
  notFilters: ['explain', 'at'],
} as const

interface PaymentListProps<C extends PaymentCondition, D, V, Row extends { readonly id: string }>
  extends ScreenProps<C, D> {
  title: string
  /** The key under which the person's choice of columns is stored. */
  table: string
  kind: ListKind<C, D, V, Row>
  /** The kind of row whose amounts the panel beside the list explains. */
  explains: 'payment' | 'publisher_payment'
  /** Placeholder of the search field. */
  placeholder: string
  columns: (mediumName: (id: string) => string) => OptionalColumn<Row>[]
  csvColumns: (mediumName: (id: string) => string) => { readonly header: string; cell(row: Row): CsvCell }[]
  /** Sums over the whole filter, not only over the page. */
  totals: (data: D) => readonly Total[] | null | undefined
  hasOpenMonths: boolean
  emptyText?: { readonly title: string; readonly hint: string } | undefined
  /** Links and buttons beside the title. */
  actions?: ReactNode
  /** Actions on chosen rows; without it, rows cannot be chosen. */
  chosen?: {
    readonly name: (row: Row) => string
    readonly bulk: (rows: readonly Row[]) => ReactNode
  }
}

/** A list of payments, or of publishers' parts of them, with totals. Staff and publishers use the same list. */
export function PaymentList<C extends PaymentCondition, D, V extends OperationVariables, Row extends { id: string }>(
  props: PaymentListProps<C, D, V, Row>,
) {
  const setCondition = useLatest(props.setCondition)
  const retry = useLatest(props.retry)
  return (
    <ExplainableAmounts
      kind={props.explains}
      condition={props.condition}
      onChange={opened => setCondition(opened as Partial<C>)}
    >
      <Payments {...props} setCondition={setCondition} retry={retry} />
    </ExplainableAmounts>
  )
}

const SEEN = ['data', 'isLoading', 'error', 'viewer', 'today', 'table'] as const

/** Memoised, so that opening an explanation, which changes the address, does not draw all rows again. */
const Payments = memo(
  PaymentsNow,
  (before, now) => rowsOf(before.condition) === rowsOf(now.condition) && SEEN.every(name => before[name] === now[name]),
) as typeof PaymentsNow

/** The part of the condition on which the rows depend. */
function rowsOf({ explain: _explain, at: _at, ...rows }: PaymentCondition): string {
  return JSON.stringify(rows)
}

function PaymentsNow<C extends PaymentCondition, D, V extends OperationVariables, Row extends { id: string }>(
  props: PaymentListProps<C, D, V, Row>,
) {
  const { condition, data, title } = props
  const media = useMedia()
  const { change, shown, pieces } = useConditionList(props, props.kind)
  const table = useChosenColumns(props.table, props.columns(media.nameOf))
  const selection = useSelection(shown.rows.map(row => row.id))
  const { chosen } = props
  const bulk = chosen && {
    selection,
    bulk: (ids: readonly string[]) => chosen.bulk(shown.rows.filter(row => ids.includes(row.id))),
  }
  const totals = data === undefined ? undefined : props.totals(data)
  return (
    <ListScreen
      title={title}
      noun="支払"
      {...shown}
      columns={
        chosen
          ? [selectionColumn<Row>(selection, { id: row => row.id, name: chosen.name }), ...table.columns]
          : table.columns
      }
      rows={table.isKnown ? shown.rows : []}
      rowKey={row => row.id}
      isLoading={props.isLoading || !table.isKnown}
      emptyText={props.emptyText}
      filters={
        <PaymentFilters
          condition={condition}
          today={props.today}
          search={{ label: '支払を検索', placeholder: props.placeholder }}
          hasOpenMonths={props.hasOpenMonths}
          onChange={next => change(next as Partial<C>)}
        />
      }
      actions={
        <>
          {table.chooser}
          {props.actions}
        </>
      }
      summary={totals && <PaymentTotals totals={totals} />}
      file={{ fileName: title, columns: props.csvColumns(media.nameOf), pieces }}
      {...bulk}
    />
  )
}
