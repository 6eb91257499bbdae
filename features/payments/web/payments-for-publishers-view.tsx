import type { Day } from '@pc/domain/month/day.ts'
import type { ScreenProps } from '@pc/ui/define-route.ts'
import { formatShortDay } from '@pc/ui/format.ts'
import type { PaymentCondition } from '../payment-condition.ts'
import {
  AgreementName,
  amountColumns,
  estimateColumn,
  monthColumn,
  monthText,
  type PaymentRow,
  PaymentState,
  taxColumns,
} from './payment-columns.tsx'
import { PaymentList } from './payment-list.tsx'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'

/** Payments as a publisher's people see them: final months of their own agreements. */
export function PaymentsForPublishersView(props: ScreenProps<PaymentCondition, MonthlyPaymentsQuery>) {
  return (
    <PaymentList
      {...props}
      title="お支払い明細"
      hasOpenMonths={false}
      columns={mediumName => [
        monthColumn<PaymentRow>(),
        { id: 'agreement', header: '契約', isHeading: true, cell: row => <AgreementName row={row} /> },
        { id: 'medium', header: '媒体', cell: row => mediumName(row.mediumId) },
        { id: 'state', header: '状態', cell: row => <PaymentState row={row} /> },
        ...amountColumns<PaymentRow>('productAdsRevenue', 'sspRevenue', 'videoSSPRevenue', 'liveSSPRevenue'),
        ...amountColumns<PaymentRow>('fixedRevenueApplied', 'minimumTopUpRevenue', 'revenue'),
        ...amountColumns<PaymentRow>('manualAdjustmentRevenue'),
        estimateColumn<PaymentRow>(),
        ...amountColumns<PaymentRow>('carriedOverRevenue', 'payment'),
        ...taxColumns(),
        ...amountColumns<PaymentRow>('carriedOverToNext'),
        { id: 'due', header: '支払期日', cell: row => formatShortDay(row.dueOn as Day) },
        { id: 'paid', header: '支払月', cell: row => monthText(row.paidAtMonth) },
      ]}
    />
  )
}
