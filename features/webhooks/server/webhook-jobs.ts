import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { isGivenUp, maskedAddress, WEBHOOK_BOUNDS } from '@pc/domain/webhook/webhook.ts'
import { webhookFormat } from '@pc/domain/webhook/webhook-format.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { PostOutcome, SafePost } from '@pc/platform/http/safe-post.ts'
import { defineJob, handleJob, type JobHandler, type RunningJob } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { type Keyring, SealError } from '@pc/platform/secrets/keyring.ts'
import { sql } from 'kysely'
import { WEBHOOKS_PATH } from '../links.ts'
import { openWebhookSecret, sealOlderSecrets } from './webhook-secret.ts'
import { webhookHeaders } from './webhook-signature.ts'

export interface WebhookDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  readonly safePost: SafePost
  readonly webOrigin: string
  /** Undefined: no key is set, so nothing can be signed. */
  readonly keyring: Keyring | undefined
}

const PLAN_JOB = defineJob('webhooks', { cron: '* * * * *', retryLimit: 0, onePerKey: true })
/** Retries for about a day: after 30 s, then doubling, at most one hour apart. */
const MAX_RETRIES = 29
export const WEBHOOK_JOB = defineJob<{ readonly deliveryId: string }>('webhook', {
  // A few more than are used, so that a worker that dies during the last attempt does not leave the delivery open.
  retryLimit: MAX_RETRIES + 3,
  retryDelaySeconds: 30,
  timeoutSeconds: 60,
  concurrency: 4,
})
/** Deliveries queued in one transaction. */
const MAX_AT_ONCE = 500
/** At most this many people get the email about a webhook. */
const MAX_PEOPLE = 20

export function webhookHandlers(dependencies: WebhookDependencies): readonly JobHandler[] {
  return [
    handleJob(PLAN_JOB, async () => {
      if (!(await prepareSecrets(dependencies))) return
      while ((await queueDeliveries(dependencies)) === MAX_AT_ONCE);
      await forgetEvents(dependencies)
    }),
    handleJob(WEBHOOK_JOB, ({ deliveryId }, job) => deliverWebhook(dependencies, BigInt(deliveryId), job)),
  ]
}

/**
 * Seals secrets that are not sealed with the newest key.
 * @returns whether there is a key to sign with; without a key, false when there are no webhooks
 * @throws SealError when there are webhooks and no key; deliveries wait, and the failed job says why
 */
async function prepareSecrets({ database, keyring }: WebhookDependencies): Promise<boolean> {
  return database.inScope(SYSTEM, async tx => {
    if (keyring) {
      await sealOlderSecrets(tx, keyring)
      return true
    }
    const kept = await tx.selectFrom('webhooks').select('id').where('deletedAt', 'is', null).limit(1).execute()
    if (kept.length > 0) throw new SealError('SECRETS_KEY is not set: webhooks cannot be signed and wait')
    return false
  })
}

/**
 * Queues waiting deliveries for the workers.
 * @returns how many were queued
 */
export function queueDeliveries({ database, clock, jobs }: WebhookDependencies): Promise<number> {
  return database.inScope(SYSTEM, async tx => {
    const { rows } = await sql<{ id: bigint }>`
      update webhook_deliveries set state = 'queued', changed_at = ${new Date(clock.now())}
      where id in (select id from webhook_deliveries where state = 'waiting' order by id limit ${MAX_AT_ONCE}
        for update skip locked)
      returning id`.execute(tx)
    for (const { id } of rows) await jobs.enqueue(tx, WEBHOOK_JOB, { deliveryId: String(id) })
    return rows.length
  })
}

function forgetEvents({ database, clock }: WebhookDependencies) {
  const before = new Date(clock.now() - WEBHOOK_BOUNDS.keptDays * 86_400_000)
  return database.inScope(SYSTEM, async tx => {
    await tx.deleteFrom('webhookEvents').where('occurredAt', '<', before).execute()
    // Deletes the removed webhooks with their secrets.
    await tx.deleteFrom('webhooks').where('deletedAt', '<', before).execute()
  })
}

/**
 * One attempt. If this process dies after the response, the event may arrive twice; the receiver recognises it by its
 * id.
 */
