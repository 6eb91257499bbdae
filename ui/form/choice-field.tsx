import type { FieldPath, FieldValues } from 'react-hook-form'
import type { Option } from '../filter/option.ts'
import styles from './choice-field.module.css'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import form from './form.module.css'

interface ChoiceProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  options: readonly Option[]
  /** Label of the first option, which means that nothing is chosen; without it something must be chosen. */
  emptyLabel?: string
}

/** One of a short list. The form's value is null when nothing is chosen. */
export function SelectField<V extends FieldValues, N extends FieldPath<V>>(props: ChoiceProps<V, N>) {
  const { options } = props
  const field = useField(props, value => labelOf(options, value))
  const value = typeof field.value === 'string' ? field.value : ''
  return (
    <FieldFrame field={field} props={props}>
      <select
        {...field.aria}
        ref={field.focusRef}
        className={form.input}
        value={value}
        disabled={field.isReadOnly}
        onChange={event => field.set(event.target.value === '' ? null : event.target.value)}
        onBlur={field.onBlur}
      >
        {(props.emptyLabel !== undefined || value === '') && (
          <option value="">{props.emptyLabel ?? '選択してください'}</option>
        )}
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

interface RadioProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  options: readonly (Option & { readonly hint?: string })[]
}

/** A few choices, all visible, each with a description. */
export function RadioField<V extends FieldValues, N extends FieldPath<V>>(props: RadioProps<V, N>) {
  const { options } = props
  const field = useField(props, value => labelOf(options, value))
  return (
    <FieldFrame field={field} props={{ width: 'full', ...props }} isGroup>
      <div className={styles.radios}>
        {options.map((option, index) => (
          <label key={option.value} data-checked={field.value === option.value || undefined}>
            <input
              type="radio"
              name={field.id}
              ref={index === 0 ? field.focusRef : undefined}
              checked={field.value === option.value}
              disabled={field.isReadOnly}
              aria-describedby={field.aria['aria-describedby']}
              onChange={() => field.set(option.value)}
              onBlur={field.onBlur}
            />
            <span>
              {option.label}
              {option.hint && <small>{option.hint}</small>}
            </span>
          </label>
        ))}
      </div>
    </FieldFrame>
  )
}

/** Several of a short list. The form's value is an array of the chosen values. */
export function CheckboxesField<V extends FieldValues, N extends FieldPath<V>>(
  props: FieldProps<V, N> & { options: readonly Option[] },
) {
  const { options } = props
  const namesOf = (value: unknown) =>
    options.filter(option => Array.isArray(value) && value.includes(option.value)).map(option => option.label)
  const field = useField(props, value => namesOf(value).join('、') || '（選択なし）')
  const chosen: readonly unknown[] = Array.isArray(field.value) ? field.value : []
  return (
    <FieldFrame field={field} props={{ width: 'full', ...props }} isGroup>
      <div className={styles.radios}>
        {options.map((option, index) => (
          <label key={option.value} data-checked={chosen.includes(option.value) || undefined}>
            <input
              type="checkbox"
              ref={index === 0 ? field.focusRef : undefined}
              checked={chosen.includes(option.value)}
              disabled={field.isReadOnly}
              onChange={() =>
                field.set(
                  chosen.includes(option.value)
                    ? chosen.filter(value => value !== option.value)
                    : [...chosen, option.value],
                )
              }
              onBlur={field.onBlur}
            />
            {option.label}
          </label>
        ))}
      </div>
    </FieldFrame>
  )
}

interface SwitchProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  /** The meanings of on and off, for example 支払を止める / 支払う. */
  on: string
  off: string
}

export function SwitchField<V extends FieldValues, N extends FieldPath<V>>(props: SwitchProps<V, N>) {
  const { on, off } = props
  const field = useField(props, value => (value === true ? on : off))
  return (
    <FieldFrame field={field} props={{ width: 'full', ...props }}>
      <span className={styles.switch}>
        <input
          {...field.aria}
          ref={field.focusRef}
          type="checkbox"
          role="switch"
          aria-checked={field.value === true}
          checked={field.value === true}
          disabled={field.isReadOnly}
          onChange={event => field.set(event.target.checked)}
          onBlur={field.onBlur}
        />
        <span aria-hidden>{field.value === true ? on : off}</span>
      </span>
    </FieldFrame>
  )
}

function labelOf(options: readonly Option[], value: unknown): string {
  return options.find(option => option.value === value)?.label ?? '（未選択）'
}
