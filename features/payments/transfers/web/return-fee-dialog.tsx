import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { FigureInput } from '@pc/ui/form/figure-input.tsx'
import formStyles from '@pc/ui/form/form.module.css'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useId, useState } from 'react'
import { CorrectTransferReturnFeeDocument } from './correct-transfer-return-fee.gen.ts'
import type { TransferBatchQuery } from './transfer-batch.gen.ts'
import styles from './transfers.module.css'

type Return = NonNullable<TransferBatchQuery['transferBatch']>['transfers']['nodes'][number]['returns'][number]

/** A transfer or record that came back, with each of its returns. */
export interface ReturnedItem {
  readonly id: string
  readonly partnerName: string
  readonly returns: readonly Return[]
}

/** Corrects the bank's fee for each return. */
export function ReturnFeeDialog(props: { item: ReturnedItem; onClose: () => void; onDone: () => void }) {
  const { id, partnerName, returns } = props.item
  const send = useSubmission(CorrectTransferReturnFeeDocument)
  const [fees, setFees] = useState<readonly (number | undefined)[]>(returns.map(each => each.fee))
  const [wrong, setWrong] = useState(0)
  const { problem, setProblem, isBusy, submit } = useDialogSubmission('登録できませんでした。もう一度お試しください。')
  const input = useId()
  const save = () => {
    const missing = fees.indexOf(undefined)
    if (missing >= 0) {
      setWrong(missing)
      setProblem('組戻手数料を入力してください。なければ0円にします。')
      return
    }
    void submit(async () => {
      for (const [index, { number, fee: before }] of returns.entries()) {
        const fee = fees[index]
        setWrong(index)
        // A single fee is sent even when it is unchanged, so that the server confirms it.
        if (fee !== undefined && (fee !== before || returns.length === 1)) await send({ id, return: number, fee })
      }
      showToast({ tone: 'success', message: `振込${id}の組戻手数料を修正しました。` })
      props.onDone()
    })
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
        {returns.map(({ number, on }, index) => {
          const isWrong = problem !== undefined && wrong === index
          const field = `${input}-${number}`
          return (
            <div key={number} className={formStyles.field}>
              <label className={formStyles.label} htmlFor={field}>
                {`${dayText(on as Day)}の組戻手数料（税込・円）`}
              </label>
              <FigureInput
                kind="integer"
                id={field}
                {...(index === 0 ? { 'data-autofocus': true } : {})}
                className={formStyles.input}
                value={fees[index]}
                aria-invalid={isWrong ? true : undefined}
                aria-describedby={isWrong ? `${field}-error` : `${input}-hint`}
                onValue={value => {
                  setFees(fees.with(index, value))
                  setProblem(undefined)
                }}
              />
              {isWrong && (
                <p id={`${field}-error`} className={formStyles.error} role="alert">
                  {problem}
                </p>
              )}
            </div>
          )
        })}
        <p id={`${input}-hint`} className={styles.hint}>
          当社が負担し、支払先の支払額からは差し引きません。仕訳も変わります。書き出し済みの場合は、組戻し日の月の「支払・組戻し」の仕訳をもう一度書き出してください。
        </p>
      </div>
    </Dialog>
  )
}
