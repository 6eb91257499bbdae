import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type RawBuilder, sql } from 'kysely'

/** SQL conditions that say which rows of a table belong to a scope. */
interface Owners {
  organization(id: bigint): RawBuilder<boolean>
  /** For people who are limited to some agreements of their organisation. */
  agreements(uid: string): RawBuilder<boolean>
}

/** Restricts a query to the rows of a permit. Row-level security enforces the same rule again in the database. */
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

/** For a table whose rows belong to one agreement each. */
export function isOfOwnAgreement(agreementId: RawBuilder<unknown>, uid: string): RawBuilder<boolean> {
  return sql<boolean>`${agreementId} in (
    select ua.agreement_id from user_agreements ua where ua.uid = ${uid}::uuid)`
}

/**
 * For publishers: one of the person's agreements has rules for it. For rows with publisher and medium use {@link
 * isOfOwnPublisherOnMedium}.
 */
export function isOfOwnPublisher(publisherId: RawBuilder<unknown>, uid: string): RawBuilder<boolean> {
  return sql<boolean>`${publisherId} in (select r.publisher_id from agreement_publisher_rules r
    join user_agreements ua on ua.agreement_id = r.agreement_id where ua.uid = ${uid}::uuid)`
}

/**
 * For a table whose rows have a publisher and a medium: one of the person's agreements, which is about one medium, has
 * rules for the pair.
 */
export function isOfOwnPublisherOnMedium(
  publisherId: RawBuilder<unknown>,
  mediumId: RawBuilder<unknown>,
  uid: string,
): RawBuilder<boolean> {
  return sql<boolean>`(${publisherId}, ${mediumId}) in (select r.publisher_id, r.medium_id from agreement_publisher_rules r
    join user_agreements ua on ua.agreement_id = r.agreement_id where ua.uid = ${uid}::uuid)`
}

/** Condition: the publisher belongs to the organisation. */
export function isOfPublisherIn(publisherId: RawBuilder<unknown>, organizationId: bigint): RawBuilder<boolean> {
  return sql<boolean>`${publisherId} in (
    select p.id from publishers p where p.organization_id = ${organizationId})`
}
