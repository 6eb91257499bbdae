import { fieldNamesOf } from '@pc/domain/record/record-fields.ts'

/** What a field is called, and how its JSON value is written; a field without an entry is not shown. */
export type FieldWords = Readonly<Record<string, { readonly label: string; show?(value: unknown): string }>>

/** Of a record that declares what its fields are called. `show` writes the values that are no text as they are. */
export function fieldWords<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  show: { readonly [Field in NoInfer<Name>]?: (value: unknown) => string } = {},
): FieldWords {
  return Object.fromEntries(
    fieldNamesOf(labels).map(name => {
      const words = show[name]
      return [name, { label: labels[name], ...(words && { show: words }) }]
    }),
  )
}
