import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { type Email, renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** At most this many administrators are emailed; the audit log has everything. */
const MAX_NOTIFIED = 50

/**
 * Whether a person of `users u` has accepted the invitation or never needed one. Others get no emails about accounts.
 */
export const HAS_COME = sql<boolean>`(u.email_verified_at is not null or u.oidc_subject is not null
  or not exists (select from invitations i where i.uid = u.uid and i.accepted_at is null))`

export interface Administrator {
  readonly uid: string
  readonly email: string
}

/**
 * Administrators of the system, to whom warnings go. Unconfirmed addresses are included, because a warning must arrive;
 * people who have not accepted their invitation are not.
 */
export async function systemAdministrators(
  tx: Transaction,
  exceptUids: readonly string[],
): Promise<readonly Administrator[]> {
  return peopleWithRoles(tx, ['admin', 'iam:admin'], { evenUnconfirmed: true })
    .where('u.uid', 'not in', [...exceptUids])
    .where(HAS_COME)
    .limit(MAX_NOTIFIED)
    .execute()
}

/** Like {@link systemAdministrators}, for publishers. A new publisher usually has none. */
export async function publisherAdministrators(
  tx: Transaction,
  organizationIds: readonly bigint[],
  exceptUid: string,
): Promise<readonly (Administrator & { readonly organizationId: bigint })[]> {
  if (organizationIds.length === 0) return []
  const { rows } = await sql<Administrator & { organizationId: bigint }>`select uid, email, organization_id from (
      select u.uid::text as uid, u.email, u.organization_id,
        row_number() over (partition by u.organization_id order by u.email) as place
      from users u where exists (select from user_roles r
          where r.uid = u.uid and r.role_name = any(${rolesOf('publisher', 'administers')}::text[]))
        and u.enabled and u.uid <> ${exceptUid}::uuid and u.organization_id = any(${[...organizationIds]}::bigint[])
        and ${HAS_COME}) administrators
    where place <= ${MAX_NOTIFIED} order by organization_id, place`.execute(tx)
  return rows
}

/** The same email to every administrator of the system except the given people. */
export async function writeToAdministrators(
  tx: Transaction,
  exceptUids: readonly string[],
  message: Pick<Email, 'subject' | 'paragraphs'>,
): Promise<readonly Mail[]> {
  const people = await systemAdministrators(tx, exceptUids)
  return addressesOf(people).map(to => renderEmail({ ...message, to }))
}
