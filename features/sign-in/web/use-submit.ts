import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type SignInRefusal, type SignInRefusalCode, signInMessage } from '../refusals.ts'
import type { Answer } from './sign-in-client.ts'

export type Values = Readonly<Record<string, string>>

export interface SubmitOptions<T> {
  /** Required fields, with the refusal to show when one is empty. */
  readonly required: Readonly<Record<string, SignInRefusalCode>>
  readonly send: (values: Values) => Promise<Answer<T>>
  readonly onDone: (value: T) => void
}

export interface Submit {
  readonly isBusy: boolean
  readonly refusals: readonly SignInRefusal[]
  /** The error text of a field; undefined when there is none. */
  readonly errorOf: (field: string) => string | undefined
  /** Errors that belong to no field. */
  readonly formError: string | undefined
  /** Removes all errors, for a form that now asks for something else. */
  readonly clear: () => void
  readonly formProps: {
    readonly noValidate: true
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
    readonly onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void
  }
}

/**
 * State of a form that is validated, submitted once at a time, and shows refusals at their fields. The first field with
 * an error gets the focus.
 */
export function useSubmit<T>({ required, send, onDone }: SubmitOptions<T>): Submit {
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly SignInRefusal[]>([])
  const isSending = useRef(false)

  function show(form: HTMLFormElement, next: readonly SignInRefusal[]) {
    setRefusals(next)
    const field = next.find(refusal => refusal.path.length > 0)?.path.at(-1)
    const input = field === undefined ? null : form.elements.namedItem(String(field))
    if (input instanceof HTMLElement) queueMicrotask(() => input.focus())
  }

  async function submit(form: HTMLFormElement) {
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    const missing = Object.entries(required)
      .filter(([field]) => !values[field]?.trim())
      .map(([field, code]): SignInRefusal => ({ code, path: [field], data: {} }))
    if (missing.length > 0) return show(form, missing)
    setBusy(true)
    setRefusals([])
    const answer = await send(values)
    setBusy(false)
    if (answer.ok) onDone(answer.value)
    else show(form, answer.refusals)
  }

  return {
    isBusy,
    refusals,
    errorOf: field => {
      const refusal = refusals.find(each => each.path.at(-1) === field)
      return refusal && signInMessage(refusal)
    },
    formError: refusals
      .filter(each => each.path.length === 0)
      .map(signInMessage)
      .at(0),
    clear: () => setRefusals([]),
    formProps: {
      noValidate: true,
      onSubmit: event => {
        event.preventDefault()
        if (isSending.current) return
        isSending.current = true
        void submit(event.currentTarget).finally(() => {
          isSending.current = false
        })
      },
      onKeyDown: event => {
        // Enter that ends a conversion of the input method must not submit the form (key code 229: Safari ends it
        // before keydown).
        const isComposing = event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229
        if (event.key === 'Enter' && isComposing) event.preventDefault()
      },
    },
  }
}
