import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { OptionalColumn } from '@pc/ui/views/chosen-columns.tsx'
import styles from '../../core/web/payments.module.css'
import { type PublisherPaymentCondition, publisherPaymentCondition } from '../../payment-condition.ts'
import {
  amountColumns,
  csvAmounts,
  estimateColumn,
  mediumColumn,
  monthColumn,
  revenueParts,
  shownFirst,
} from './payment-columns.tsx'
import { PAYMENT_LIST, PaymentList } from './payment-list.tsx'
import type { MonthlyPublisherPaymentsQuery } from './publisher-payments.gen.ts'
import { publisherPaymentsQuery } from './publisher-payments-query.ts'

type Row = NonNullable<MonthlyPublisherPaymentsQuery['monthlyPublisherPayments']>['nodes'][number]

const LIST = {
  ...PAYMENT_LIST,
  condition: publisherPaymentCondition,
  query: publisherPaymentsQuery,
  list: (data: MonthlyPublisherPaymentsQuery) => data.monthlyPublisherPayments,
} as const

/** The publishers' parts of payments. */
export function PaymentsByPublisherView(props: ScreenProps<PublisherPaymentCondition, MonthlyPublisherPaymentsQuery>) {
  return (
    <PaymentList
      {...props}
      title="パブリッシャー別の支払"
      table="payments-by-publisher"
      kind={LIST}
      explains="publisher_payment"
      placeholder="パブリッシャー名・契約名・コード"
      columns={columnsFor}
      csvColumns={csvColumns}
      totals={totalsOf}
      hasOpenMonths
    />
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
    ]),
    // The row's heading names the medium too. The column is for people who want it beside the figures.
    mediumColumn(mediumName),
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

function totalsOf({ monthlyPublisherPayments: list }: MonthlyPublisherPaymentsQuery) {
  return (
    list && [
      { label: '支払額合計（税抜）', amountYen: list.sumWithoutTax },
      { label: '収益合計（税抜）', amountYen: list.sumRevenueWithoutTax },
      { label: '調整額合計', amountYen: list.sumManualAdjustment },
    ]
  )
}
