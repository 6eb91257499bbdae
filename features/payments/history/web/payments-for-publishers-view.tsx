import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { PaymentCondition } from '../../payment-condition.ts'
import { AgreementPaymentList } from './agreement-payment-list.tsx'
import { AgreementName } from './payment-columns.tsx'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'

/** Payments as a publisher's people see them: final months of their own agreements. */
export function PaymentsForPublishersView(props: ScreenProps<PaymentCondition, MonthlyPaymentsQuery>) {
  return (
    <AgreementPaymentList
      {...props}
      title="お支払い明細"
      hasOpenMonths={false}
      table="payments-for-publishers"
      agreementCell={(row, mediumName) => <AgreementName row={row} mediumName={mediumName} />}
    />
  )
}
