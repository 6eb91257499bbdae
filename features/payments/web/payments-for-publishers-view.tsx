import type { ScreenProps } from '@pc/ui/define-route.ts'
import type { PaymentCondition } from '../payment-condition.ts'
import { AgreementName } from './payment-columns.tsx'
import { PaymentList } from './payment-list.tsx'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'

/** Payments as a publisher's people see them: final months of their own agreements. */
export function PaymentsForPublishersView(props: ScreenProps<PaymentCondition, MonthlyPaymentsQuery>) {
  return (
    <PaymentList
      {...props}
      title="お支払い明細"
      hasOpenMonths={false}
      table="payments-for-publishers"
      agreementCell={row => <AgreementName row={row} />}
    />
  )
}
