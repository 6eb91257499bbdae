import { IconChevronUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import { Button } from '../elements/button.tsx'
import { ChangeTable } from './change-table.tsx'
import styles from './form-bar.module.css'
import { changesBetween, useFormFrame } from './form-frame.ts'

interface BarProps<V extends FieldValues> {
  control: Control<V>
  before: V
  /** An existing record: its changes are shown before they are saved. */
  isEdit: boolean
  isBusy: boolean
  isReadOnly: boolean
  submitLabel: string
  busyLabel: string
  onCancel: () => void
}

/** The bottom of a form, always visible: the changes and the buttons. */
export function FormBar<V extends FieldValues>(props: BarProps<V>) {
  return (
    <div className={styles.bar}>
      {props.isEdit && !props.isReadOnly ? <Preview {...props} /> : <span className={styles.space} />}
      <Button onClick={props.onCancel}>{props.isReadOnly ? '一覧へ戻る' : 'キャンセル'}</Button>
      {!props.isReadOnly && (
        <Button
          type="submit"
          tone="primary"
          aria-disabled={props.isBusy}
          title="Ctrl+Enter（Macでは⌘+Enter）でも保存できます"
        >
          {props.isBusy ? props.busyLabel : props.submitLabel}
        </Button>
      )}
    </div>
  )
}

function Preview<V extends FieldValues>({ control, before }: BarProps<V>) {
  // The frame and the form's values are mutable, which the compiler cannot see.
  'use no memo'
  const frame = useFormFrame()
  const values = useWatch({ control }) as V
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const changes = changesBetween(frame, before, values)
  if (changes.length === 0) return <p className={styles.space}>変更はありません</p>
  return (
    <div className={styles.space}>
      <button
        type="button"
        className={styles.changes}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {changes.length}件の変更
        <IconChevronUp size={16} aria-hidden />
      </button>
      {isOpen && (
        <div id={id} className={styles.preview}>
          <ChangeTable caption="保存すると変わる項目" changes={changes} before="変更前" after="変更後" />
        </div>
      )}
    </div>
  )
}
