import { SECOND_ADMINISTRATOR_AFTER_DAYS } from '@pc/domain/access/account-change.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/**
 * Why two people are not two: `new` where the second one has the role, or has accepted the invitation, since a few days
 * only; `guest` where the second one has given the first one a role within these days. In an installation whose
 * first people are not here for so long, everybody counts: there is nobody else yet.
 */
export async function findAccomplice(
  tx: Transaction,
  people: { readonly first: string | null; readonly second: string },
  roles: readonly Role[],
): Promise<'new' | 'guest' | undefined> {
  const days = SECOND_ADMINISTRATOR_AFTER_DAYS
  const { rows } = await sql<{ isNew: boolean; isGuest: boolean }>`select
      not exists (select from app.established_roles_of(${people.second}::uuid, ${days}) r
        where r = any(${[...roles]}::text[])) as is_new,
      exists (select from user_roles where uid = ${people.first}::uuid and given_by_uid = ${people.second}::uuid
        and given_at > now() - ${days} * interval '1 day') as is_guest
    where exists (select from users where created_at <= now() - ${days} * interval '1 day')`.execute(tx)
  return rows[0]?.isNew ? 'new' : rows[0]?.isGuest ? 'guest' : undefined
}
