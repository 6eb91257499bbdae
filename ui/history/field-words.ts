import { fieldNamesOf } from '@pc/domain/record/record-fields.ts'

/** Labels of a record's fields, and how to write their JSON values. Fields without an entry are not shown. */
export type FieldWords = Readonly<Record<string, { readonly label: string; show?(value: unknown): string }>>

/** Builds {@link FieldWords} from labels. `show` is needed for values that are not plain texts. */
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
