import type { GranularAction } from '@pc/domain/access/action.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { isMasked, WEBHOOK_BOUNDS, WEBHOOK_PING, webhookEventProblems } from '@pc/domain/webhook/webhook.ts'
import {
  DEFAULT_WEBHOOK_FORMAT,
  formatProblems,
  type WebhookFormatName,
  webhookFormat,
} from '@pc/domain/webhook/webhook-format.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { isPostAddress } from '@pc/platform/http/safe-post.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Keyring } from '@pc/platform/secrets/keyring.ts'
import { WEBHOOK_JOB } from './webhook-jobs.ts'
import { newWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'
import { listWebhooks, lockWebhook, ownerOf, type WebhookRow } from './webhook-store.ts'

export interface WebhookInput {
  /** Undefined: a new webhook. */
  readonly id: bigint | undefined
  readonly url: string
  readonly events: readonly string[]
  /** Undefined: unchanged, or the standard format for a new one. */
  readonly format: WebhookFormatName | undefined
  readonly expectedRevision: number | undefined
}
/** The secret is returned only when it is made. */
export interface SavedWebhook {
  readonly webhook: WebhookRow
  readonly secret: string | null
  /** The submission was made before; its stored answer has no secret. */
  readonly isRepeated: boolean
}
export interface SealingDependencies {
  readonly clock: Clock
  /** Undefined: without a key no secret can be made. */
  readonly keyring: Keyring | undefined
}

type WebhookWrite = Write<GranularAction, 'insight:webhook.'>
type Refused = Refusal<RefusalCode>
const RESOURCE = 'insight:webhook.'

/**
 * Registers a webhook or changes one.
 * Tested by `features/webhooks/server/webhooks.test.ts`.
 */
export async function saveWebhook(
  input: WebhookInput,
  { clock, keyring }: SealingDependencies,
  { tx, permit, record }: WebhookWrite,
): Promise<Result<SavedWebhook, Refused>> {
  const url = input.url.trim()
  const events = [...new Set(input.events)]
  const problems: Refused[] = [...webhookEventProblems(events)]
  if (!isPostAddress(url)) problems.push(refusal('webhook/url-not-allowed', ['input', 'url']))
  if (problems.length > 0) return refused(...problems)
  if (input.id === undefined) {
    const format = input.format ?? DEFAULT_WEBHOOK_FORMAT
    const wrongHost = formatProblems(webhookFormat(format), url)
    if (wrongHost.length > 0) return refused(...wrongHost)
    if (isMasked(url)) return refused(refusal('webhook/url-masked', ['input', 'url']))
    if (!keyring) return refused(refusal('webhook/no-key', ['input']))
    const max = WEBHOOK_BOUNDS.webhooksOfOne
    if ((await listWebhooks(tx, permit)).length >= max) return refused(refusal('webhook/too-many', ['input'], { max }))
    const secret = newWebhookSecret()
    const organizationId = ownerOf(permit)
    const { id } = await tx
      .insertInto('webhooks')
      .values({
        organizationId,
        url,
        events,
        format,
        ...sealWebhookSecret(keyring, secret, organizationId),
        createdByUid: permit.viewer.uid,
        createdAt: new Date(clock.now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const webhook = (await lockWebhook(tx, permit, id))!
    record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after: webhook })
    return ok({ webhook, secret, isRepeated: false })
  }
  const before = await lockWebhook(tx, permit, input.id)
  if (!before) return refused(refusal('record/not-found', ['input', 'id']))
  const { id, revision } = before
  const { expectedRevision } = input
  const stale = await editedByOther(tx, { resource: RESOURCE, rowId: String(id), revision, expectedRevision })
  if (stale) return refused(stale)
  // The form sends back the masked address that it was shown; the stored one then stays.
  const isKept = url === before.url
  if (!isKept && isMasked(url)) return refused(refusal('webhook/url-masked', ['input', 'url']))
  const format = input.format ?? before.format
  const wrongHost = formatProblems(webhookFormat(format), url)
  if (wrongHost.length > 0) return refused(...wrongHost)
  await updateWebhook(tx, before, { ...(isKept ? {} : { url }), events, format })
  const webhook = (await lockWebhook(tx, permit, id))!
  record({ action: 'update', resource: RESOURCE, rowId: id, before, after: webhook })
  return ok({ webhook, secret: null, isRepeated: false })
}

/** Makes a new secret; the old one is no longer used. */
export async function renewWebhookSecret(
  id: bigint,
  { keyring }: SealingDependencies,
  { tx, permit, record }: WebhookWrite,
): Promise<Result<SavedWebhook, Refused>> {
  if (!keyring) return refused(refusal('webhook/no-key', ['id']))
  const before = await lockWebhook(tx, permit, id)
  if (!before) return refused(refusal('record/not-found', ['id']))
  const secret = newWebhookSecret()
  await updateWebhook(tx, before, sealWebhookSecret(keyring, secret, before.organizationId))
  const webhook = (await lockWebhook(tx, permit, id))!
  record({ action: 'renew-secret', resource: RESOURCE, rowId: id, before, after: webhook })
  return ok({ webhook, secret, isRepeated: false })
}

/** The answer as it is stored for repeated submissions, without the secret. */
export function withoutSecret(saved: SavedWebhook): SavedWebhook {
  return { ...saved, secret: null, isRepeated: true }
}

/** Pauses or resumes a webhook. No events are recorded for a paused one. */
export async function pauseWebhook(
  id: bigint,
  isPaused: boolean,
  { tx, permit, record, recordNothing }: WebhookWrite,
): Promise<Result<WebhookRow, Refused>> {
  const before = await lockWebhook(tx, permit, id)
  if (!before) return refused(refusal('record/not-found', ['id']))
  if (before.isPaused === isPaused) {
    recordNothing()
    return ok(before)
  }
  await updateWebhook(tx, before, { isPaused, isGivenUp: false, failingSince: null })
  const after = (await lockWebhook(tx, permit, id))!
  record({ action: 'update', resource: RESOURCE, rowId: id, before, after })
  return ok(after)
}

/** Marks the webhook as deleted. Its row stays, because deliveries refer to it. */
export async function deleteWebhook(
  id: bigint,
  clock: Clock,
  { tx, permit, record }: WebhookWrite,
): Promise<Result<WebhookRow, Refused>> {
  const before = await lockWebhook(tx, permit, id)
  if (!before) return refused(refusal('record/not-found', ['id']))
  await updateWebhook(tx, before, { deletedAt: new Date(clock.now()) })
  record({ action: 'delete', resource: RESOURCE, rowId: id, before, after: null })
  return ok(before)
}

function updateWebhook(tx: Transaction, { id, revision }: WebhookRow, values: object) {
  return tx
    .updateTable('webhooks')
    .set({ ...values, revision: revision + 1 })
    .where('id', '=', id)
    .execute()
}

export interface SendingDependencies {
  readonly clock: Clock
  readonly jobs: Jobs
}

/** Sends a ping, to test whether it arrives. */
export async function pingWebhook(
  id: bigint,
  dependencies: SendingDependencies,
  { tx, permit, record }: WebhookWrite,
): Promise<Result<boolean, Refused>> {
  const webhook = await lockWebhook(tx, permit, id)
  if (!webhook) return refused(refusal('record/not-found', ['id']))
  const blocked = await sendingProblem(tx, webhook, dependencies.clock)
  if (blocked) return refused(blocked)
  const now = new Date(dependencies.clock.now())
  const data = JSON.stringify({ webhookId: String(id) })
  const { id: eventId } = await tx
    .insertInto('webhookEvents')
    .values({ kind: WEBHOOK_PING, organizationId: webhook.organizationId, occurredAt: now, data })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: deliveryId } = await tx
    .insertInto('webhookDeliveries')
    .values({ webhookId: id, eventId, state: 'queued', changedAt: now, isByHand: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await dependencies.jobs.enqueue(tx, WEBHOOK_JOB, { deliveryId: String(deliveryId) })
  record({ action: 'send-test', resource: RESOURCE, rowId: id, before: null, after: { deliveryId } })
  return ok(true)
}

/** Sends an event to an address again, with the same event id. */
export async function redeliverWebhook(
  deliveryId: bigint,
  dependencies: SendingDependencies,
  { tx, permit, record, recordNothing }: WebhookWrite,
): Promise<Result<boolean, Refused>> {
  const delivery = await tx
    .selectFrom('webhookDeliveries')
    .select(['webhookId', 'state'])
    .where('id', '=', deliveryId)
    .executeTakeFirst()
  const webhook = delivery && (await lockWebhook(tx, permit, delivery.webhookId))
  if (!delivery || !webhook) return refused(refusal('record/not-found', ['id']))
  // The delivery is still being sent, so it is not queued again.
  if (delivery.state === 'queued' || delivery.state === 'waiting') {
    recordNothing()
    return ok(true)
  }
  const blocked = await sendingProblem(tx, webhook, dependencies.clock)
  if (blocked) return refused(blocked)
  await tx
    .updateTable('webhookDeliveries')
    .set({ state: 'queued', changedAt: new Date(dependencies.clock.now()), isByHand: true })
    .where('id', '=', deliveryId)
    .execute()
  await dependencies.jobs.enqueue(tx, WEBHOOK_JOB, { deliveryId: String(deliveryId) })
  record({ action: 'send-again', resource: RESOURCE, rowId: webhook.id, before: null, after: { deliveryId } })
  return ok(true)
}

async function sendingProblem(tx: Transaction, webhook: WebhookRow, clock: Clock): Promise<Refused | undefined> {
  if (webhook.isPaused) return refusal('webhook/paused', ['id'])
  const max = WEBHOOK_BOUNDS.byHandPerHour
  const { count } = await tx
    .selectFrom('webhookDeliveries')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .where('webhookId', '=', webhook.id)
    .where('isByHand', '=', true)
    .where('changedAt', '>', new Date(clock.now() - 3_600_000))
    .executeTakeFirstOrThrow()
  return Number(count) >= max ? refusal('webhook/too-often', ['id'], { max }) : undefined
}
