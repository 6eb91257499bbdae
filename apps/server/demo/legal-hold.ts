import { addMonths, monthOfDay } from '@pc/domain/month/year-month.ts'
import { type Clock, dayAt } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'

/** Creates a legal hold: an organisation's records of half a year, for a tax inspection. */
export async function placeDemoHold(database: Database, clock: Clock): Promise<void> {
  const thisMonth = monthOfDay(dayAt(clock.now()))
  await database.inScope(SYSTEM, async tx => {
    const known = await tx.selectFrom('legalHolds').select('id').limit(1).executeTakeFirst()
    const admin = await tx
      .selectFrom('users as u')
      .innerJoin('userRoles as r', 'r.uid', 'u.uid')
      .select(['u.uid', 'u.email'])
      .where('r.roleName', '=', 'insight:admin')
      .orderBy('u.email')
      .executeTakeFirst()
    const organization = await tx.selectFrom('organizations').select('id').orderBy('id').limit(1).executeTakeFirst()
    if (known || !admin || !organization) return
    await tx
      .insertInto('legalHolds')
      .values({
        organizationId: organization.id,
        fromMonth: addMonths(thisMonth, -12),
        toMonth: addMonths(thisMonth, -7),
        reason: '税務調査の対象期間のため',
        placedByUid: admin.uid,
        placedByEmail: admin.email,
        placedAt: new Date(clock.now()),
      })
      .execute()
  })
}
