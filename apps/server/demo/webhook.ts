import { newWebhookSecret, sealWebhookSecret } from '@pc/features/webhooks/server/webhook-secret.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { Keyring } from '@pc/platform/secrets/keyring.ts'

const HOUR_MS = 3_600_000
/** A host name that never resolves (RFC 2606). */
const URL = 'https://hooks.example/publisher-center'
const DELIVERIES = [
  { kind: 'month.finalized', state: 'delivered', attempts: 1, lastStatus: 200, hoursAgo: 75 },
  { kind: 'feed.failed', state: 'delivered', attempts: 3, lastStatus: 204, hoursAgo: 52 },
  { kind: 'feed.recovered', state: 'failed', attempts: 30, lastStatus: 503, hoursAgo: 50 },
  { kind: 'ping', state: 'failed', attempts: 30, lastProblem: 'name-not-found', hoursAgo: 28 },
  { kind: 'feed.failed', state: 'queued', attempts: 2, lastStatus: 500, hoursAgo: 3 },
  { kind: 'feed.recovered', state: 'dropped', attempts: 0, hoursAgo: 2 },
  // The worker drops it within a minute, because the webhook is paused.
  { kind: 'ping', state: 'waiting', attempts: 0, hoursAgo: 0 },
] as const

/** Creates a webhook with deliveries in every state. It is paused, so that the demonstration sends nothing. */
export async function keepDemoWebhook(database: Database, clock: Clock, keyring: Keyring): Promise<void> {
  const now = clock.now()
  await database.inScope(SYSTEM, async tx => {
    const known = await tx.selectFrom('webhooks').select('id').limit(1).executeTakeFirst()
    const feed = await tx
      .selectFrom('feeds as f')
      .innerJoin('publishers as p', 'p.id', 'f.publisherId')
      .select(['f.id', 'f.publisherId', 'p.organizationId'])
      .orderBy('f.id')
      .limit(1)
      .executeTakeFirst()
    const closing = await tx
      .selectFrom('monthClosings')
      .select(['mediumId', 'month'])
      .orderBy('month', 'desc')
      .orderBy('mediumId')
      .limit(1)
      .executeTakeFirst()
    if (known || !closing) return
    const month = `${Math.floor(closing.month / 100)}-${String(closing.month % 100).padStart(2, '0')}`
    const { id: webhookId } = await tx
      .insertInto('webhooks')
      .values({
        url: URL,
        events: ['month.finalized', 'feed.failed', 'feed.recovered'],
        isPaused: true,
        ...sealWebhookSecret(keyring, newWebhookSecret(), null),
        createdAt: new Date(now - 100 * HOUR_MS),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const dataOf = (kind: string) => {
      if (kind === 'ping') return { webhookId: String(webhookId) }
      if (kind === 'month.finalized' || !feed) return { mediumId: String(closing.mediumId), month }
      const { id, publisherId, organizationId } = feed
      return { feedId: String(id), publisherId: String(publisherId), organizationId: String(organizationId) }
    }
    for (const { kind, hoursAgo, ...delivery } of DELIVERIES) {
      const occurredAt = new Date(now - hoursAgo * HOUR_MS)
      const { id: eventId } = await tx
        .insertInto('webhookEvents')
        .values({ kind, occurredAt, data: JSON.stringify(dataOf(kind)) })
        .returning('id')
        .executeTakeFirstOrThrow()
      const values = { webhookId, eventId, changedAt: occurredAt, isByHand: kind === 'ping', ...delivery }
      await tx.insertInto('webhookDeliveries').values(values).execute()
    }
  })
}
