import { Button } from '@pc/ui/button.tsx'
import { Dialog } from '@pc/ui/dialog.tsx'
import formStyles from '@pc/ui/form/form.module.css'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/format.ts'
import { showToast } from '@pc/ui/toasts.tsx'
import { useId, useState } from 'react'
import { DayInput } from './day-input.tsx'
import { SettleTransfersDocument } from './settle-transfers.gen.ts'
import { textOf } from './transfer-create-dialog.tsx'
import styles from './transfers.module.css'

export interface Settling {
  readonly state: 'paid' | 'returned'
  readonly transfers: readonly { readonly id: string; readonly partnerName: string; readonly transferAmount: number }[]
  /** The day that is proposed, when it has come. */
  readonly on: string | undefined
  /** Instead of what is said of whole transfers. */
  readonly note?: string
}

const WORDS = {
  paid: {
    title: '支払済みにする',
    day: '支払日',
    reason: '確認の方法',
    placeholder: '例: 銀行の画面で確認',
    note: '銀行で支払われたことを確認した振込だけを登録してください。支払日は、振込指定日より前にはできません。',
  },
  returned: {
    title: '組戻しにする',
    day: '組戻し日',
    reason: '組戻しの理由',
    placeholder: '例: 口座名義相違',
    note: '支払は「これから振り込む支払」に戻ります。新しい振込データは自動では作成されません。',
  },
} as const

/** What became of transfers, entered by a person. */
export function SettleDialog(props: { settling: Settling; today: string; onClose: () => void; onDone: () => void }) {
  const { state, transfers } = props.settling
  const words = WORDS[state]
  const send = useSubmission(SettleTransfersDocument)
  const proposed = state === 'paid' ? props.settling.on : undefined
  const [on, setOn] = useState(proposed && proposed <= props.today ? proposed : props.today)
  const [reason, setReason] = useState('')
  const { close } = useDialogText({
    dialog: `${state} ${transfers.map(each => each.id).join()}`,
    values: { reason },
    restore: kept => setReason(kept.reason),
    onClose: props.onClose,
  })
  const [problem, setProblem] = useState<{ readonly of: 'day' | 'reason'; readonly text: string }>()
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  const total = transfers.reduce((sum, each) => sum + each.transferAmount, 0)
  const submit = async () => {
    if (isBusy) return
    if (on === '') return setProblem({ of: 'day', text: `${words.day}を入力してください。` })
    if (reason.trim() === '') return setProblem({ of: 'reason', text: `${words.reason}を入力してください。` })
    setBusy(true)
    try {
      await send({ ids: transfers.map(each => each.id), state, on, reason: reason.trim() })
      showToast({
        tone: 'success',
        message: `${formatInteger(transfers.length)}件を${state === 'paid' ? '支払済み' : '組戻し'}にしました。`,
      })
      props.onDone()
    } catch (error) {
      const isOfDay = refusalsOf(error).some(({ path }) => path.at(-1) === 'on')
      setProblem({
        of: isOfDay ? 'day' : 'reason',
        text: textOf(error, '登録できませんでした。もう一度お試しください。'),
      })
      setBusy(false)
    }
  }
  const ofReason = problem?.of === 'reason' ? problem.text : undefined
  const [first] = transfers
  return (
    <Dialog
      title={words.title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone={state === 'paid' ? 'primary' : 'danger'} aria-disabled={isBusy} onClick={() => void submit()}>
            {`${formatInteger(transfers.length)}件を${words.title}`}
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
        <p className={styles.hint}>{props.settling.note ?? words.note}</p>
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
            maxLength={200}
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
