import { createContext, use } from 'react'
import type { FieldValues } from 'react-hook-form'

/** What a mounted field tells its form, for the summary of errors, the preview and the comparison with other edits. */
export interface FieldDescription {
  readonly label: string
  /** The value in words: 70.5%, 2026年11月, 停止する. */
  show(value: unknown): string
}

export interface FormFrame {
  readonly fields: ReadonlyMap<string, FieldDescription>
  /**
   * Registers a field.
   * @returns a function that removes it
   */
  describe(name: string, field: FieldDescription): () => void
  /** Why the form is read-only; undefined: it can be edited. */
  readonly readOnlyReason: string | undefined
}

export const FormFrameContext = createContext<FormFrame | undefined>(undefined)

/** The form around a field. Throws outside of a form. */
export function useFormFrame(): FormFrame {
  const frame = use(FormFrameContext)
  if (frame === undefined) throw new Error('a field stands outside of its form')
  return frame
}

export function makeFormFrame(readOnlyReason: string | undefined): FormFrame {
  const fields = new Map<string, FieldDescription>()
  return {
    fields,
    readOnlyReason,
    describe(name, field) {
      fields.set(name, field)
      return () => {
        if (fields.get(name) === field) fields.delete(name)
      }
    },
  }
}

/** A record as another person saved it. */
export interface Latest<V> {
  readonly values: V
  readonly revision: number | undefined
}

export interface FieldChange {
  readonly name: string
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The fields whose texts differ, in the order of the form. */
export function changesBetween(frame: FormFrame, before: FieldValues, after: FieldValues): FieldChange[] {
  return [...frame.fields].flatMap(([name, { label, show }]) => {
    const [was, is] = [show(valueAt(before, name)), show(valueAt(after, name))]
    return was === is ? [] : [{ name, label, before: was, after: is }]
  })
}

/** The value at a path such as `rates.0.value`; undefined when there is none. */
export function valueAt(values: FieldValues, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (typeof value === 'object' && value !== null ? (value as FieldValues)[part] : undefined),
      values,
    )
}
