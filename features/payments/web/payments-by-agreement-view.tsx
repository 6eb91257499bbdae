import type { Day } from '@pc/domain/month/day.ts'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { formatDay } from '@pc/ui/format.ts'
import { RowLink, SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { PAYMENTS_BY_PUBLISHER_PATH, TRANSFERS_PATH } from '../links.ts'
import { type PaymentCondition, publisherPaymentCondition } from '../payment-condition.ts'
import {
  AgreementName,
  amountColumns,
  estimateColumn,
  monthColumn,
  type PaymentRow,
  PaymentState,
  taxColumns,
} from './payment-columns.tsx'
import { PaymentList } from './payment-list.tsx'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'

/** Payments per agreement, for staff: the row leads to its parts by publisher. */
export function PaymentsByAgreementView(props: ScreenProps<PaymentCondition, MonthlyPaymentsQuery>) {
  return (
    <PaymentList
      {...props}
      title="契約別の支払"
      hasOpenMonths
      actions={
        props.viewer.can('read:list', 'insight:dividend.') && (
          <SecondaryLink address={addressOf(TRANSFERS_PATH)}>振込へ</SecondaryLink>
        )
      }
      columns={mediumName => [
        monthColumn<PaymentRow>(),
        {
          id: 'agreement',
          header: '契約',
          isHeading: true,
          cell: row => (
            <RowLink address={partsAddress(row.id)} isCell>
              <AgreementName row={row} />
            </RowLink>
          ),
        },
        { id: 'medium', header: '媒体', cell: row => mediumName(row.mediumId) },
        { id: 'state', header: '状態', cell: row => <PaymentState row={row} /> },
        ...amountColumns<PaymentRow>('revenue', 'manualAdjustmentRevenue'),
        estimateColumn<PaymentRow>(),
        ...amountColumns<PaymentRow>('carriedOverRevenue', 'cumulativeRevenue'),
        ...amountColumns<PaymentRow>('payment'),
        ...taxColumns(),
        ...amountColumns<PaymentRow>('carriedOverToNext'),
        { id: 'due', header: '支払期日', cell: row => formatDay(row.dueOn as Day) },
      ]}
    />
  )
}

function partsAddress(monthlyPaymentId: string): string {
  const condition = { ...publisherPaymentCondition.defaults, monthlyPaymentId }
  return addressOf(PAYMENTS_BY_PUBLISHER_PATH, publisherPaymentCondition.format(condition))
}
