import { IconAlertCircleFilled, IconLock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import styles from './form.module.css'
import { useFormFrame } from './form-frame.ts'

export interface FieldProps<V extends FieldValues, N extends FieldPath<V> = FieldPath<V>> {
  control: Control<V>
  name: N
  label: string
  isRequired?: boolean
  hint?: ReactNode
  /** Why this field is read-only; its value stays visible. */
  readOnlyReason?: string
  /** Width of the input. */
  width?: 'short' | 'medium' | 'full'
}

export interface FieldState {
  readonly id: string
  readonly value: unknown
  set(value: unknown): void
  onBlur(): void
  readonly focusRef: (element: { focus(): void } | null) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
  /** Attributes of the element that receives the input. */
  readonly aria: {
    readonly id: string
    readonly 'aria-invalid': true | undefined
    readonly 'aria-required': true | undefined
    readonly 'aria-describedby': string | undefined
  }
}

/** Id of the element of the field of this name. */
export function fieldId(name: string): string {
  return `field-${name}`
}

/**
 * Connects an input to its form.
 * @param show the value in words, for previews and comparisons
 */
export function useField<V extends FieldValues, N extends FieldPath<V>>(
  props: FieldProps<V, N>,
  show: (value: unknown) => string = showText,
): FieldState {
  const { field, fieldState } = useController({ control: props.control, name: props.name })
  const frame = useFormFrame()
  const { name, label } = props
  const latestShow = useRef(show)
  useEffect(() => {
    latestShow.current = show
  })
  useEffect(() => frame.describe(name, { label, show: value => latestShow.current(value) }), [frame, name, label])
  const id = fieldId(name)
  const error = fieldState.error?.message
  const readOnlyReason = props.readOnlyReason ?? frame.readOnlyReason
  const described = [props.hint ? `${id}-hint` : '', error ? `${id}-error` : '', readOnlyReason ? `${id}-lock` : '']
  return {
    id,
    value: field.value,
    set: field.onChange,
    onBlur: field.onBlur,
    focusRef: field.ref,
    error,
    isReadOnly: readOnlyReason !== undefined,
    aria: {
      id,
      'aria-invalid': error ? true : undefined,
      'aria-required': props.isRequired || undefined,
      'aria-describedby': described.filter(part => part !== '').join(' ') || undefined,
    },
  }
}

function showText(value: unknown): string {
  return value === null || value === undefined || value === '' ? '（未入力）' : String(value)
}

interface FrameProps<V extends FieldValues, N extends FieldPath<V>> {
  field: FieldState
  props: FieldProps<V, N>
  /** The input is a group, so its name is a legend instead of a label. */
  isGroup?: boolean
  children: ReactNode
}

/** Label, input, hint, error and lock of one field, connected for assistive technology. */
export function FieldFrame<V extends FieldValues, N extends FieldPath<V>>(frame: FrameProps<V, N>) {
  const { field, props, isGroup = false, children } = frame
  const form = useFormFrame()
  // The reason for a read-only form is shown once, at its top.
  const reason = props.readOnlyReason
  const label = (
    <>
      {props.label}
      {props.isRequired && !field.isReadOnly && (
        <span className={styles.required} aria-hidden>
          必須
        </span>
      )}
    </>
  )
  return (
    <div
      className={styles.field}
      data-field={props.name}
      data-width={props.width ?? 'medium'}
      data-invalid={field.error ? true : undefined}
      {...(isGroup ? { role: 'group', 'aria-labelledby': `${field.id}-label` } : {})}
    >
      {isGroup ? (
        <span id={`${field.id}-label`} className={styles.label}>
          {label}
        </span>
      ) : (
        <label htmlFor={field.id} className={styles.label}>
          {label}
        </label>
      )}
      {children}
      {field.error && (
        <p id={`${field.id}-error`} className={styles.error}>
          <IconAlertCircleFilled size={15} aria-hidden />
          {field.error}
        </p>
      )}
      {props.hint && (
        <div id={`${field.id}-hint`} className={styles.hint}>
          {props.hint}
        </div>
      )}
      {field.isReadOnly && (
        <p id={`${field.id}-lock`} className={reason ? styles.hint : 'visually-hidden'}>
          <IconLock size={13} aria-hidden /> {reason ?? form.readOnlyReason}
        </p>
      )}
    </div>
  )
}
