import { Button } from '@pc/ui/button.tsx'
import { Dialog } from '@pc/ui/dialog.tsx'
import { ProblemList } from '@pc/ui/form/problem-list.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useTypedText } from '@pc/ui/form/use-typed-text.ts'
import { showToast } from '@pc/ui/toasts.tsx'
import { type ReactNode, useState } from 'react'
import styles from './payment-settings.module.css'

/** A change of the settings: what the server says against it stands in the dialog. */
export function SettingDialog<V extends Readonly<Record<string, unknown>>>(props: {
  title: string
  note: string
  action: string
  children: ReactNode
  /** What was typed, where there is more of it than a figure or two. */
  typed?: { readonly values: V; readonly restore: (values: V) => void }
  /** Null: nothing is missing. */
  missing: string | null
  onSubmit: () => Promise<unknown>
  onClose: () => void
  onSaved: () => void
}) {
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const { close } = useTypedText({
    dialog: props.title,
    values: props.typed?.values ?? ({} as V),
    restore: kept => props.typed?.restore(kept),
    onClose: props.onClose,
  })
  const submit = async () => {
    if (isBusy) return
    if (props.missing !== null) return setProblems([props.missing])
    setBusy(true)
    setProblems([])
    try {
      await props.onSubmit()
      showToast({ tone: 'success', message: `${props.title}を保存しました。` })
      props.onSaved()
      props.onClose()
    } catch (error) {
      const refusals = refusalsOf(error)
      const texts = refusals.map(refusal => refusal.message)
      setProblems(texts.length > 0 ? texts : ['保存できませんでした。通信状態を確認して、もう一度お試しください。'])
      if (refusals.some(refusal => refusal.code === 'record/edited-by-other')) props.onSaved()
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={props.title}
      size="large"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={() => void submit()}>
            {props.action}
          </Button>
        </>
      }
    >
      <p>{props.note}</p>
      <ProblemList texts={problems} className={styles.problems} />
      <div className={styles.fields}>{props.children}</div>
    </Dialog>
  )
}
