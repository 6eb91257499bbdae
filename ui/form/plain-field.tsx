import { type ReactNode, useEffect, useId, useRef } from 'react'
import { LazyDayBox } from '../filter/lazy-day-box.tsx'
import styles from './plain-field.module.css'

interface FieldProps {
  label: string
  hint?: string | undefined
  problem?: string | undefined
}

/** Label, hint and problem of a field in a small dialog, which does not need a whole form. */
function Frame(props: FieldProps & { children: (aria: Aria) => ReactNode }) {
  const id = useId()
  const { label, hint, problem } = props
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {props.children({
        id,
        'aria-invalid': problem ? true : undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {problem && (
        <span id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}

interface Aria {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

export function PlainText(
  props: FieldProps & {
    value: string
    onChange: (value: string) => void
    maxLength?: number
    isFirst?: boolean
  },
) {
  return (
    <Frame {...props}>
      {aria => (
        <input
          {...aria}
          type="text"
          value={props.value}
          maxLength={props.maxLength}
          autoComplete="off"
          data-autofocus={props.isFirst || undefined}
          onChange={event => props.onChange(event.target.value)}
        />
      )}
    </Frame>
  )
}

/** A day; the value is YYYY-MM-DD or empty. */
export function PlainDay(props: FieldProps & { value: string; onChange: (value: string) => void; min?: string }) {
  return (
    <Frame {...props}>
      {aria => (
        <LazyDayBox
          {...aria}
          label={props.label}
          isNamed
          min={props.min}
          value={props.value}
          onChange={props.onChange}
        />
      )}
    </Frame>
  )
}

export function PlainArea(
  props: FieldProps & { value: string; onChange: (value: string) => void; maxLength?: number; isFirst?: boolean },
) {
  return (
    <Frame {...props}>
      {aria => (
        <textarea
          {...aria}
          rows={3}
          value={props.value}
          maxLength={props.maxLength}
          data-autofocus={props.isFirst || undefined}
          onChange={event => props.onChange(event.target.value)}
        />
      )}
    </Frame>
  )
}

export function PlainSelect<const T extends string>(
  props: FieldProps & {
    options: readonly { readonly value: T; readonly label: string }[]
    value: T
    onChange: (value: T) => void
  },
) {
  return (
    <Frame {...props}>
      {aria => (
        <select {...aria} value={props.value} onChange={event => props.onChange(event.target.value as T)}>
          {props.options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  )
}

/** Any number of a few choices. */
export function PlainChecks<const T extends string>(props: {
  label: string
  hint?: string
  problem?: string | undefined
  options: readonly { readonly value: T; readonly label: string }[]
  value: readonly T[]
  onChange: (value: readonly T[]) => void
}) {
  const id = useId()
  const { value, hint, problem } = props
  const described = [hint && id, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <fieldset
      className={styles.field}
      aria-describedby={described === '' ? undefined : described}
      data-invalid={problem ? true : undefined}
    >
      <legend className={styles.label}>{props.label}</legend>
      {props.hint && (
        <span id={id} className={styles.hint}>
          {props.hint}
        </span>
      )}
      <div className={styles.choices}>
        {props.options.map(option => (
          <label key={option.value}>
            <input
              type="checkbox"
              checked={value.includes(option.value)}
              onChange={event =>
                props.onChange(
                  event.target.checked ? [...value, option.value] : value.filter(other => other !== option.value),
                )
              }
            />
            {option.label}
          </label>
        ))}
      </div>
      {problem && (
        <span id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </fieldset>
  )
}

/** A problem of several fields, or of none. */
export function PlainProblem({ text }: { text: string }) {
  return (
    <p className={styles.problem} role="alert" tabIndex={-1}>
      {text}
    </p>
  )
}

export function PlainNote(props: { role?: 'alert'; children: ReactNode }) {
  return (
    <p className={styles.note} role={props.role}>
      {props.children}
    </p>
  )
}

/**
 * The fields of a dialog. After a failed attempt the focus goes to the first field to be corrected, otherwise to the
 * message about all of them.
 * @param problems a new object for each failed attempt
 */
export function PlainStack({ problems, children }: { problems?: object | undefined; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After React's own work, because a number field renders when it gets the focus.
    if (problems) queueMicrotask(() => firstProblemIn(place.current)?.focus())
  }, [problems])
  return (
    <div className={styles.stack} ref={place}>
      {children}
    </div>
  )
}

function firstProblemIn(place: HTMLElement | null): HTMLElement | null | undefined {
  return (
    place?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] :is(input, button):enabled') ??
    place?.querySelector<HTMLElement>('[role="alert"][tabindex]')
  )
}

export function PlainPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
