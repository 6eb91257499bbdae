import type { Role } from '@pc/domain/access/role.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** What the system itself has to say to the people of some roles: an information in their bell, for a time. */
export async function announceToRoles(
  tx: Transaction,
  announcement: {
    readonly roles: readonly Role[]
    readonly title: string
    /** HTML of the allow-list, as it is read. */
    readonly body: string
    readonly startAt: Date
    readonly endAt: Date
  },
): Promise<void> {
  const { roles, ...content } = announcement
  const { id } = await tx
    .insertInto('announcements')
    .values({ ...content, title: [...content.title].slice(0, 200).join(''), enabled: true, level: 'info' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('announcementTargets')
    .values(roles.map(roleName => ({ announcementId: id, kind: 'role', roleName })))
    .execute()
}
