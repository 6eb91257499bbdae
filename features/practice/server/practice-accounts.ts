import type { Role } from '@pc/domain/access/role.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { PRACTICE_DOMAIN } from './hide-secrets.ts'
import { type CopyClient, demandPractice } from './work-on-copy.ts'

export interface PracticeAccount {
  readonly email: string
  readonly role: Role
}

/**
 * The accounts of a practice system. Two may finalise, because the person who prepares a month may not; the publisher's
 * account confirms the statement.
 */
export const PRACTICE_ACCOUNTS: readonly PracticeAccount[] = [
  { email: `editor@${PRACTICE_DOMAIN}`, role: 'insight:editor' },
  { email: `admin-1@${PRACTICE_DOMAIN}`, role: 'insight:admin' },
  { email: `admin-2@${PRACTICE_DOMAIN}`, role: 'insight:admin' },
  { email: `viewer@${PRACTICE_DOMAIN}`, role: 'insight:viewer' },
  { email: `publisher@${PRACTICE_DOMAIN}`, role: 'insight:publisher_admin' },
]

/** Creates the accounts. Nobody can sign in with them before {@link newPracticePassword} has been called. */
export async function makePracticeAccounts(client: CopyClient): Promise<void> {
  await demandPractice(client)
  for (const { email, role } of PRACTICE_ACCOUNTS) {
    // The copied system may have no such role yet; its start gives it rights and side (`seed-policies.ts`).
    await client.query('insert into roles (name) values ($1) on conflict do nothing', [role])
    // The publisher's account belongs to the payee of the month's largest payment, so that it sees a statement.
    await client.query(
      `with made as (
         insert into users (email, email_verified_at, organization_id) values ($1, now(), case when $2 = 'insight:publisher_admin'
           then (select a.organization_id from practice_payments p join agreements a on a.id = p.agreement_id
             order by p.payment_yen desc, p.agreement_id limit 1) end) returning uid)
       insert into user_roles (uid, role_name) select uid, $2 from made`,
      [email, role],
    )
  }
}

/** One password for all accounts, good until the next one is made: it is printed once and stored nowhere. */
export async function newPracticePassword(database: Database, passwordHash: string): Promise<void> {
  await database.inScope(SYSTEM, async tx => {
    const system = await tx.selectFrom('practiceSystem').select('month').executeTakeFirst()
    if (!system) throw new Error('This is no practice system: nobody gets a password here.')
    const users = await tx
      .selectFrom('users')
      .select('uid')
      .where(
        'email',
        'in',
        PRACTICE_ACCOUNTS.map(account => account.email),
      )
      .execute()
    for (const { uid } of users) {
      await tx
        .insertInto('idpAccounts')
        .values({ uid, passwordHash })
        .onConflict(conflict => conflict.column('uid').doUpdateSet({ passwordHash }))
        .execute()
    }
  })
}
