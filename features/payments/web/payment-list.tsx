import { useApolloClient } from '@apollo/client/react'
import type { ScreenProps } from '@pc/ui/define-route.ts'
import { useMedia } from '@pc/ui/entity-options.ts'
import { formatInteger, formatMonth } from '@pc/ui/format.ts'
import { orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import { loadAll } from '@pc/ui/list/load-all.ts'
import { useLatest } from '@pc/ui/use-latest.ts'
import { useChosenColumns } from '@pc/ui/views/chosen-columns.tsx'
import { memo, type ReactNode } from 'react'
import {
  isNarrowed,
  PAYMENT_LIST_ORDERS,
  PAYMENT_PAGE_SIZE,
  type PaymentCondition,
  paymentCondition,
} from '../payment-condition.ts'
import { ExplainableAmounts } from './explained-yen.tsx'
import { type PaymentRow, paymentColumns, paymentCsvColumns } from './payment-columns.tsx'
import { PaymentFilters } from './payment-filters.tsx'
import { PaymentTotals } from './payment-totals.tsx'
import { MonthlyPaymentsDocument, type MonthlyPaymentsQuery } from './payments.gen.ts'
import { paymentsQuery } from './payments-query.ts'

interface PaymentListProps extends ScreenProps<PaymentCondition, MonthlyPaymentsQuery> {
  title: string
  /** Under which the person's columns are kept. */
  table: string
  agreementCell: (row: PaymentRow, mediumName: string) => ReactNode
  hasOpenMonths: boolean
  /** Further ways from here, beside the title. */
  actions?: ReactNode
}

/** Payments by agreement and month with their totals: the same list for staff and for publishers, in their rows. */
export function PaymentList(props: PaymentListProps) {
  const setCondition = useLatest(props.setCondition)
  const retry = useLatest(props.retry)
  return (
    <ExplainableAmounts kind="payment" condition={props.condition} onChange={setCondition}>
      <Payments {...props} setCondition={setCondition} retry={retry} />
    </ExplainableAmounts>
  )
}

/** A hundred rows are not drawn again because an amount is explained beside them. */
const Payments = memo(
  PaymentsNow,
  (before, now) => rowsOf(before.condition) === rowsOf(now.condition) && SEEN.every(name => before[name] === now[name]),
)
const SEEN = ['data', 'isLoading', 'error', 'viewer', 'today', 'table'] as const

/** What of the condition the list depends on. */
function rowsOf({ explain: _explain, at: _at, ...rows }: PaymentCondition): string {
  return JSON.stringify(rows)
}

function PaymentsNow(props: PaymentListProps) {
  const { condition, setCondition, data, title } = props
  const media = useMedia()
  const client = useApolloClient()
  const list = data?.monthlyPayments
  const table = useChosenColumns(props.table, paymentColumns(media.nameOf, props.agreementCell))
  const change = (next: Partial<PaymentCondition>) => setCondition({ page: 1, ...next })
  return (
    <ListScreen
      title={title}
      noun="支払"
      columns={table.columns}
      rows={(table.isKnown && list?.nodes) || []}
      rowKey={row => row.id}
      total={list?.total ?? 0}
      page={condition.page}
      pageSize={PAYMENT_PAGE_SIZE}
      onPage={page => setCondition({ page })}
      sort={sortOfOrder(condition.order)}
      onSort={sort => {
        const order = orderOfSort(sort, PAYMENT_LIST_ORDERS)
        if (order) change({ order })
      }}
      isLoading={props.isLoading || !table.isKnown}
      error={list ? undefined : props.error}
      retry={props.retry}
      isFiltered={isNarrowed(condition)}
      emptyText={props.hasOpenMonths ? undefined : noFinalMonth(condition)}
      onClearFilters={() => setCondition({ ...paymentCondition.defaults, order: condition.order })}
      filters={
        <PaymentFilters
          condition={condition}
          today={props.today}
          search={{ label: '支払を検索', placeholder: '契約名・コード・支払先' }}
          hasOpenMonths={props.hasOpenMonths}
          onChange={change}
        />
      }
      actions={
        <>
          {table.chooser}
          {props.actions}
        </>
      }
      summary={list && <PaymentTotals totals={totalsOf(list)} />}
      csv={{
        fileName: `${title}.csv`,
        columns: paymentCsvColumns(media.nameOf),
        loadAll: () =>
          loadAll(async page => {
            const variables = { ...paymentsQuery.variables(condition), ...page }
            return (await client.query({ query: MonthlyPaymentsDocument, variables })).data?.monthlyPayments
          }),
      }}
    />
  )
}

/** The menu leads people of publishers to the previous month, which they see when it is final. */
function noFinalMonth({ month, monthTo, q, mediumId, actionType }: PaymentCondition) {
  if (month === undefined || (monthTo ?? month) !== month) return undefined
  if (q !== '' || mediumId !== undefined || actionType !== 'all') return undefined
  return {
    title: `${formatMonth(month)}分の確定したお支払いはありません`,
    hint: '月が確定すると、ここに表示されます。これまでのお支払いは「絞り込みを解除」で表示できます。',
  }
}

function totalsOf(list: NonNullable<MonthlyPaymentsQuery['monthlyPayments']>) {
  return [
    {
      label: '支払額合計（税込）',
      amountYen: list.sum,
      note: `税抜 ${formatInteger(list.sumWithoutTax)}円 + 消費税 ${formatInteger(list.taxSum)}円`,
    },
    {
      label: '収益合計（税込）',
      amountYen: list.sumRevenue,
      note: `税抜 ${formatInteger(list.sumRevenueWithoutTax)}円 + 消費税 ${formatInteger(list.sumRevenueTax)}円`,
    },
    {
      label: '収益のうち支払に至っていない額（税抜）',
      amountYen: list.sumRevenueWithoutTax - list.sumWithoutTax,
      note: '繰越・保留・未確定を含みます',
    },
  ]
}
