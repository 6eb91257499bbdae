import { type Refusal, refusal } from '../refusal.ts'

/** An event as it is sent: ids, days and amounts, no names. */
export interface WebhookMessage {
  /** Identifies the event for the receiver; every attempt sends the same key. */
  readonly key: string
  /** The name of the event, or `ping`. */
  readonly kind: string
  /** ISO 8601 in UTC. */
  readonly occurredAt: string
  readonly data: unknown
}

export interface WebhookFormat<Name extends string = string> {
  /** The name in the API and in the table `webhooks`: lower-case letters, digits and `_`. */
  readonly name: Name
  /** The label in the form. */
  readonly label: string
  /** The only hosts that accept the format, in lower case; absent: any host. */
  readonly hosts?: readonly string[]
  /** Writes the body of a delivery, which is JSON and is signed in the headers. */
  readonly body: (message: WebhookMessage) => string
}

/**
 * Every format; API, form, list and job read only this table. A format is never renamed, because stored rows name it.
 */
export const WEBHOOK_FORMATS = [
  {
    name: 'json',
    label: 'JSON（標準）',
    body: ({ key, kind, occurredAt, data }) => JSON.stringify({ id: key, type: kind, occurredAt, data }),
  },
] as const satisfies readonly WebhookFormat[]
export type WebhookFormatName = (typeof WEBHOOK_FORMATS)[number]['name']

/** The format of a new address unless one is chosen. */
export const DEFAULT_WEBHOOK_FORMAT: WebhookFormatName = 'json'

/** Undefined for a format that this version does not know; nothing is sent in it. */
export function webhookFormat(name: string): WebhookFormat<WebhookFormatName> | undefined {
  return WEBHOOK_FORMATS.find(format => format.name === name)
}

/**
 * Why an address cannot have this format; empty when it can.
 * @param address may be masked, as the mask leaves the host
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
