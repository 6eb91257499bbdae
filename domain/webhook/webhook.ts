import { type Refusal, refusal } from '../refusal.ts'
import type { WEBHOOK_REFUSALS_JA } from './webhook-refusals.ja.ts'

/** The events to which a webhook can subscribe. The triggers in `db/postgres` that record them use the same names. */
export const WEBHOOK_EVENTS = [
  'month.finalized',
  'statement.issued',
  'payment.paid',
  'feed.failed',
  'feed.recovered',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export const WEBHOOK_EVENT_LABELS: Readonly<Record<WebhookEvent, string>> = {
  'month.finalized': '月次の確定',
  'statement.issued': '支払通知書の発行',
  'payment.paid': 'お支払いの完了',
  'feed.failed': 'フィードの障害',
  'feed.recovered': 'フィードの復旧',
}
/** The event's name in the GraphQL API, whose names have no dots: month.finalized → month_finalized. */
export type WebhookEventName<Event extends WebhookEvent = WebhookEvent> = Event extends `${infer Noun}.${infer Verb}`
  ? `${Noun}_${Verb}`
  : never

/** See {@link WebhookEventName}. */
export function webhookEventName(event: WebhookEvent): WebhookEventName {
  return event.replace('.', '_') as WebhookEventName
}

/** A test event that is only sent by hand. */
export const WEBHOOK_PING = 'ping'

export const WEBHOOK_BOUNDS = {
  webhooksOfOne: 5,
  urlLength: 500,
  /** After this many hours of failed deliveries an address is given up. */
  givenUpAfterHours: 72,
  /** Days for which events and their deliveries are kept. */
  keptDays: 30,
  /** Tests and repeated deliveries by hand, for one address. */
  byHandPerHour: 20,
} as const

type WebhookRefusal = Refusal<keyof typeof WEBHOOK_REFUSALS_JA>

/** What is wrong with the choice of events; empty when nothing is. */
export function webhookEventProblems(events: readonly string[]): readonly WebhookRefusal[] {
  const isKnown = events.every(event => WEBHOOK_EVENTS.some(known => known === event))
  return events.length > 0 && isKnown ? [] : [refusal('webhook/events-missing', ['input', 'events'])]
}

/** The text that is signed. It contains the time, so a body that is sent again later has another signature. */
export function textToSign(timestampSeconds: number, body: string): string {
  return `${timestampSeconds}.${body}`
}

/** Secrets of at least this length show their last characters, so that people can tell them apart. */
const MIN_SECRET_LENGTH = 16
const SHOWN_CHARACTERS = 4
const MASK = '…'

/**
 * The address as people and the audit log see it. Path and query are masked, because with those of a chat's address
 * anybody can post there.
 */
export function maskedAddress(address: string): string {
  const [, origin = '', rest = ''] = /^(\w+:\/\/[^/?#]*)(.*)$/s.exec(address) ?? []
  if (rest === '' || rest === '/') return `${origin}${rest}`
  return `${origin}/${MASK}${rest.length < MIN_SECRET_LENGTH ? '' : rest.slice(-SHOWN_CHARACTERS)}`
}

export const isMasked = (address: string) => address.includes(MASK)

/** Whether an address that has failed since `failingSinceMs` is no longer tried. */
export function isGivenUp(failingSinceMs: number | null, nowMs: number): boolean {
  return failingSinceMs !== null && nowMs - failingSinceMs >= WEBHOOK_BOUNDS.givenUpAfterHours * 3_600_000
}
