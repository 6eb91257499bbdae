import type { Role } from '@pc/domain/access/role.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../postgres/database.ts'
import { mailAddress } from './send-mail.ts'

/**
 * People who have one of the roles and can get emails: not disabled, and with an address that they have confirmed. Each
 * once, by address. The caller narrows it further (`u`: users), and hands the rows to {@link addressesOf}.
 * @param who `evenUnconfirmed`: for what must not be missed by somebody who was invited and has not come yet
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
 * The people of one organisation with one of the roles as a subquery, each once: whom `evenUnconfirmed` finds.
 * @param organizationId a column of the outer query
 */
export function uidsWithRoles(organizationId: RawBuilder<unknown>, roles: readonly Role[]): RawBuilder<unknown> {
  return sql`select u.uid from users u where u.organization_id = ${organizationId} and u.enabled
    and exists (select from user_roles r where r.uid = u.uid and r.role_name = any(${[...roles]}::text[]))`
}

/** The addresses that an email can be sent to: what no mail server would take is left out. */
export function addressesOf(people: readonly { readonly email: string }[]): readonly string[] {
  return [...new Set(people.map(person => person.email))].filter(email => mailAddress(email) === email)
}
