import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { type Database, SYSTEM } from '../postgres/database.ts'
import { type Actor, recordChange } from './record-change.ts'

/**
 * The actor for the audit log. During an impersonation that is the member of staff, not the user whose view is shown.
 */
export function actorOf(viewer: Viewer, from: { readonly sourceAddress: string; readonly requestId: string }): Actor {
  return {
    uid: viewer.impersonatedBy?.uid ?? viewer.uid,
    actingAsUid: viewer.impersonatedBy ? viewer.uid : null,
    sourceAddress: from.sourceAddress,
    requestId: from.requestId,
    apiKeyId: viewer.apiKey?.id,
  }
}

export interface SensitiveRead {
  /** `read-in-full`: values that are shown shortened otherwise; `download`: a file that leaves the system. */
  readonly action: 'read-in-full' | 'download'
  readonly resource: ResourceName
  readonly rowId: string | bigint
  /** What was read, in words for the reader of the log: file name, period, number of rows. No sensitive values. */
  readonly what: Readonly<Record<string, string | number>>
}

/**
 * Records a sensitive read (mostly a download) in a transaction of its own. Call it before the answer is sent: a read
 * that cannot be recorded is not answered.
 * @public for every feature whose data leave the system as a file
 */
export async function recordRead(database: Database, actor: Actor, ...reads: readonly SensitiveRead[]): Promise<void> {
  const requested = actor.apiKeyId === undefined ? {} : { apiKeyId: actor.apiKeyId }
  const changes = reads.map(({ what, ...read }) => ({ ...read, before: null, after: { ...what, ...requested } }))
  await database.inScope(SYSTEM, tx => recordChange(tx, actor, ...changes))
}
