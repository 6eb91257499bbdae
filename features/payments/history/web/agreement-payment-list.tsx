import { monthText } from '@pc/domain/month/day-text.ja.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import type { ReactNode } from 'react'
import { type PaymentCondition, paymentCondition } from '../../payment-condition.ts'
import { type PaymentRow, paymentColumns, paymentCsvColumns } from './payment-columns.tsx'
import { PAYMENT_LIST, PaymentList } from './payment-list.tsx'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'
import { paymentsQuery } from './payments-query.ts'

const LIST = {
  ...PAYMENT_LIST,
  condition: paymentCondition,
  // Without the viewer, the query leaves out statements, which the file does not contain.
  query: { ...paymentsQuery, variables: (condition: PaymentCondition) => paymentsQuery.variables(condition) },
  list: (data: MonthlyPaymentsQuery) => data.monthlyPayments,
} as const

interface AgreementPaymentListProps extends ScreenProps<PaymentCondition, MonthlyPaymentsQuery> {
  title: string
  table: string
  agreementCell: (row: PaymentRow, mediumName: string) => ReactNode
  hasOpenMonths: boolean
  chosen?: { readonly name: (row: PaymentRow) => string; readonly bulk: (rows: readonly PaymentRow[]) => ReactNode }
}

/** Whole payments: one row for each agreement, medium and month. */
export function AgreementPaymentList(props: AgreementPaymentListProps) {
  return (
    <PaymentList
      {...props}
      kind={LIST}
      explains="payment"
      placeholder="契約名・コード・支払先"
      columns={mediumName => paymentColumns(mediumName, props.agreementCell)}
      csvColumns={paymentCsvColumns}
      totals={totalsOf}
      emptyText={props.hasOpenMonths ? undefined : noFinalMonth(props.condition)}
    />
  )
}

/**
 * The text of an empty list for a single month without other filters. The menu opens the previous month for publishers,
 * who see nothing of it until it is final.
 */
function noFinalMonth({ month, monthTo, q, mediumId, actionType }: PaymentCondition) {
  if (month === undefined || (monthTo ?? month) !== month) return undefined
  if (q !== '' || mediumId !== undefined || actionType !== 'all') return undefined
  return {
    title: `${monthText(month)}分の確定したお支払いはありません`,
    hint: '月が確定すると、ここに表示されます。これまでのお支払いは「絞り込みを解除」で表示できます。',
  }
}

function totalsOf({ monthlyPayments: list }: MonthlyPaymentsQuery) {
  return (
    list && [
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
      unpaidOf(list.sumRevenueWithoutTax, list.sumManualAdjustment, list.sumWithoutTax),
    ]
  )
}

/** The part of earnings and adjustments that the rows do not pay; negative when they also pay what earlier months carried. */
function unpaidOf(revenueYen: number, adjustmentYen: number, paymentYen: number) {
  const amountYen = revenueYen + adjustmentYen - paymentYen
  const adjusted = adjustmentYen === 0 ? '' : `。調整額 ${formatInteger(adjustmentYen)}円を加えた額です`
  return amountYen < 0
    ? {
        label: '前の月までの繰越から支払った額（税抜）',
        amountYen: -amountYen,
        note: `収益を上回る支払です${adjusted}`,
      }
    : {
        label: '未払いの収益（税抜）',
        amountYen,
        note: `繰越・保留・未確定を含みます${adjusted}`,
      }
}
