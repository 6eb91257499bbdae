import { MAX_TRANSFER_REASON } from '@pc/domain/transfer/transfer-reason.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { FigureInput } from '@pc/ui/form/figure-input.tsx'
import formStyles from '@pc/ui/form/form.module.css'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useId, useState } from 'react'
import { DayInput } from '../../core/web/day-input.tsx'
import { RecordTransferResultsDocument } from './record-transfer-results.gen.ts'
import { RequestRecalledTransferPaymentDocument } from './request-recalled-transfer-payment.gen.ts'
import { textOf } from './transfer-create-dialog.tsx'
import styles from './transfers.module.css'

export interface ResultDraft {
  /** `recalled`: it was recalled before its day, and the bank paid it after all. Another person decides. */
  readonly state: 'paid' | 'returned' | 'recalled'
  readonly transfers: readonly { readonly id: string; readonly partnerName: string; readonly transferAmount: number }[]
  /** The proposed day, unless it lies in the future. */
  readonly on: string | undefined
  /** Replaces the explanation for whole transfers. */
  readonly note?: string
  /** The bank's usual fee for a return, in yen. */
  readonly returnFee?: number
}

const WORDS = {
  paid: {
    title: '支払済みにする',
    action: '支払済みにする',
    done: '件を支払済みにしました。',
    day: '支払日',
    reason: '確認の方法',
    placeholder: '例：銀行の画面で確認',
    note: '銀行で支払われたことを確認した振込だけを登録してください。支払日は、振込指定日より前にはできません。',
  },
  returned: {
    title: '組戻しにする',
    action: '組戻しにする',
    done: '件を組戻しにしました。',
    day: '組戻し日',
    reason: '組戻しの理由',
    placeholder: '例：口座名義相違',
    note: '支払は「これから振り込む支払」に戻ります。新しい振込データは自動では作成されません。',
  },
  recalled: {
    title: '振込済みとして記録',
    action: '振込済みとして申請する',
    done: '件の記録を申請しました。ほかの担当者の承認を待っています。',
    day: '支払日',
    reason: '確認の方法',
    placeholder: '例：銀行の画面で確認',
    note: '組戻しにした振込を銀行が支払ったことを確認してください。ほかの担当者が承認すると支払済みになります。それまで、この支払は振り込み直せません。すでに振り込み直した場合は二重払いになるため、申請した後に、振り込み直した振込を組戻しにしてから承認してください。承認するまで、この振込は仕訳に含まれません。会計ソフトには、支払先への未収入金として手作業で記帳してください。',
  },
} as const

