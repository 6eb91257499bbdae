import { Button } from '@pc/ui/button.tsx'
import { Dialog } from '@pc/ui/dialog.tsx'
import { FigureInput } from '@pc/ui/form/figure-input.tsx'
import formStyles from '@pc/ui/form/form.module.css'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { showToast } from '@pc/ui/toasts.tsx'
import { useId, useState } from 'react'
import { CorrectTransferReturnFeeDocument } from './correct-transfer-return-fee.gen.ts'
import styles from './transfers.module.css'

/** Corrects what the bank charged for a transfer that came back. */
export function ReturnFeeDialog(props: {
  transfer: { readonly id: string; readonly partnerName: string; readonly returnFee: number }
  onClose: () => void
  onDone: () => void
}) {
  const { id, partnerName } = props.transfer
  const send = useSubmission(CorrectTransferReturnFeeDocument)
  const [fee, setFee] = useState<number | undefined>(props.transfer.returnFee)
  const { problem, setProblem, isBusy, submit } = useDialogSubmission('登録できませんでした。もう一度お試しください。')
  const input = useId()
  const save = () => {
    if (fee === undefined) setProblem('組戻手数料を入力してください。なければ0円にします。')
    else {
      void submit(async () => {
        await send({ id, fee })
        showToast({ tone: 'success', message: `振込${id}の組戻手数料を修正しました。` })
        props.onDone()
      })
    }
  }
  return (
    <Dialog
      title="組戻手数料を修正する"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={save}>
            修正する
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <p>{`${partnerName}への振込${id}`}</p>
        <div className={formStyles.field}>
          <label className={formStyles.label} htmlFor={input}>
            組戻手数料（税込・円）
          </label>
          <FigureInput
            kind="integer"
            id={input}
            data-autofocus
            className={formStyles.input}
            value={fee}
            aria-invalid={problem === undefined ? undefined : true}
            aria-describedby={problem === undefined ? `${input}-hint` : `${input}-error`}
            onValue={value => {
              setFee(value)
              setProblem(undefined)
            }}
          />
          <p id={`${input}-hint`} className={styles.hint}>
            仕訳も変わります。書き出し済みの場合は、組戻し日の月の「支払・組戻し」の仕訳をもう一度書き出してください。
          </p>
          {problem !== undefined && (
            <p id={`${input}-error`} className={formStyles.error} role="alert">
              {problem}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}
