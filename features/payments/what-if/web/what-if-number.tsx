import { FigureInput } from '@pc/ui/form/figure-input.tsx'
import { groupedNumberText, type NumberKind } from '@pc/ui/form/number-text.ts'
import { useId } from 'react'
import styles from './what-if.module.css'

/** A number field with the current value beside it. Empty: the current value stays. */
export function WhatIfNumber(props: {
  label: string
  kind: Exclude<NumberKind, 'signed'>
  unit: string
  value: number | undefined
  present: number | null
  onChange: (value: number | undefined) => void
}) {
  const { label, kind, unit, value, present, onChange } = props
  const id = useId()
  return (
    <div className={styles.number} data-changed={value !== undefined || undefined}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.entry}>
        <FigureInput
          id={id}
          className="control"
          kind={kind}
          value={value}
          placeholder={present === null ? '指定なし' : groupedNumberText(present, kind)}
          onValue={onChange}
        />
        <i aria-hidden>{unit}</i>
      </span>
    </div>
  )
}
