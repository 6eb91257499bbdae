import { addDays, type Day } from '@pc/domain/month/day.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** Notes of staff on the charts of the first publisher: on all its media, on the first, and on its last one. */
export async function insertNotes(tx: Transaction, today: Day): Promise<void> {
  const writer = await tx
    .selectFrom('userRoles')
    .select('uid')
    .where('roleName', '=', 'insight:admin')
    .executeTakeFirstOrThrow()
  const rules = await tx
    .selectFrom('agreementPublisherRules')
    .select(['publisherId', 'mediumId'])
    .orderBy('publisherId')
    .orderBy('mediumId')
    .execute()
  const publisherId = rules[0]!.publisherId
  const media = rules.filter(rule => rule.publisherId === publisherId).map(rule => rule.mediumId)
  const note = (daysAgo: number, days: number, text: string, mediumIds: readonly bigint[]) => ({
    ...{ ownerUid: writer.uid, isByStaff: true, visibility: 'publisher', publisherId, text, mediumIds: [...mediumIds] },
    ...{ startsOn: addDays(today, -daysAgo), endsOn: addDays(today, days - 1 - daysAgo) },
  })
  await tx
    .insertInto('annotations')
    .values([
      note(6, 1, '計測の障害により、午前の表示回数が少なくなっています。', []),
      note(9, 3, 'トップページの枠を広げるキャンペーン', media.slice(0, 1)),
      note(5, 1, '配信面の改修を実施', media.slice(-1)),
    ])
    .execute()
}
