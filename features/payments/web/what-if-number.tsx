import {
  groupedNumberText,
  isBlockedKey,
  type NumberKind,
  plainNumberText,
  readNumberText,
  tidyNumberText,
} from '@pc/ui/form/number-text.ts'
import { useRef, useState } from 'react'
import styles from './what-if.module.css'

/** A figure with what it is now beside it; empty means: as it is now. */
export function WhatIfNumber(props: {
  label: string
  kind: Exclude<NumberKind, 'signed'>
  unit: string
  value: number | undefined
  present: number | null
  /** The label is there for assistive technology only: a header says the same. */
  isLabelHidden?: boolean
  onChange: (value: number | undefined) => void
}) {
  const { label, kind, unit, value, present, onChange } = props
  const [typed, setTyped] = useState<string>()
  const isComposing = useRef(false)
  const take = (text: string) => {
    const tidy = tidyNumberText(text, kind)
    setTyped(tidy)
    onChange(readNumberText(tidy, kind))
  }
  return (
    <label className={styles.number} data-changed={value !== undefined || undefined}>
      <span className={props.isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
      <span className={styles.entry}>
        <input
          inputMode={kind === 'rate' ? 'decimal' : 'numeric'}
          autoComplete="off"
          placeholder={present === null ? '指定なし' : groupedNumberText(present, kind)}
          value={typed ?? groupedNumberText(value, kind)}
          onFocus={() => setTyped(plainNumberText(value, kind))}
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
        <i aria-hidden>{unit}</i>
      </span>
    </label>
  )
}
