import { SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { QUESTIONS_PATH } from '../../../questions/links.ts'
import { CASH_FORECAST_PATH } from '../../links.ts'
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
      actions={
        <>
          <SecondaryLink address={addressOf(CASH_FORECAST_PATH)}>支払予定</SecondaryLink>
          <SecondaryLink address={addressOf(QUESTIONS_PATH)}>質問</SecondaryLink>
        </>
      }
      table="payments-for-publishers"
      agreementCell={(row, mediumName) => <AgreementName row={row} mediumName={mediumName} />}
    />
  )
}
