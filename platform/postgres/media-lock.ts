import type { Day } from '@pc/domain/month/day.ts'
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

export type LockedMedia = ReadonlyMap<bigint, { readonly name: string; readonly retiredOn: Day | null }>

/**
 * Locks the rows of these media against a change, so that no agreement or rule passes a retirement that is being saved;
 * several transactions may hold them at once. `lockMediaTable` of `save-medium.ts` is another lock. An unknown medium is left
 * to its foreign key.
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
