import type { Role } from '@pc/domain/access/role.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** Shows an announcement of the system to the people with some roles, for a limited time. */
export async function announceToRoles(
  tx: Transaction,
  announcement: {
    readonly roles: readonly Role[]
    readonly title: string
    /** HTML that consists of the allow-list only; it is not sanitised again here. */
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
