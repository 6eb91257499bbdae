import { MAX_TRANSFER_REASON } from '@pc/domain/transfer/transfer-reason.ts'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { MarkReturnedDocument } from './mark-returned.gen.ts'
import type { PaymentRow } from './payment-columns.tsx'

/** Marks payments that the bank returned, when it does not send a result file. All or none. */
export function MarkReturnedDialog(props: {
  payments: readonly PaymentRow[]
  onClose: () => void
  onDone: () => void
}) {
  const { payments, onClose, onDone } = props
  const markReturned = useSubmission(MarkReturnedDocument)
  const count = formatInteger(payments.length)
  const total = payments.reduce((sum, row) => sum + row.paymentIncludingTax, 0)
  return (
    <ReasonDialog
      title={`支払${count}件を組戻しにします`}
      about={payments.map(({ id }) => id).join(' ')}
      note={`税込 ${formatInteger(total)}円。銀行から資金が戻ったことを確認してから登録してください。組戻しにした支払は「振込」の画面で、もう一度振込データに入れられます。`}
      label="組戻しの理由"
      action={`${count}件を組戻しにする`}
      maxLength={MAX_TRANSFER_REASON}
      onClose={onClose}
      onSubmit={async reason => {
        const { markReturned: done } = await markReturned({ ids: payments.map(({ id }) => id), reason })
        showToast({ tone: 'success', message: `支払${formatInteger(done)}件を組戻しにしました。` })
        onDone()
        onClose()
      }}
    />
  )
}