/** The form in which a person enters the result of transfers. */
export function RecordResultDialog(props: {
  draft: ResultDraft
  today: string
  onClose: () => void
  onDone: () => void
}) {
  const { state, transfers } = props.draft
  const words = WORDS[state]
  const send = useSubmission(RecordTransferResultsDocument)
  const request = useSubmission(RequestRecalledTransferPaymentDocument)
  const proposed = state === 'returned' ? undefined : props.draft.on
  const [on, setOn] = useState(proposed && proposed <= props.today ? proposed : props.today)
  const [reason, setReason] = useState('')
  const [returnFee, setReturnFee] = useState<number | undefined>(props.draft.returnFee)
  const { close } = useDialogText({
    dialog: `${state} ${transfers.map(each => each.id).join()}`,
    values: { reason },
    restore: kept => setReason(kept.reason),
    onClose: props.onClose,
  })
  const [problem, setProblem] = useState<{ readonly of: 'day' | 'reason' | 'fee'; readonly text: string }>()
  const [isBusy, setBusy] = useState(false)
  const asksFee = state === 'returned' && props.draft.returnFee !== undefined
  const id = useId()
  const total = transfers.reduce((sum, each) => sum + each.transferAmount, 0)
  const submit = async () => {
    if (isBusy) return
    if (on === '') return setProblem({ of: 'day', text: `${words.day}を入力してください。` })
    if (reason.trim() === '') return setProblem({ of: 'reason', text: `${words.reason}を入力してください。` })
    const isFeeMissing = asksFee && returnFee === undefined
    if (isFeeMissing) return setProblem({ of: 'fee', text: '組戻手数料を入力してください。なければ0円にします。' })
    setBusy(true)
    try {
      const said = { on, reason: reason.trim() }
      if (state === 'recalled') for (const { id } of transfers) await request({ id, ...said })
      else {
        const fee = asksFee ? { returnFee: returnFee ?? null } : {}
        await send({ ids: transfers.map(each => each.id), state, ...said, ...fee })
      }
      showToast({
        tone: 'success',
        message: `${formatInteger(transfers.length)}${words.done}`,
      })
      props.onDone()
    } catch (error) {
      const isOf = (field: string) => refusalsOf(error).some(({ path }) => path.at(-1) === field)
      setProblem({
        of: isOf('on') ? 'day' : isOf('returnFee') ? 'fee' : 'reason',
        text: textOf(error, '登録できませんでした。もう一度お試しください。'),
      })
      setBusy(false)
    }
  }
  const ofFee = problem?.of === 'fee' ? problem.text : undefined
  const ofReason = problem?.of === 'reason' ? problem.text : undefined
  const [first] = transfers
  return (
    <Dialog
      title={words.title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button
            tone={state === 'returned' ? 'danger' : 'primary'}
            aria-disabled={isBusy}
            onClick={() => void submit()}
          >
            {`${formatInteger(transfers.length)}件を${words.action}`}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <p>
          {transfers.length === 1 && first
            ? `${first.partnerName}への振込${first.id}（${formatInteger(first.transferAmount)}円）`
            : `${formatInteger(transfers.length)}件、合計 ${formatInteger(total)}円`}
        </p>
        <p className={styles.hint}>{props.draft.note ?? words.note}</p>
        <DayInput
          label={words.day}
          value={on}
          max={props.today}
          problem={problem?.of === 'day' ? problem.text : undefined}
          onChange={day => {
            setOn(day)
            setProblem(undefined)
          }}
        />
        {asksFee && (
          <div className={formStyles.field}>
            <label className={formStyles.label} htmlFor={`${id}-fee`}>
              組戻手数料（1件、税込・円）
            </label>
            <FigureInput
              kind="integer"
              id={`${id}-fee`}
              className={formStyles.input}
              value={returnFee}
              aria-invalid={ofFee === undefined ? undefined : true}
              aria-describedby={ofFee === undefined ? `${id}-fee-hint` : `${id}-fee-error`}
              onValue={value => {
                setReturnFee(value)
                setProblem(undefined)
              }}
            />
            <p id={`${id}-fee-hint`} className={styles.hint}>
              銀行に支払う手数料で、当社が負担します。支払先の支払額からは差し引きません。
            </p>
            {ofFee !== undefined && (
              <p id={`${id}-fee-error`} className={formStyles.error} role="alert">
                {ofFee}
              </p>
            )}
          </div>
        )}
        <div className={formStyles.field} data-width="full">
          <label className={formStyles.label} htmlFor={id}>
            {words.reason}
            <span className={formStyles.required} aria-hidden>
              必須
            </span>
          </label>
          <input
            id={id}
            data-autofocus
            className={formStyles.input}
            maxLength={MAX_TRANSFER_REASON}
            placeholder={words.placeholder}
            value={reason}
            aria-required
            aria-invalid={ofReason === undefined ? undefined : true}
            aria-describedby={ofReason === undefined ? undefined : `${id}-error`}
            onChange={event => {
              setReason(event.target.value)
              setProblem(undefined)
            }}
          />
          {ofReason !== undefined && (
            <p id={`${id}-error`} className={formStyles.error} role="alert">
              {ofReason}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}
