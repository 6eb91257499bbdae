import type { Role } from '@pc/domain/access/role.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../postgres/database.ts'
import { mailAddress } from './send-mail.ts'

/**
 * Query for the email addresses of enabled users with a confirmed address and one of the roles, each address once. The
 * caller may add conditions (alias `u` for users) and passes the rows to {@link addressesOf}.
 * @param who `evenUnconfirmed`: includes people who have not accepted their invitation yet, for emails that must not be
 *   missed
 */
export function peopleWithRoles(
  tx: Transaction,
  roles: readonly Role[],
  who: { readonly evenUnconfirmed?: boolean; readonly organizationId?: bigint } = {},
) {
  const { evenUnconfirmed = false, organizationId } = who
  return tx
    .selectFrom('users as u')
    .select(['u.uid', 'u.email'])
    .where('u.enabled', '=', true)
    .where(eb => (evenUnconfirmed ? eb.lit(true) : eb('u.emailVerifiedAt', 'is not', null)))
    .where(eb => (organizationId === undefined ? eb.lit(true) : eb('u.organizationId', '=', organizationId)))
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('userRoles as r')
          .select('r.uid')
          .whereRef('r.uid', '=', 'u.uid')
          .where('r.roleName', 'in', [...roles]),
      ),
    )
    .orderBy('u.email')
}

/**
 * Subquery for the uids of users in an organisation with one of the roles, including unconfirmed ones.
 * @param organizationId a column of the outer query
 */
export function uidsWithRoles(organizationId: RawBuilder<unknown>, roles: readonly Role[]): RawBuilder<unknown> {
  return sql`select u.uid from users u where u.organization_id = ${organizationId} and u.enabled
    and exists (select from user_roles r where r.uid = u.uid and r.role_name = any(${[...roles]}::text[]))`
}

/** Drops addresses that no mail server would accept, and duplicates. */
export function addressesOf(people: readonly { readonly email: string }[]): readonly string[] {
  return [...new Set(people.map(person => person.email))].filter(email => mailAddress(email) === email)
}
