import { useId } from 'react'
import { usePressed } from '../elements/use-pressed.ts'
import styles from './filter.module.css'

/** A few exclusive choices side by side, as radio buttons, so that arrow keys work. */
export function SegmentedControl<const T extends string>(props: {
  label: string
  options: readonly { readonly value: T; readonly label: string }[]
  value: T
  onChange: (value: T) => void
}) {
  const name = useId()
  const [value, press] = usePressed(props.value, props.onChange)
  return (
    <div className={styles.segments} role="radiogroup" aria-label={props.label}>
      {props.options.map(option => (
        <label key={option.value}>
          <input type="radio" name={name} checked={value === option.value} onChange={() => press(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  )
}
