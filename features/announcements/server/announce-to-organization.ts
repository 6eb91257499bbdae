import type { Transaction } from '@pc/platform/postgres/database.ts'

/** What the system itself has to say to the people of one organisation: an information in their bell, for a time. */
export async function announceToOrganization(
  tx: Transaction,
  announcement: {
    readonly organizationId: bigint
    readonly title: string
    /** HTML of the allow-list, as it is read. */
    readonly body: string
    readonly startAt: Date
    readonly endAt: Date
  },
): Promise<void> {
  const { organizationId, ...content } = announcement
  const { id } = await tx
    .insertInto('announcements')
    .values({ ...content, enabled: true, level: 'info' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('announcementTargets')
    .values({ announcementId: id, kind: 'organization', organizationId })
    .execute()
}
