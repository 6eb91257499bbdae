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

/** A bare field for a figure: grouped while it is read, plain while it is typed. Forms of react-hook-form have `NumberField`. */
export function FigureInput({ kind, value, onValue, ...rest }: FigureInputProps) {
  const [typed, setTyped] = useState<string>()
  const isComposing = useRef(false)
  const take = (text: string) => {
    const tidy = tidyNumberText(text, kind)
    if (tidy === undefined) {
      // What stood there stays: a figure is never made of another one's digits.
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
        // At once: a later change of the text would drop the selection, and with it what is typed over it.
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
