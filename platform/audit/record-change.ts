import type { AuditAction } from '@pc/domain/access/audit-action-labels.ja.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import { compileOnce } from '../postgres/compile-once.ts'
import type { Transaction } from '../postgres/database.ts'
import { sendWithCommit } from '../postgres/sent-with-commit.ts'
import { auditJson } from './mask-values.ts'

/** Who acts, and from where. */
export interface Actor {
  /** Null: the system itself. */
  readonly uid: string | null
  /** The user whose view the actor has taken on (impersonation); null: none. */
  readonly actingAsUid: string | null
  readonly sourceAddress: string
  readonly requestId: string
  /** Id of the API key when a program read in the actor's name; undefined: the person acted. */
  readonly apiKeyId?: bigint | undefined
}

/**
 * The actor of automatic work: a job or a command.
 * Tested by `platform/audit/audit-log.test.ts`.
 * @param part its name, for example `audit-anchor`
 */
export function systemActor(part: string, requestId = ''): Actor {
  return { uid: null, actingAsUid: null, sourceAddress: `system:${part}`, requestId }
}

/** What was done to one row. Values may be bigint, Date, text, number, boolean, null, lists and objects of these. */
export interface Change {
  readonly action: AuditAction
  readonly resource: ResourceName
  readonly rowId: string | bigint
  /** The fields as they were; null when the row did not exist. Include `revision` where the record has one. */
  readonly before: object | null
  /** The fields as they are now; null when the row is gone. */
  readonly after: object | null
}

/**
 * Appends to the audit log in the transaction of the change; masks account numbers and secrets. Call it last: until
 * this transaction ends, every other writer of the log waits for the head of the chain. Needs `read committed`: under a
 * stricter isolation level a moved head is a serialization failure.
 */
export async function recordChange(tx: Transaction, actor: Actor, ...changes: readonly Change[]): Promise<void> {
  const [only, ...more] = changes
  if (only && more.length === 0) return sendWithCommit(tx, appendOne(rowOf(actor, only)))
  for (let from = 0; from < changes.length; from += ROWS_AT_A_TIME) {
    const rows = changes.slice(from, from + ROWS_AT_A_TIME).map(change => rowOf(actor, change))
    await tx.insertInto('auditLog').values(rows).execute()
  }
}

const appendOne = compileOnce<ReturnType<typeof rowOf>, never>((place, builder) =>
  builder.insertInto('auditLog').values({
    actorUid: place('actorUid'),
    actingAsUid: place('actingAsUid'),
    sourceAddress: place('sourceAddress'),
    requestId: place('requestId'),
    action: place('action'),
    resourceName: place('resourceName'),
    rowId: place('rowId'),
    before: place('before'),
    after: place('after'),
  }),
)

function rowOf(actor: Actor, change: Change) {
  return {
    actorUid: actor.uid,
    actingAsUid: actor.actingAsUid,
    sourceAddress: actor.sourceAddress,
    requestId: actor.requestId,
    action: change.action,
    resourceName: change.resource,
    rowId: String(change.rowId),
    before: auditJson(change.before),
    after: auditJson(change.after),
  }
}

/** PostgreSQL accepts 65,535 parameters in a statement; a row needs nine. */
const ROWS_AT_A_TIME = 1_000
