import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { DayInput } from '../../core/web/day-input.tsx'
import { transferBatchPath } from '../../links.ts'
import { LateAcknowledgement } from './late-acknowledgement.tsx'
import { ResendTransferRecordsDocument } from './resend-transfer-records.gen.ts'
import styles from './transfers.module.css'

export interface Resending {
  readonly transferId: string
  readonly partnerName: string
  /** The ids of the records that came back. */
  readonly ids: readonly string[]
  readonly amount: number
}

const lateOf = (error: unknown) =>
  refusalsOf(error)
    .filter(each => each.code === 'transfer/late-by-law')
    .map(each => each.message)

/** Makes a bank file that sends the returned records of a transfer again. */
export function ResendDialog(props: { resending: Resending; today: string; onClose: () => void }) {
  const { transferId, partnerName, ids, amount } = props.resending
  const send = useSubmission(ResendTransferRecordsDocument)
  const [transferOn, setTransferOn] = useState(props.today)
  const [late, setLate] = useState<readonly string[]>([])
  const [isAcknowledged, setAcknowledged] = useState(false)
  const { problem, setProblem, isBusy, submit } = useDialogSubmission('作成できませんでした。もう一度お試しください。')
  const make = () =>
    submit(async () => {
      const { resendTransferRecords: made } = await send({
        transferId,
        transferOn,
        isLateAcknowledged: isAcknowledged,
      }).catch(error => {
        setLate(lateOf(error))
        throw error
      })
      showToast({
        tone: 'success',
        message: `送り直す振込データ${made.id}を作成しました。内容を確認して出力してください。`,
      })
      // The new address shows the same screen with another batch, so the dialog must be closed here.
      props.onClose()
      location.hash = addressOf(transferBatchPath(made.id))
    })
  return (
    <Dialog
      title="組戻しになった件を送り直す"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>キャンセル</Button>
          <Button
            tone="primary"
            aria-disabled={isBusy}
            disabled={late.length > 0 && !isAcknowledged}
            onClick={() => void make()}
          >
            送り直す振込データを作成する
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <p>{`${partnerName}への振込${ids.join('・')}（${formatInteger(amount)}円）`}</p>
        <p className={styles.hint}>
          同じ口座に、同じ金額を振り込みます。手数料は当社の負担です。ほかの口座に振り込む場合は、銀行の画面などで支払ってから「ほかの方法で支払済みにする」を押してください。
        </p>
        <DayInput
          label="振込指定日"
          value={transferOn}
          min={props.today}
          hint="銀行の営業日で、今日以降の日付を指定してください。"
          problem={late.length > 0 ? undefined : problem}
          onChange={day => {
            setTransferOn(day)
            setProblem(undefined)
            setLate([])
            setAcknowledged(false)
          }}
        />
        {late.length > 0 && (
          <div className={styles.problem} role="alert">
            <p>法令の確認が必要な支払があります。</p>
            <ul>
              {late.map(message => (
                <li key={message}>{message}</li>
              ))}
            </ul>
            <LateAcknowledgement isChecked={isAcknowledged} onChange={setAcknowledged} />
          </div>
        )}
      </div>
    </Dialog>
  )
}
