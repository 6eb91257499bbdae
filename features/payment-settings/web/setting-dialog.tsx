import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { PlainProblem, PlainStack } from '@pc/ui/form/plain-field.tsx'
import { fieldOfPath, refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { type ReactNode, useRef, useState } from 'react'
import styles from './payment-settings.module.css'
import { SettingProblems } from './setting-inputs.tsx'

interface Problems {
  readonly byField: ReadonlyMap<string, string>
  /** Problems that belong to no single field. */
  readonly others: readonly string[]
}
/** Messages about missing values by field; null when nothing is missing. @param texts false: the field is filled in */
export function missingOf(texts: Readonly<Record<string, string | false>>): ReadonlyMap<string, string> | null {
  const missing = Object.entries(texts).flatMap(([name, text]) => (text === false ? [] : [[name, text] as const]))
  return missing.length === 0 ? null : new Map(missing)
}
const NO_PROBLEMS: ReadonlyMap<string, string> = new Map()

/** The dialog of a change of settings. Refusals are shown at their fields, and the first such field gets the focus. */
export function SettingDialog<V extends Readonly<Record<string, unknown>>>(props: {
  title: string
  note: string
  action: string
  children: ReactNode
  /** The typed values, kept when the dialog is closed by mistake; only for forms with many fields. */
  typed?: { readonly values: V; readonly restore: (values: V) => void }
  /** Null when nothing is missing; a string is a message that belongs to no single field. */
  missing: string | ReadonlyMap<string, string> | null
  onSubmit: () => Promise<unknown>
  onClose: () => void
  onSaved: () => void
}) {
  const [problems, setProblems] = useState<Problems>()
  const fields = useRef<HTMLDivElement>(null)
  const [isBusy, setBusy] = useState(false)
  const { close } = useDialogText({
    dialog: props.title,
    values: props.typed?.values ?? ({} as V),
    restore: kept => props.typed?.restore(kept),
    onClose: props.onClose,
  })
  const submit = async () => {
    if (isBusy) return
    const { missing } = props
    if (typeof missing === 'string') return setProblems({ byField: NO_PROBLEMS, others: [missing] })
    if (missing !== null) return setProblems({ byField: missing, others: [] })
    setBusy(true)
    setProblems(undefined)
    try {
      await props.onSubmit()
      showToast({ tone: 'success', message: `${props.title}を保存しました。` })
      props.onSaved()
      props.onClose()
    } catch (error) {
      const refusals = refusalsOf(error)
      const isField = (name: string) => fields.current?.querySelector(`[data-field="${CSS.escape(name)}"]`) != null
      const placed = refusals.map(({ path, message }) => ({ name: fieldOfPath(path, isField), message }))
      const others = placed.filter(({ name }) => name === '').map(({ message }) => message)
      setProblems({
        byField: new Map(placed.filter(({ name }) => name !== '').map(({ name, message }) => [name, message])),
        others: refusals.length > 0 ? others : ['保存できませんでした。通信状態を確認して、もう一度お試しください。'],
      })
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
      <PlainStack problems={problems}>
        {problems?.others.map(text => (
          <PlainProblem key={text} text={text} />
        ))}
        <SettingProblems value={problems?.byField ?? NO_PROBLEMS}>
          <div ref={fields} className={styles.fields}>
            {props.children}
          </div>
        </SettingProblems>
      </PlainStack>
    </Dialog>
  )
}
