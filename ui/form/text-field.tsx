import type { HTMLInputAutoCompleteAttribute } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import styles from './form.module.css'

interface TextFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  type?: 'text' | 'url' | 'email' | 'tel'
  placeholder?: string
  maxLength?: number
  autoComplete?: HTMLInputAutoCompleteAttribute
  /** Applied when the field loses the focus, for example a conversion to half-width kana. */
  tidy?: (text: string) => string
}

export function TextField<V extends FieldValues, N extends FieldPath<V>>(props: TextFieldProps<V, N>) {
  const field = useField(props)
  const value = typeof field.value === 'string' ? field.value : ''
  return (
    <FieldFrame field={field} props={props}>
      <input
        {...field.aria}
        ref={field.focusRef}
        className={styles.input}
        type={props.type ?? 'text'}
        value={value}
        readOnly={field.isReadOnly}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        autoComplete={props.autoComplete ?? 'off'}
        onChange={event => field.set(event.target.value)}
        onBlur={() => {
          const tidy = props.tidy?.(value) ?? value.trim()
          if (tidy !== value) field.set(tidy)
          field.onBlur()
        }}
      />
    </FieldFrame>
  )
}

interface TextAreaProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  rows?: number
  maxLength?: number
}

export function TextAreaField<V extends FieldValues, N extends FieldPath<V>>(props: TextAreaProps<V, N>) {
  const field = useField(props)
  return (
    <FieldFrame field={field} props={{ width: 'full', ...props }}>
      <textarea
        {...field.aria}
        ref={field.focusRef}
        className={styles.input}
        rows={props.rows ?? 4}
        value={typeof field.value === 'string' ? field.value : ''}
        readOnly={field.isReadOnly}
        maxLength={props.maxLength}
        onChange={event => field.set(event.target.value)}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  )
}
