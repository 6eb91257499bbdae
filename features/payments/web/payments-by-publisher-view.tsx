import { useApolloClient } from '@apollo/client/react'
import type { ScreenProps } from '@pc/ui/define-route.ts'
import { useMedia } from '@pc/ui/entity-options.ts'
import { orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import { loadAll } from '@pc/ui/list/load-all.ts'
import { type OptionalColumn, useChosenColumns } from '@pc/ui/views/chosen-columns.tsx'
import {
  isNarrowed,
  PAYMENT_LIST_ORDERS,
  PAYMENT_PAGE_SIZE,
  type PublisherPaymentCondition,
  publisherPaymentCondition,
} from '../payment-condition.ts'
import { ExplainableAmounts } from './explained-yen.tsx'
import {
  amountColumns,
  csvAmounts,
  estimateColumn,
  mediumColumn,
  monthColumn,
  revenueParts,
  shownFirst,
} from './payment-columns.tsx'
import { PaymentFilters } from './payment-filters.tsx'
import { PaymentTotals } from './payment-totals.tsx'
import styles from './payments.module.css'
import { MonthlyPublisherPaymentsDocument, type MonthlyPublisherPaymentsQuery } from './publisher-payments.gen.ts'
import { publisherPaymentsQuery } from './publisher-payments-query.ts'

type List = NonNullable<MonthlyPublisherPaymentsQuery['monthlyPublisherPayments']>
type Row = List['nodes'][number]

/** The publishers' parts of payments. */
export function PaymentsByPublisherView(props: ScreenProps<PublisherPaymentCondition, MonthlyPublisherPaymentsQuery>) {
  const { condition, setCondition, data } = props
  const media = useMedia()
  const client = useApolloClient()
  const list = data?.monthlyPublisherPayments
  const table = useChosenColumns('payments-by-publisher', columnsFor(media.nameOf))
  const change = (next: Partial<PublisherPaymentCondition>) => setCondition({ page: 1, ...next })
  return (
    <ExplainableAmounts kind="publisher_payment" condition={condition} onChange={setCondition}>
      <ListScreen
        title="パブリッシャー別の支払"
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
        isFiltered={isNarrowed(condition) || condition.monthlyPaymentId !== undefined}
        onClearFilters={() => setCondition({ ...publisherPaymentCondition.defaults, order: condition.order })}
        filters={
          <PaymentFilters
            condition={condition}
            today={props.today}
            search={{ label: '支払を検索', placeholder: 'パブリッシャー名・契約名・コード' }}
            hasOpenMonths
            onChange={change}
          />
        }
        actions={table.chooser}
        summary={list && <PaymentTotals totals={totalsOf(list)} />}
        csv={{
          fileName: 'パブリッシャー別の支払.csv',
          columns: csvColumns(media.nameOf),
          loadAll: () =>
            loadAll(async page => {
              const variables = { ...publisherPaymentsQuery.variables(condition), ...page }
              const { data: part } = await client.query({ query: MonthlyPublisherPaymentsDocument, variables })
              return part?.monthlyPublisherPayments
            }),
        }}
      />
    </ExplainableAmounts>
  )
}

function columnsFor(mediumName: (id: string) => string): OptionalColumn<Row>[] {
  return [
    {
      id: 'publisher',
      header: 'パブリッシャー',
      definition: 'パブリッシャーと媒体・契約',
      isHeading: true,
      cell: row => (
        <>
          {row.publisherName}
          <small className={styles.partner}>{mediumName(row.mediumId)}</small>
          <small className={styles.partner}>{`${row.agreementName} / ${row.agreementCode}`}</small>
        </>
      ),
    },
    ...shownFirst<Row>([
      monthColumn(),
      {
        id: 'state',
        header: '状態',
        definition: '支払の状態と、支払わない場合の理由',
        cell: row => <PartState row={row} />,
      },
      ...amountColumns<Row>('payment', 'revenue'),
      estimateColumn(),
      mediumColumn(mediumName),
    ]),
    ...amountColumns<Row>('manualAdjustmentRevenue', 'carriedOverRevenue', 'carriedOverToNext'),
    ...revenueParts<Row>(),
  ]
}

function PartState({ row }: { row: Row }) {
  return (
    <span className={styles.status}>
      {row.paymentStatusLabel}
      {row.reasonText && <small>{row.reasonText}</small>}
    </span>
  )
}

function csvColumns(mediumName: (id: string) => string) {
  return [
    { header: '発生月', cell: (row: Row) => row.revenueGeneratedAtMonth },
    { header: 'パブリッシャーID', cell: (row: Row) => row.publisherId },
    { header: 'パブリッシャー', cell: (row: Row) => row.publisherName },
    { header: '契約', cell: (row: Row) => row.agreementName },
    { header: '契約コード', cell: (row: Row) => row.agreementCode },
    { header: '媒体', cell: (row: Row) => mediumName(row.mediumId) },
    { header: '状態', cell: (row: Row) => row.paymentStatusLabel },
    { header: '理由', cell: (row: Row) => row.reasonText },
    ...csvAmounts<Row>(),
  ]
}

function totalsOf(list: List) {
  return [
    { label: '支払額合計（税抜）', amountYen: list.sumWithoutTax },
    { label: '収益合計（税抜）', amountYen: list.sumRevenueWithoutTax },
    { label: '調整額合計', amountYen: list.sumManualAdjustment },
  ]
}
