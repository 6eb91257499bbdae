import { MAX_ANSWER_TEXT } from '@pc/domain/statement/statement-confirmation.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import form from '@pc/ui/form/form.module.css'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useId, useState } from 'react'
import type { StatementDetail } from './statement-words.ts'
import styles from './statements.module.css'

export interface Objection {
  readonly text: string
  readonly lines: readonly { readonly label: string; readonly reason: string }[]
}

/** Asks which lines are wrong and why. A refusal of the server is shown here. */
export function ObjectionDialog(props: {
  statement: Pick<StatementDetail, 'numberText' | 'lines'>
  onClose: () => void
  onSubmit: (objection: Objection) => Promise<void>
}) {
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map())
  const [text, setText] = useState('')
  const { close } = useDialogText({
    dialog: `objection ${props.statement.numberText}`,
    values: { text, reasons: [...reasons].filter(([, reason]) => reason !== '') },
    restore: kept => {
      setText(kept.text)
      setReasons(new Map(kept.reasons))
    },
    onClose: props.onClose,
  })
  const { problem, setProblem, isBusy, submit } = useDialogSubmission(
    '送信できませんでした。通信状態を確認して、もう一度お試しください。',
  )
  const id = useId()
  const change = (next: ReadonlyMap<string, string>) => {
    setReasons(next)
    setProblem(undefined)
  }
  const send = () => {
    const lines = [...reasons].map(([label, reason]) => ({ label, reason: reason.trim() }))
    const silent = lines.find(line => line.reason === '')
    if (silent) return setProblem(`「${silent.label}」の内容を入力してください。`)
    if (lines.length === 0 && text.trim() === '') {
      return setProblem('相違のある明細を選ぶか、全体について内容を入力してください。')
    }
    void submit(() => props.onSubmit({ text: text.trim(), lines }))
  }
  return (
    <Dialog
      title={`支払通知書 ${props.statement.numberText} について照会します`}
      size="large"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={send}>
            照会を送る
          </Button>
        </>
      }
    >
      <p>相違のある明細を選び、内容を入力してください。担当者が回答するまで、支払は「照会中」と表示されます。</p>
      <fieldset className={styles.objected}>
        <legend>相違のある明細</legend>
        {props.statement.lines.map(({ label, amount }, index) => {
          const reason = reasons.get(label)
          const fieldId = `${id}-${index}`
          return (
            <div key={label}>
              <label>
                <input
                  type="checkbox"
                  data-autofocus={index === 0 ? true : undefined}
                  checked={reason !== undefined}
                  onChange={event => {
                    const next = new Map(reasons)
                    if (event.target.checked) next.set(label, '')
                    else next.delete(label)
                    change(next)
                  }}
                />
                <span>{label}</span>
                <span className="num">{`${formatInteger(amount)}円`}</span>
              </label>
              {reason !== undefined && (
                <>
                  <label className="visually-hidden" htmlFor={fieldId}>
                    {`${label}の相違の内容`}
                  </label>
                  <textarea
                    id={fieldId}
                    className={form.input}
                    rows={2}
                    maxLength={MAX_ANSWER_TEXT}
                    placeholder="例：6月20日の記事の収益が含まれていません"
                    value={reason}
                    onChange={event => change(new Map(reasons).set(label, event.target.value))}
                  />
                </>
              )}
            </div>
          )
        })}
      </fieldset>
      <div className={form.field} data-width="full">
        <label className={form.label} htmlFor={`${id}-text`}>
          全体について
        </label>
        <textarea
          id={`${id}-text`}
          className={form.input}
          rows={3}
          maxLength={MAX_ANSWER_TEXT}
          value={text}
          onChange={event => {
            setText(event.target.value)
            setProblem(undefined)
          }}
        />
      </div>
      {problem && (
        <p className={form.error} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
