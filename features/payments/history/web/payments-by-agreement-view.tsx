import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { Suspense, useState } from 'react'
import { PAYMENTS_BY_PUBLISHER_PATH } from '../../links.ts'
import { type PaymentCondition, publisherPaymentCondition } from '../../payment-condition.ts'
import { AgreementPaymentList } from './agreement-payment-list.tsx'
import { AgreementName, type PaymentRow } from './payment-columns.tsx'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'

const MarkPaidDialog = lazy(async () => ({ default: (await import('./mark-paid-dialog.tsx')).MarkPaidDialog }))

/** Payments per agreement, for staff: the row leads to its parts by publisher. */
export function PaymentsByAgreementView(props: ScreenProps<PaymentCondition, MonthlyPaymentsQuery>) {
  const [marked, setMarked] = useState<readonly PaymentRow[]>()
  const mayMark = props.viewer.can('write:update', 'insight:monthly_payment.')
  return (
    <>
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
        {...(mayMark
          ? { chosen: { name: nameOf, bulk: rows => <MarkPaidButton rows={rows} onMark={setMarked} /> } }
          : {})}
      />
      {marked && (
        <Suspense fallback={null}>
          <MarkPaidDialog payments={marked} onClose={() => setMarked(undefined)} onDone={props.retry} />
        </Suspense>
      )}
    </>
  )
}

const nameOf = ({ revenueGeneratedAtMonth, monthlyAgreementSnapshot: { agreementName } }: PaymentRow) =>
  `${isoMonthText(revenueGeneratedAtMonth, NO_VALUE)} ${agreementName}`

/** Only what waits to be paid; the result of a transfer is recorded with it. */
function MarkPaidButton(props: { rows: readonly PaymentRow[]; onMark: (rows: readonly PaymentRow[]) => void }) {
  const payable = props.rows.filter(row => row.paymentStatus === 'scheduled')
  return (
    <Button tone="primary" disabled={payable.length === 0} onClick={() => props.onMark(payable)}>
      {payable.length === 0
        ? '「支払予定」の支払を選択してください'
        : `${formatInteger(payable.length)}件を支払済みにする`}
    </Button>
  )
}

function partsAddress(monthlyPaymentId: string): string {
  const condition = { ...publisherPaymentCondition.defaults, monthlyPaymentId }
  return addressOf(PAYMENTS_BY_PUBLISHER_PATH, publisherPaymentCondition.format(condition))
}
