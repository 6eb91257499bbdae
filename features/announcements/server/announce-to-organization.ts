import type { Transaction } from '@pc/platform/postgres/database.ts'

/** Shows an announcement of the system to the people of one organisation, for a limited time. */
export async function announceToOrganization(
  tx: Transaction,
  announcement: {
    readonly organizationId: bigint
    readonly title: string
    /** HTML that consists of the allow-list only; it is not sanitised again here. */
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
