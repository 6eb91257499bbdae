import type { WebhookFormat } from '@pc/domain/webhook/webhook-format.ts'
import { PlainSelect } from '@pc/ui/form/plain-field.tsx'

/** The format of the body; hidden while only one format exists. */
export function WebhookFormatField<const Name extends string>(props: {
  formats: readonly Pick<WebhookFormat<Name>, 'name' | 'label'>[]
  value: Name
  onChange: (value: Name) => void
}) {
  const options = props.formats.map(({ name, label }) => ({ value: name, label }))
  if (options.length < 2) return null
  return <PlainSelect label="形式" options={options} value={props.value} onChange={props.onChange} />
}
