import { SECOND_ADMINISTRATOR_AFTER_DAYS } from '@pc/domain/access/account-change.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/**
 * Four-eyes principle: why an approver is not independent. `new`: the approver got the role or accepted the invitation
 * only days ago. `guest`: the approver gave the requester a role within these days. A young installation has no such
 * rule, because there is nobody else.
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
