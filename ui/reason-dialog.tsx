import { useId, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './form/form.module.css'
import { refusalsOf } from './form/refused-fields.ts'

interface ReasonDialogProps {
  title: string
  note: string
  label: string
  /** Names what will happen: 3件の記事を削除する. */
  action: string
  maxLength: number
  onClose: () => void
  /** A refusal is shown in the dialog. */
  onSubmit: (reason: string) => Promise<void>
}

/** Asks for the reason of something that cannot be done without one. */
export function ReasonDialog(props: ReasonDialogProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  const submit = async () => {
    if (isBusy) return
    if (text.trim() === '') return setProblem(`${props.label}を入力してください。`)
    setBusy(true)
    try {
      await props.onSubmit(text.trim())
    } catch (error) {
      const [refusal] = refusalsOf(error)
      setProblem(refusal?.message ?? '送信できませんでした。通信状態を確認して、もう一度お試しください。')
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>キャンセル</Button>
          <Button tone="danger" aria-disabled={isBusy} onClick={() => void submit()}>
            {props.action}
          </Button>
        </>
      }
    >
      <p>{props.note}</p>
      <div className={styles.field} data-width="full">
        <label className={styles.label} htmlFor={id}>
          {props.label}
          <span className={styles.required} aria-hidden>
            必須
          </span>
        </label>
        <textarea
          data-autofocus
          id={id}
          className={styles.input}
          rows={3}
          maxLength={props.maxLength}
          value={text}
          aria-required
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          onChange={event => {
            setText(event.target.value)
            setProblem(undefined)
          }}
        />
        {problem && (
          <p id={`${id}-error`} className={styles.error} role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
