import {
  WEBHOOK_EVENT_LABELS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WebhookEventName,
  webhookEventName,
} from '@pc/domain/webhook/webhook.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'
import type { WebhookDeliveriesQuery, WholeWebhookFragment } from './webhooks.gen.ts'

type Delivery = WebhookDeliveriesQuery['webhookDeliveries'][number]

export const EVENT_OPTIONS = WEBHOOK_EVENTS.map(event => ({
  value: webhookEventName(event),
  label: WEBHOOK_EVENT_LABELS[event],
}))

export function eventLabel(name: WebhookEventName): string {
  return EVENT_OPTIONS.find(option => option.value === name)!.label
}

/** The label of a delivery's event, or of a test by hand. */
export function kindLabel(kind: string): string {
  return WEBHOOK_EVENTS.some(event => event === kind) ? WEBHOOK_EVENT_LABELS[kind as WebhookEvent] : 'テスト送信'
}

/** The label of a webhook's state and its tone. */
export function stateOf({ isPaused, isGivenUp, failingSince }: WholeWebhookFragment): readonly [string, BadgeTone] {
  if (isGivenUp) return ['自動で停止', 'bad']
  if (isPaused) return ['停止中', 'mute']
  return failingSince ? ['届いていません', 'warn'] : ['送信する', 'ok']
}

export const DELIVERY_STATES: Readonly<Record<Delivery['state'], readonly [string, BadgeTone]>> = {
  waiting: ['送信待ち', 'mute'],
  queued: ['送信中', 'mute'],
  delivered: ['届きました', 'ok'],
  failed: ['届きませんでした', 'bad'],
  dropped: ['送信しませんでした', 'mute'],
}

const PROBLEMS: Readonly<Record<string, string>> = {
  'url-not-allowed': '使えないURLです',
  'address-not-public': '社内のネットワークのURLには送信できません',
  'name-not-found': 'ホスト名が見つかりません',
  'connection-failed': '接続できませんでした',
  'secret-unreadable': '署名キーを読み取れません。キーを作り直してください',
  'format-unknown': 'この形式では送信できません。送信先を登録し直してください',
  'timed-out': '10秒以内に応答がありませんでした',
}

/** The outcome of the last attempt. */
export function answerText({ attempts, lastStatus, lastProblem }: Delivery): string {
  if (attempts === 0) return '—'
  const answer = lastStatus === null ? (PROBLEMS[lastProblem ?? ''] ?? '送信できませんでした') : `HTTP ${lastStatus}`
  return attempts > 1 ? `${answer}（${attempts}回目）` : answer
}
