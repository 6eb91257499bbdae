import type { Day } from '@pc/domain/month/day.ts'
import { MAX_BANK_REFERENCE, MAX_TRANSFER_REASON } from '@pc/domain/transfer/transfer-reason.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger, formatShortDay } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { DecideRecalledTransferPaymentDocument } from './decide-recalled-transfer-payment.gen.ts'
import { DecideTransferRecallDocument } from './decide-transfer-recall.gen.ts'
import { NoteTransferRecallByBankDocument } from './note-transfer-recall-by-bank.gen.ts'
import { RequestTransferRecallDocument } from './request-transfer-recall.gen.ts'
import type { TransferBatchQuery } from './transfer-batch.gen.ts'

type Transfer = NonNullable<TransferBatchQuery['transferBatch']>['transfers']['nodes'][number]

/** The next step of a recall; undefined: none is possible. */
export type RecallStep = 'request' | 'decide' | 'bank' | 'request-paid' | 'decide-paid'

export function recallStepOf(row: Transfer, transferOn: string, today: string): RecallStep | undefined {
  const isOpen = row.recall?.state === 'requested'
  if (row.state === 'exported' && transferOn > today) return isOpen ? 'decide' : 'request'
  if (row.state !== 'returned' || row.recall?.state !== 'confirmed' || row.paidOn !== null) return undefined
  if (row.recalledPayment?.state === 'requested') return 'decide-paid'
  if (transferOn < today) return 'request-paid'
  // On the day itself the bank may still confirm the recall, or have paid.
  if (row.recall.bankReference === null) return 'bank'
  return transferOn === today ? 'request-paid' : undefined
}

/** What a recall adds to the state of a transfer, in Japanese; undefined: nothing. */
export function recallText(row: Transfer, transferOn: string, today: string): string | undefined {
  const step = recallStepOf(row, transferOn, today)
  if (step === 'decide')
    return `組戻しの承認待ち（申請：${row.recall?.requestedByEmail ?? '不明'}、${row.recall?.reason}）`
  if (step === 'bank') {
    return `${formatShortDay(transferOn as Day)}を過ぎるか、銀行の取り消しを記録するまで、振り込み直せません。`
  }
  if (step === 'decide-paid') {
    const { requestedByEmail, reason } = row.recalledPayment!
    return `銀行が支払ったため、振込済みとしての記録の承認待ち（申請：${requestedByEmail ?? '不明'}、${reason}）`
  }
  return row.recall?.bankReference ? `銀行の取り消し：${row.recall.bankReference}` : undefined
}

/** The actions of a recall: one person requests it, another one approves it, and the bank confirms it. */
export function RecallActions(props: {
  row: Transfer
  step: RecallStep
  onChange: () => void
  onRequestPaid: () => void
}) {
  const { row, step, onChange } = props
  const request = useSubmission(RequestTransferRecallDocument)
  const decide = useSubmission(DecideTransferRecallDocument)
  const decidePaid = useSubmission(DecideRecalledTransferPaymentDocument)
  const noteBank = useSubmission(NoteTransferRecallByBankDocument)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const done = (message: string) => {
    setAsking(false)
    showToast({ tone: 'success', message })
    onChange()
  }
  const about = `${row.partnerName}への振込${row.id}（${formatInteger(row.transferAmount)}円）`
  const isOfPaid = step === 'decide-paid'
  const submitDecision = async (isConfirmed: boolean) => {
    if (isBusy) return
    const isAgreed =
      !isConfirmed ||
      (await confirm({
        title: isOfPaid ? `振込${row.id}を支払済みにしますか？` : `振込${row.id}を組戻しにしますか？`,
        body: isOfPaid
          ? `${about}。銀行が${formatShortDay(row.recalledPayment!.paidOn as Day)}に支払ったことを確認してください。支払は支払済みになり、振り込み直せなくなります。`
          : `${about}。銀行に取り消しを依頼済みであることを確認してください。銀行が振込を行うと二重払いになるため、振込指定日を過ぎるか、銀行の取り消しを記録するまで、振り込み直せません。`,
        action: '承認する',
      }))
    if (!isAgreed) return
    setBusy(true)
    try {
      await (isOfPaid ? decidePaid : decide)({ id: row.id, isConfirmed })
      const message = `振込${row.id}を${isOfPaid ? '支払済み' : '組戻し'}にしました。`
      done(isConfirmed ? message : `振込${row.id}の申請を終了しました。`)
    } catch {
      // The client has shown the error as a toast already.
      onChange()
    } finally {
      setBusy(false)
    }
  }
  if (step === 'request-paid') {
    return (
      <Button tone="quiet" aria-label={`振込${row.id}を振込済みとして記録`} onClick={props.onRequestPaid}>
        振込済みとして記録
      </Button>
    )
  }
  if (step === 'decide' || isOfPaid) {
    const isOwn = (isOfPaid ? row.recalledPayment : row.recall)?.isOwnRequest === true
    const approve = isOfPaid ? '振込済みの記録を承認' : '組戻しを承認'
    return (
      <>
        {!isOwn && (
          <Button
            tone="quiet"
            aria-disabled={isBusy}
            aria-label={`振込${row.id}の${approve}`}
            onClick={() => void submitDecision(true)}
          >
            {approve}
          </Button>
        )}
        <Button
          tone="quiet"
          aria-disabled={isBusy}
          aria-label={`振込${row.id}の申請を${isOwn ? '取り下げる' : '却下'}`}
          onClick={() => void submitDecision(false)}
        >
          {isOwn ? '申請を取り下げる' : '申請を却下'}
        </Button>
      </>
    )
  }
  const isRequest = step === 'request'
  const action = isRequest ? '組戻しを申請' : '銀行の取り消しを記録'
  return (
    <>
      <Button tone="quiet" aria-label={`振込${row.id}の${action}`} onClick={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <ReasonDialog
          about={row.id}
          title={action}
          note={
            isRequest
              ? `${about}。振込指定日より前のため、先に銀行へ取り消しを依頼してください。ほかの担当者が承認すると組戻しになります。`
              : `${about}。銀行がこの振込を行わないことを確認してください。記録すると、すぐに振り込み直せるようになります。`
          }
          label={isRequest ? '組戻しの理由' : '銀行の受付番号や確認した相手'}
          action={isRequest ? '申請する' : '記録する'}
          maxLength={isRequest ? MAX_TRANSFER_REASON : MAX_BANK_REFERENCE}
          onClose={() => setAsking(false)}
          onSubmit={async text => {
            if (isRequest) await request({ id: row.id, reason: text })
            else await noteBank({ id: row.id, reference: text })
            done(
              isRequest ? '組戻しを申請しました。ほかの担当者の承認を待っています。' : '銀行の取り消しを記録しました。',
            )
          }}
        />
      )}
    </>
  )
}
