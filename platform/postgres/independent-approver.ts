import { SECOND_ADMINISTRATOR_AFTER_DAYS } from '@pc/domain/access/account-change.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/**
 * Why an approver is not independent: `new` if the approver got the role or accepted the invitation only a few days ago,
 * `guest` if the approver gave the requester a role within these days. An installation without an older account has no such
 * rule: there is nobody else yet.
 */
export async function approverConflict(
  tx: Transaction,
  people: { readonly requester: string | null; readonly approver: string },
  roles: readonly Role[],
): Promise<'new' | 'guest' | undefined> {
  const days = SECOND_ADMINISTRATOR_AFTER_DAYS
  const { rows } = await sql<{ isNew: boolean; isGuest: boolean }>`select
      not exists (select from app.established_roles_of(${people.approver}::uuid, ${days}) r
        where r = any(${[...roles]}::text[])) as is_new,
      exists (select from user_roles where uid = ${people.requester}::uuid and given_by_uid = ${people.approver}::uuid
        and given_at > now() - ${days} * interval '1 day') as is_guest
    where exists (select from users where created_at <= now() - ${days} * interval '1 day')`.execute(tx)
  return rows[0]?.isNew ? 'new' : rows[0]?.isGuest ? 'guest' : undefined
}
