import { type ComponentProps, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { showToast } from '../feedback/toasts.tsx'
import {
  groupedNumberText,
  isBlockedKey,
  type NumberKind,
  notTakenText,
  plainNumberText,
  readNumberText,
  tidyNumberText,
} from './number-text.ts'

interface FigureInputProps
  extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onFocus' | 'onBlur' | 'onKeyDown' | 'inputMode'> {
  kind: NumberKind
  /** Undefined: the field is empty. */
  value: number | undefined
  onValue: (value: number | undefined) => void
}

/**
 * An input for a number without a form: grouped (1,234) while it is shown, plain while it is edited. In forms of
 * react-hook-form use `NumberField`.
 */
export function FigureInput({ kind, value, onValue, ...rest }: FigureInputProps) {
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
    onValue(readNumberText(tidy, kind))
  }
  return (
    <input
      {...rest}
      inputMode={kind === 'integer' ? 'numeric' : kind === 'rate' ? 'decimal' : 'text'}
      autoComplete="off"
      value={typed ?? groupedNumberText(value, kind)}
      onFocus={event => {
        // Synchronous: a later change of the text would drop the selection and what is typed over it.
        flushSync(() => setTyped(plainNumberText(value, kind)))
        event.currentTarget.select()
      }}
      onBlur={() => setTyped(undefined)}
      onKeyDown={event => {
        const isShortcut = event.ctrlKey || event.metaKey || event.altKey
        if (!isShortcut && !event.nativeEvent.isComposing && isBlockedKey(event.key, kind)) event.preventDefault()
      }}
      onChange={event => (isComposing.current ? setTyped(event.target.value) : take(event.target.value))}
      onCompositionStart={() => {
        isComposing.current = true
      }}
      onCompositionEnd={event => {
        isComposing.current = false
        take(event.currentTarget.value)
      }}
    />
  )
}
