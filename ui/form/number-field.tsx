import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { showToast } from '../feedback/toasts.tsx'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import styles from './form.module.css'
import {
  groupedNumberText,
  isBlockedKey,
  type NumberKind,
  notTakenText,
  plainNumberText,
  readNumberText,
  tidyNumberText,
} from './number-text.ts'

interface NumberFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  /** For example 円, 分 or 日. */
  unit?: string
  /** Allows negative values. */
  isSigned?: boolean
}

/** A positive integer. The form's value is a number, or null when the field is empty. */
export function IntegerField<V extends FieldValues, N extends FieldPath<V>>(props: NumberFieldProps<V, N>) {
  return <NumberInput props={props} kind={props.isSigned ? 'signed' : 'integer'} unit={props.unit} />
}

export function YenField<V extends FieldValues, N extends FieldPath<V>>(props: FieldProps<V, N>) {
  return <NumberInput props={props} kind="integer" unit="円" />
}

/** Entered in per cent with up to two decimals; the form's value is in 1/100 %. */
export function RateField<V extends FieldValues, N extends FieldPath<V>>(props: FieldProps<V, N>) {
  return <NumberInput props={props} kind="rate" unit="%" />
}

function NumberInput<V extends FieldValues, N extends FieldPath<V>>(given: {
  props: FieldProps<V, N>
  kind: NumberKind
  unit: string | undefined
}) {
  const { props, kind, unit } = given
  const field = useField(props, shown =>
    typeof shown === 'number' ? `${groupedNumberText(shown, kind)}${unit ?? ''}` : '（未入力）',
  )
  const value = typeof field.value === 'number' ? field.value : undefined
  /** The text being typed; undefined while the field is not edited. */
  const [typed, setTyped] = useState<string>()
  const isComposing = useRef(false)
  const take = (text: string) => {
    const tidy = tidyNumberText(text, kind)
    if (tidy === undefined) {
      // The old value stays, because digits of a different number must not become a figure.
      setTyped(plainNumberText(value, kind))
      showToast({ tone: 'warning', message: notTakenText(text, kind) })
      return
    }
    setTyped(tidy)
    field.set(readNumberText(tidy, kind) ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey
    if (!isShortcut && !event.nativeEvent.isComposing && isBlockedKey(event.key, kind)) event.preventDefault()
  }
  return (
    <FieldFrame field={field} props={{ width: 'short', ...props }}>
      <span className={styles.numeric}>
        <input
          {...field.aria}
          ref={field.focusRef}
          className={styles.input}
          inputMode={kind === 'integer' ? 'numeric' : kind === 'rate' ? 'decimal' : 'text'}
          autoComplete="off"
          readOnly={field.isReadOnly}
          value={typed ?? groupedNumberText(value, kind)}
          onFocus={event => {
            if (field.isReadOnly) return
            // Synchronous: a later change of the text would drop the selection and what is typed over it.
            flushSync(() => setTyped(plainNumberText(value, kind)))
            event.currentTarget.select()
          }}
          onKeyDown={onKeyDown}
          onChange={event => (isComposing.current ? setTyped(event.target.value) : take(event.target.value))}
          onCompositionStart={() => {
            isComposing.current = true
          }}
          onCompositionEnd={event => {
            isComposing.current = false
            take(event.currentTarget.value)
          }}
          onBlur={() => {
            setTyped(undefined)
            field.onBlur()
          }}
        />
        {unit && <span aria-hidden>{unit}</span>}
      </span>
    </FieldFrame>
  )
}
