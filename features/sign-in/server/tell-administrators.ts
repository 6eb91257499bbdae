import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { type Letter, writeLetter } from '@pc/platform/mail/write-letter.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** More administrators than this are not told: the log names everything. */
const MAX_TOLD = 50

/** Whether a person of `users u` has accepted the invitation, or never needed one. Others get no letters about accounts. */
export const HAS_COME = sql<boolean>`(u.email_verified_at is not null or u.oidc_subject is not null
  or not exists (select from invitations i where i.uid = u.uid and i.accepted_at is null))`

/** Which of the organisations have an administrator who gets letters. New ones mostly have none. */
export async function organizationsWithAdministrators(
  tx: Transaction,
  organizationIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ organizationId: bigint }>`select distinct u.organization_id from users u
    join user_roles r on r.uid = u.uid and r.role_name = 'insight:publisher_admin'
    where u.enabled and u.organization_id = any(${[...new Set(organizationIds)]}::bigint[]) and ${HAS_COME}`.execute(tx)
  return new Set(rows.map(row => row.organizationId))
}

/**
 * The same letter to every administrator but the given people. A warning must arrive, so unconfirmed addresses get it too;
 * people who have not accepted their invitation do not.
 * @param organizationId the administrators of this publisher, instead of the system's
 */
export async function writeToAdministrators(
  tx: Transaction,
  exceptUids: readonly string[],
  letter: Pick<Letter, 'subject' | 'paragraphs'>,
  organizationId?: bigint,
): Promise<readonly Mail[]> {
  const administrators =
    organizationId === undefined
      ? peopleWithRoles(tx, ['admin', 'iam:admin'], { evenUnconfirmed: true })
      : peopleWithRoles(tx, ['insight:publisher_admin'], { organizationId, evenUnconfirmed: true })
  const people = await administrators
    .where('u.uid', 'not in', [...exceptUids])
    .where(HAS_COME)
    .limit(MAX_TOLD)
    .execute()
  return addressesOf(people).map(to => writeLetter({ ...letter, to }))
}
