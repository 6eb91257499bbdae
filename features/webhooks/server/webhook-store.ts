import type { Permit } from '@pc/domain/access/decide.ts'
import { maskedAddress } from '@pc/domain/webhook/webhook.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

export interface WebhookRow {
  readonly id: bigint
  readonly organizationId: bigint | null
  /** Masked; only the sending job reads the whole address. */
  readonly url: string
  readonly events: readonly string[]
  /** A name of `WEBHOOK_FORMATS`, or of a format that only another version knows. */
  readonly format: string
  readonly isPaused: boolean
  readonly isGivenUp: boolean
  readonly failingSince: Date | null
  readonly createdAt: Date
  readonly revision: number
}
const COLUMNS = [
  ...(['id', 'organizationId', 'url', 'events', 'isPaused', 'isGivenUp', 'failingSince', 'createdAt'] as const),
  ...(['format', 'revision'] as const),
] as const

export type WebhookPermit = Permit
/** The organisation whose webhooks a person manages; null: the platform's own. */
export function ownerOf({ scope }: Pick<WebhookPermit, 'scope'>): bigint | null {
  if (scope.kind === 'all') return null
  if (scope.kind === 'organization') return scope.organizationId
  throw new TypeError('webhooks belong to the platform or to an organisation')
}

function ownWebhooks(tx: Transaction, permit: Pick<WebhookPermit, 'scope'>) {
  const owner = ownerOf(permit)
  const all = tx.selectFrom('webhooks').select(COLUMNS).where('deletedAt', 'is', null)
  return owner === null ? all.where('organizationId', 'is', null) : all.where('organizationId', '=', owner)
}

const masked = <Row extends WebhookRow>(row: Row): Row => ({ ...row, url: maskedAddress(row.url) })

/** The owner's webhooks, oldest first, with masked addresses. */
export async function listWebhooks(tx: Transaction, permit: Pick<WebhookPermit, 'scope'>): Promise<WebhookRow[]> {
  const rows = await ownWebhooks(tx, permit).orderBy('id').execute()
  return rows.map(masked)
}

/** Locks a webhook of the owner until the transaction ends; undefined when there is none. The address is masked. */
export async function lockWebhook(
  tx: Transaction,
  permit: Pick<WebhookPermit, 'scope'>,
  id: bigint,
): Promise<WebhookRow | undefined> {
  const row = await ownWebhooks(tx, permit).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && masked(row)
}

export interface DeliveryRow {
  readonly id: bigint
  readonly key: string
  readonly kind: string
  readonly occurredAt: Date
  readonly state: string
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastProblem: string | null
  readonly changedAt: Date
}

/** The latest deliveries of an own webhook, newest first. */
export async function listDeliveries(
  tx: Transaction,
  permit: Pick<WebhookPermit, 'scope'>,
  webhookId: bigint,
  limit: number,
): Promise<DeliveryRow[]> {
  const webhook = await ownWebhooks(tx, permit).where('id', '=', webhookId).executeTakeFirst()
  if (!webhook) return []
  return tx
    .selectFrom('webhookDeliveries as d')
    .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
    .select(['d.id', 'e.key', 'e.kind', 'e.occurredAt', 'd.state', 'd.attempts', 'd.lastStatus', 'd.lastProblem'])
    .select('d.changedAt')
    .where('d.webhookId', '=', webhookId)
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute()
}
