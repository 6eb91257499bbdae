import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type RawBuilder, sql } from 'kysely'

/** Which rows belong to whom, as conditions of SQL. */
interface Owners {
  organization(id: bigint): RawBuilder<boolean>
  /** Of who works for some of an organisation's agreements. */
  agreements(uid: string): RawBuilder<boolean>
}

/** The application's own wall around the rows of a permit; row-level security repeats it underneath. */
export function ownRows({ scope }: { readonly scope: Scope }, owners: Owners): RawBuilder<boolean> {
  switch (scope.kind) {
    case 'all':
      return sql<boolean>`true`
    case 'organization':
      return owners.organization(scope.organizationId)
    case 'agreements':
      return owners.agreements(scope.uid)
    case 'self':
      return sql<boolean>`false`
  }
}

/** Of a table whose rows belong to one agreement each. */
export function isOfOwnAgreement(agreementId: RawBuilder<unknown>, uid: string): RawBuilder<boolean> {
  return sql<boolean>`${agreementId} in (
    select ua.agreement_id from user_agreements ua where ua.uid = ${uid}::uuid)`
}

/** Of publishers themselves: one that an own agreement has rules for. What has a medium too asks for the pair of both. */
export function isOfOwnPublisher(publisherId: RawBuilder<unknown>, uid: string): RawBuilder<boolean> {
  return sql<boolean>`${publisherId} in (select r.publisher_id from agreement_publisher_rules r
    join user_agreements ua on ua.agreement_id = r.agreement_id where ua.uid = ${uid}::uuid)`
}

/** Of a table whose rows have a publisher and a medium: an own agreement, which is of one medium, has rules for the two. */
export function isOfOwnPublisherOnMedium(
  publisherId: RawBuilder<unknown>,
  mediumId: RawBuilder<unknown>,
  uid: string,
): RawBuilder<boolean> {
  return sql<boolean>`(${publisherId}, ${mediumId}) in (select r.publisher_id, r.medium_id from agreement_publisher_rules r
    join user_agreements ua on ua.agreement_id = r.agreement_id where ua.uid = ${uid}::uuid)`
}

export function isOfPublisherIn(publisherId: RawBuilder<unknown>, organizationId: bigint): RawBuilder<boolean> {
  return sql<boolean>`${publisherId} in (
    select p.id from publishers p where p.organization_id = ${organizationId})`
}
