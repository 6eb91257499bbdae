import { useState } from 'react'
import { Button } from '../elements/button.tsx'
import { RequiredText } from '../form/required-text.tsx'
import { useDialogSubmission } from '../form/use-dialog-submission.ts'
import { useDialogText } from '../form/use-dialog-text.ts'
import { Dialog } from './dialog.tsx'

interface ReasonDialogProps {
  /**
   * The record, where the title does not name it. A stored draft of the reason is only restored for the same record.
   */
  about?: string
  title: string
  note: string
  label: string
  /** Names what will happen, for example 3件の記事を削除する. */
  action: string
  /** Default: danger. */
  tone?: 'danger' | 'primary'
  maxLength: number
  onClose: () => void
  /** Rejections are shown in the dialog. */
  onSubmit: (reason: string) => Promise<void>
}

/** Asks for a reason that is required for an action. */
export function ReasonDialog(props: ReasonDialogProps) {
  const [text, setText] = useState('')
  const dialog = `${props.title} ${props.about ?? ''}`
  const { close } = useDialogText({
    dialog,
    values: { text },
    restore: kept => setText(kept.text),
    onClose: props.onClose,
  })
  const { problem, setProblem, isBusy, submit } = useDialogSubmission(
    '送信できませんでした。通信状態を確認して、もう一度お試しください。',
  )
  const send = () => {
    if (text.trim() === '') setProblem(`${props.label}を入力してください。`)
    else void submit(() => props.onSubmit(text.trim()))
  }
  return (
    <Dialog
      title={props.title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone={props.tone ?? 'danger'} aria-disabled={isBusy} onClick={send}>
            {props.action}
          </Button>
        </>
      }
    >
      <p>{props.note}</p>
      <RequiredText
        label={props.label}
        rows={3}
        maxLength={props.maxLength}
        value={text}
        problem={problem}
        isFirst
        onChange={next => {
          setText(next)
          setProblem(undefined)
        }}
      />
    </Dialog>
  )
}
