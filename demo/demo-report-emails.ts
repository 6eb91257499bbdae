import type { Transaction } from '@pc/platform/postgres/database.ts'

/** A weekly report email for each administrator. They are stopped, because the demonstration sends no email. */
export async function insertReportEmails(tx: Transaction, activeSince: Date): Promise<void> {
  const people = await tx
    .selectFrom('userRoles')
    .select(['uid', 'roleName'])
    .where('roleName', 'in', ['insight:admin', 'insight:publisher_admin'])
    .execute()
  if (people.length === 0) return
  await tx
    .insertInto('reportMails')
    .values(
      people.map(({ uid, roleName }) => ({
        ...{ uid, name: '週のはじめの確認', cadence: 'weekly', hour: 9, compareWith: 'previous_period' },
        ...{ ranking: roleName === 'insight:admin' ? 'publishers' : 'articles', isPaused: true, activeSince },
      })),
    )
    .execute()
}
