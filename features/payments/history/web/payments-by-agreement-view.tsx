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
const MarkReturnedDialog = lazy(async () => ({
  default: (await import('./mark-returned-dialog.tsx')).MarkReturnedDialog,
}))

interface Marked {
  readonly as: 'paid' | 'returned'
  readonly rows: readonly PaymentRow[]
}

/** Payments per agreement, for staff: the row leads to its parts by publisher. */
export function PaymentsByAgreementView(props: ScreenProps<PaymentCondition, MonthlyPaymentsQuery>) {
  const [marked, setMarked] = useState<Marked>()
  const MarkDialog = marked?.as === 'returned' ? MarkReturnedDialog : MarkPaidDialog
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
        {...(mayMark ? { chosen: { name: nameOf, bulk: rows => <MarkButtons rows={rows} onMark={setMarked} /> } } : {})}
      />
      {marked && (
        <Suspense fallback={null}>
          <MarkDialog payments={marked.rows} onClose={() => setMarked(undefined)} onDone={props.retry} />
        </Suspense>
      )}
    </>
  )
}

const nameOf = ({ revenueGeneratedAtMonth, monthlyAgreementSnapshot: { agreementName } }: PaymentRow) =>
  `${isoMonthText(revenueGeneratedAtMonth, NO_VALUE)} ${agreementName}`

/** Buttons that mark scheduled payments as paid, and exported or paid ones as returned. */
function MarkButtons({ rows, onMark }: { rows: readonly PaymentRow[]; onMark: (marked: Marked) => void }) {
  const payable = rows.filter(row => row.paymentStatus === 'scheduled')
  const sent = rows.filter(row => row.paymentStatus === 'exported' || row.paymentStatus === 'paid')
  return (
    <>
      {(payable.length > 0 || sent.length === 0) && (
        <Button tone="primary" disabled={payable.length === 0} onClick={() => onMark({ as: 'paid', rows: payable })}>
          {payable.length === 0
            ? '「支払予定」の支払を選択してください'
            : `${formatInteger(payable.length)}件を支払済みにする`}
        </Button>
      )}
      {sent.length > 0 && (
        <Button onClick={() => onMark({ as: 'returned', rows: sent })}>
          {`${formatInteger(sent.length)}件を組戻しにする`}
        </Button>
      )}
    </>
  )
}

function partsAddress(monthlyPaymentId: string): string {
  const condition = { ...publisherPaymentCondition.defaults, monthlyPaymentId }
  return addressOf(PAYMENTS_BY_PUBLISHER_PATH, publisherPaymentCondition.format(condition))
}
