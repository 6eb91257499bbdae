import type { Day } from '@pc/domain/month/day.ts'
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

export type LockedMedia = ReadonlyMap<bigint, { readonly name: string; readonly retiredOn: Day | null }>

/**
 * Locks media rows against changes (shared, so several transactions may hold them), so that no agreement or rule is
 * saved while a medium is being retired. Unknown ids are not reported; their foreign key fails. Differs from
 * `lockMediaTable` in `save-medium.ts`.
 * Tested by `features/media/server/media-api.test.ts`.
 */
export async function readLockedMedia(tx: Transaction, mediumIds: readonly bigint[]): Promise<LockedMedia> {
  if (mediumIds.length === 0) return new Map()
  const media = await tx
    .selectFrom('media')
    .select(['id', 'name', 'retiredOn'])
    .where('id', '=', sql<bigint>`any(${mediumIds}::bigint[])`)
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(media.map(({ id, name, retiredOn }) => [id, { name, retiredOn: retiredOn as Day | null }]))
}
