import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { type Database, SYSTEM } from '../postgres/database.ts'
import { type Actor, recordChange } from './record-change.ts'

/** The actor in the audit log: during an impersonation this is the member of staff. */
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
  /** What was read, for people: file name, period, number of rows. No sensitive values. */
  readonly what: Readonly<Record<string, string | number>>
}

/**
 * Notes that somebody read what is watched, outside of a transaction of its own: downloads above all. Call it before the
 * value is answered: what cannot be noted is not answered.
 * @public for every feature whose data leave the system as a file
 */
export async function recordRead(database: Database, actor: Actor, ...reads: readonly SensitiveRead[]): Promise<void> {
  const requested = actor.apiKeyId === undefined ? {} : { apiKeyId: actor.apiKeyId }
  const changes = reads.map(({ what, ...read }) => ({ ...read, before: null, after: { ...what, ...requested } }))
  await database.inScope(SYSTEM, tx => recordChange(tx, actor, ...changes))
}
