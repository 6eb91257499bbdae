import { seesRows } from '@pc/domain/access/role-duties.ts'
import type { Person } from '@pc/domain/access/user-changes.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export type AgreementRefusal = Refusal<'user/agreement-not-found' | 'user/agreements-need-editor'>

/** The organisations of agreements, as far as the transaction may see them. */
export async function organizationsOfAgreements(
  tx: Transaction,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; organizationId: bigint }>`select id, organization_id from agreements
    where id = any(${[...new Set(ids)]}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]))
}

/**
 * Agreements are assigned only to people whose role is limited to them, and only agreements of their organisation.
 * Tested by `features/users/server/people.test.ts`.
 */
export function refuseAgreements(
  person: Pick<Person, 'roles' | 'organizationId'>,
  agreementIds: readonly bigint[],
  organizationOf: ReadonlyMap<bigint, bigint>,
): AgreementRefusal | undefined {
  if (agreementIds.length === 0) return undefined
  if (!seesRows(person.roles, 'agreements')) return refusal('user/agreements-need-editor', ['agreementIds'])
  const areOwn =
    person.organizationId !== null && agreementIds.every(id => organizationOf.get(id) === person.organizationId)
  return areOwn ? undefined : refusal('user/agreement-not-found', ['agreementIds'])
}

/** Replaces the assigned agreements. {@link refuseAgreements} must have allowed them. */
export async function replaceAgreements(
  tx: Transaction,
  people: readonly { readonly uid: string; readonly agreementIds: readonly bigint[] }[],
): Promise<void> {
  if (people.length === 0) return
  await sql`delete from user_agreements where uid = any(${people.map(({ uid }) => uid)}::uuid[])`.execute(tx)
  await insertAgreements(tx, people)
}

/** Adds assigned agreements, each once. {@link refuseAgreements} must have allowed them. */
export async function insertAgreements(
  tx: Transaction,
  people: readonly { readonly uid: string; readonly agreementIds: readonly bigint[] }[],
): Promise<void> {
  const rows = people.flatMap(({ uid, agreementIds }) => [...new Set(agreementIds)].map(id => ({ uid, id })))
  if (rows.length === 0) return
  await sql`insert into user_agreements (uid, agreement_id) select * from unnest(
    ${rows.map(({ uid }) => uid)}::uuid[], ${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
}
