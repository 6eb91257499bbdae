import { ANNOUNCEMENT_BOUNDS } from '@pc/domain/announcement/announcement.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { sql } from 'kysely'
import { visibleTo } from './announcement-store.ts'

/**
 * Marks announcements as read by the caller. Ids that the caller may not see are ignored, like unknown ones.
 * @returns the ids that are now read
 */
export async function readAnnouncements(
  ids: readonly bigint[],
  now: number,
  { tx, permit, record, recordNothing }: Write<'read:show', 'insight:announcement.'>,
): Promise<Result<bigint[], Refusal<RefusalCode>>> {
  const { readAtOnce } = ANNOUNCEMENT_BOUNDS
  if (ids.length > readAtOnce) return refused(refusal('announcement/too-many-ids', ['ids'], { max: readAtOnce }))
  const visible = await tx
    .selectFrom('announcements as a')
    .select('a.id')
    .where('a.id', '=', sql<bigint>`any(${[...ids]}::bigint[])`)
    .where(visibleTo(permit, now))
    .orderBy('a.id')
    .execute()
  const { uid } = permit.viewer
  const rows = visible.map(({ id }) => ({ announcementId: id, uid, readAt: new Date(now) }))
  const marked =
    rows.length === 0
      ? []
      : await tx
          .insertInto('announcementReads')
          .values(rows)
          .onConflict(conflict => conflict.doNothing())
          .returning('announcementId')
          .execute()
  if (marked.length === 0) recordNothing()
  for (const { announcementId } of marked) {
    const after = { isRead: true }
    record({
      action: 'read',
      resource: 'insight:announcement.',
      rowId: announcementId,
      before: { isRead: false },
      after,
    })
  }
  return ok(visible.map(row => row.id))
}
