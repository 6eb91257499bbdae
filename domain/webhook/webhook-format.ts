import { type Refusal, refusal } from '../refusal.ts'

/** An event as it is sent: ids, days and amounts, no names. */
export interface WebhookMessage {
  /** What the receiver knows the event by, at every attempt. */
  readonly key: string
  /** An event, or a ping. */
  readonly kind: string
  /** ISO 8601 in UTC. */
  readonly occurredAt: string
  readonly data: unknown
}

export interface WebhookFormat<Name extends string = string> {
  /** As the API and the table `webhooks` name it: small letters, digits and `_`. */
  readonly name: Name
  /** What people choose it by. */
  readonly label: string
  /** The only hosts that take it, in small letters; without them any does. */
  readonly hosts?: readonly string[]
  /** The body of a delivery, JSON. The headers sign it, whatever it is. */
  readonly body: (message: WebhookMessage) => string
}

/** Every format; API, form, list and job read this table only. What is stored keeps its name: a format is not renamed. */
export const WEBHOOK_FORMATS = [
  {
    name: 'json',
    label: 'JSON（標準）',
    body: ({ key, kind, occurredAt, data }) => JSON.stringify({ id: key, type: kind, occurredAt, data }),
  },
] as const satisfies readonly WebhookFormat[]
export type WebhookFormatName = (typeof WEBHOOK_FORMATS)[number]['name']

/** Of a new address, where nothing is chosen. */
export const DEFAULT_WEBHOOK_FORMAT: WebhookFormatName = 'json'

/** Undefined: a format that this version does not know; nothing is sent in it. */
export function webhookFormat(name: string): WebhookFormat<WebhookFormatName> | undefined {
  return WEBHOOK_FORMATS.find(format => format.name === name)
}

/**
 * Why an address cannot have a format; empty when it can.
 * @param address may be masked, which leaves the host
 */
export function formatProblems(
  format: WebhookFormat | undefined,
  address: string,
): readonly Refusal<'webhook/other-host'>[] {
  const hosts = format?.hosts
  const [, host = ''] = /^\w+:\/\/([^/?#]*)/.exec(address) ?? []
  if (!hosts || hosts.includes(host.toLowerCase())) return []
  return [refusal('webhook/other-host', ['input', 'url'], { format: format.label, hosts: hosts.join('、') })]
}
