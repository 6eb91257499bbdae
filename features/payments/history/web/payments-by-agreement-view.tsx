import { RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { PAYMENTS_BY_PUBLISHER_PATH } from '../../links.ts'
import { type PaymentCondition, publisherPaymentCondition } from '../../payment-condition.ts'
import { AgreementPaymentList } from './agreement-payment-list.tsx'
import { AgreementName } from './payment-columns.tsx'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'

/** Payments per agreement, for staff: the row leads to its parts by publisher. */
export function PaymentsByAgreementView(props: ScreenProps<PaymentCondition, MonthlyPaymentsQuery>) {
  return (
    <AgreementPaymentList
      {...props}
      title="契約別の支払"
      hasOpenMonths
      table="payments-by-agreement"
      agreementCell={(row, mediumName) => (
        <RowLink address={partsAddress(row.id)} isCell>
          <AgreementName row={row} mediumName={mediumName} />
        </RowLink>
      )}
    />
  )
}

function partsAddress(monthlyPaymentId: string): string {
  const condition = { ...publisherPaymentCondition.defaults, monthlyPaymentId }
  return addressOf(PAYMENTS_BY_PUBLISHER_PATH, publisherPaymentCondition.format(condition))
}