export async function deliverWebhook(
  dependencies: WebhookDependencies,
  deliveryId: bigint,
  job: RunningJob,
): Promise<void> {
  const { database, clock, keyring } = dependencies
  const found = await database.inScope(SYSTEM, tx => findQueued(tx, deliveryId), { readOnly: true })
  if (!found) return
  if (found.isPaused || found.deletedAt !== null) {
    await database.inScope(SYSTEM, tx =>
      updateDelivery(tx, deliveryId, { state: 'dropped', changedAt: new Date(clock.now()) }),
    )
    return
  }
  if (!keyring) {
    // Back to waiting for a key; the failure is not the address's.
    await database.inScope(SYSTEM, tx =>
      updateDelivery(tx, deliveryId, { state: 'waiting', changedAt: new Date(clock.now()) }),
    )
    return
  }
  const outcome = await postMessage(dependencies, keyring, found, job)
  const changedAt = new Date(clock.now())
  const attempt = {
    attempts: found.attempts + 1,
    changedAt,
    lastStatus: outcome.status ?? null,
    lastProblem: outcome.problem ?? null,
  }
  if (outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300) {
    await database.inScope(SYSTEM, async tx => {
      await updateDelivery(tx, deliveryId, { ...attempt, state: 'delivered' })
      await tx.updateTable('webhooks').set({ failingSince: null }).where('id', '=', found.webhookId).execute()
    })
    return
  }
  const isLast = await database.inScope(SYSTEM, async tx => {
    const gaveUp = await noteFailure(dependencies, tx, found.webhookId)
    const isOver = gaveUp || job.retries >= MAX_RETRIES
    await updateDelivery(tx, deliveryId, { ...attempt, ...(isOver ? { state: 'failed' } : {}) })
    return isOver
  })
  if (!isLast) throw new Error(`a webhook was not taken: ${outcome.status ?? outcome.problem}`)
}

type Found = NonNullable<Awaited<ReturnType<typeof findQueued>>>
type Outcome = PostOutcome | { readonly status?: never; readonly problem: 'secret-unreadable' | 'format-unknown' }

async function postMessage(
  { clock, safePost }: WebhookDependencies,
  keyring: Keyring,
  found: Found,
  job: RunningJob,
): Promise<Outcome> {
  const { key, kind, occurredAt, data } = found
  const format = webhookFormat(found.format)
  if (!format) return { problem: 'format-unknown' }
  const body = format.body({ key, kind, occurredAt: occurredAt.toISOString(), data })
  try {
    const headers = webhookHeaders({ key, kind, body }, openWebhookSecret(keyring, found), clock.now())
    return await safePost(found.url, { body, headers, signal: job.signal })
  } catch (error) {
    if (error instanceof SealError) return { problem: 'secret-unreadable' }
    throw error
  }
}

function findQueued(tx: Transaction, deliveryId: bigint) {
  return tx
    .selectFrom('webhookDeliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhookId')
    .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
    .select(['d.attempts', 'd.webhookId', 'w.url', 'w.format', 'w.isPaused', 'w.deletedAt'])
    .select(['w.organizationId', 'w.secret', 'w.sealedSecret'])
    .select(['e.key', 'e.kind', 'e.occurredAt', 'e.data'])
    .where('d.id', '=', deliveryId)
    .where('d.state', '=', 'queued')
    .executeTakeFirst()
}

function updateDelivery(tx: Transaction, id: bigint, values: object) {
  return tx.updateTable('webhookDeliveries').set(values).where('id', '=', id).where('state', '=', 'queued').execute()
}

/** @returns whether the address is given up */
async function noteFailure(dependencies: WebhookDependencies, tx: Transaction, webhookId: bigint): Promise<boolean> {
  const now = dependencies.clock.now()
  const webhook = await tx
    .selectFrom('webhooks')
    .select(['url', 'organizationId', 'failingSince', 'isPaused', 'createdByUid'])
    .where('id', '=', webhookId)
    .forUpdate()
    .executeTakeFirst()
  if (!webhook || webhook.isPaused) return true
  const failingSince = webhook.failingSince ?? new Date(now)
  const gaveUp = isGivenUp(failingSince.getTime(), now)
  await tx
    .updateTable('webhooks')
    .set({ failingSince, ...(gaveUp ? { isPaused: true, isGivenUp: true, revision: sql`revision + 1` } : {}) })
    .where('id', '=', webhookId)
    .execute()
  if (gaveUp) await notifyOwners(dependencies, tx, webhook)
  return gaveUp
}

async function notifyOwners(
  { jobs, webOrigin }: WebhookDependencies,
  tx: Transaction,
  { url, organizationId }: { readonly url: string; readonly organizationId: bigint | null },
): Promise<void> {
  const people =
    organizationId === null
      ? peopleWithRoles(tx, rolesOf('staff', 'administers'))
      : peopleWithRoles(tx, rolesOf('publisher', 'administers'), { organizationId })
  for (const to of addressesOf(await people.limit(MAX_PEOPLE).execute())) {
    const message = renderEmail({
      to,
      subject: '【Publisher Center】Webhook の送信を停止しました',
      paragraphs: [
        `次の送信先に${WEBHOOK_BOUNDS.givenUpAfterHours / 24}日間届けられなかったため、送信を停止しました。\n${maskedAddress(url)}`,
        '送信先のシステムを確認し、直ったら「Webhook」の画面で再開してください。停止している間のイベントは送られません。届かなかったものは、送信の記録から30日以内であれば再送できます。',
      ],
      action: { label: 'Webhook の画面を開く', url: `${webOrigin}/gpc/#${WEBHOOKS_PATH}` },
    })
    await jobs.enqueue(tx, MAIL_JOB, message)
  }
}
