import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { joined, none, type Sql, sql } from '@pc/platform/stats/sql.ts'

/** What a report was asked for; undefined: not restricted. */
export interface EntityFilter {
  readonly mediumIds: readonly bigint[] | undefined
  readonly organizationIds: readonly bigint[] | undefined
  readonly publisherIds: readonly bigint[] | undefined
}

/** Publishers of one medium; of every medium when `mediumIds` is undefined. */
interface Rows {
  readonly mediumIds: readonly bigint[] | undefined
  readonly publisherIds: readonly bigint[] | undefined
}
/** Which rows of the statistics a report may sum: those that fit any of the entries. No entry: no row. */
export type ReportScope = readonly Rows[]

/**
 * Turns the viewer's rows and the filter into what the statistics store knows: media and publishers. The statistics
 * store has no row-level security of its own, so this is the wall; the reads run under the viewer's scope, so an id
 * that the viewer may not see is simply not found and contributes nothing.
 */
export async function readReportScope(tx: Transaction, scope: Scope, filter: EntityFilter): Promise<ReportScope> {
  switch (scope.kind) {
    case 'all':
      if (filter.organizationIds === undefined) return [filter]
      return readPublishers(tx, filter, undefined)
    case 'organization':
      return readPublishers(tx, filter, scope.organizationId)
    case 'agreements':
      return readAgreementPublishers(tx, filter, scope.uid)
    case 'self':
      return []
  }
}

async function readPublishers(
  tx: Transaction,
  filter: EntityFilter,
  organizationId: bigint | undefined,
): Promise<ReportScope> {
  const { organizationIds, publisherIds, mediumIds } = filter
  if (organizationIds?.length === 0 || publisherIds?.length === 0) return []
  let query = tx.selectFrom('publishers').select('id').orderBy('id')
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  if (organizationIds) query = query.where('organizationId', 'in', organizationIds)
  if (publisherIds) query = query.where('id', 'in', publisherIds)
  const rows = await query.execute()
  return rows.length === 0 ? [] : [{ mediumIds, publisherIds: rows.map(row => row.id) }]
}

/** A publisher's editor sees a publisher only on the media of the agreements that the editor works for. */
async function readAgreementPublishers(tx: Transaction, filter: EntityFilter, uid: string): Promise<ReportScope> {
  const { organizationIds, publisherIds, mediumIds } = filter
  if ([organizationIds, publisherIds, mediumIds].some(ids => ids?.length === 0)) return []
  let query = tx
    .selectFrom('userAgreements')
    .innerJoin('agreementPublisherRules', 'agreementPublisherRules.agreementId', 'userAgreements.agreementId')
    .innerJoin('publishers', 'publishers.id', 'agreementPublisherRules.publisherId')
    .select(['agreementPublisherRules.mediumId', 'agreementPublisherRules.publisherId'])
    .distinct()
    .where('userAgreements.uid', '=', uid)
    .orderBy('agreementPublisherRules.mediumId')
    .orderBy('agreementPublisherRules.publisherId')
  if (organizationIds) query = query.where('publishers.organizationId', 'in', organizationIds)
  if (publisherIds) query = query.where('publishers.id', 'in', publisherIds)
  if (mediumIds) query = query.where('agreementPublisherRules.mediumId', 'in', mediumIds)
  const publishersByMedium = new Map<bigint, bigint[]>()
  for (const { mediumId, publisherId } of await query.execute()) {
    publishersByMedium.set(mediumId, [...(publishersByMedium.get(mediumId) ?? []), publisherId])
  }
  return [...publishersByMedium].map(([mediumId, ids]) => ({ mediumIds: [mediumId], publisherIds: ids }))
}

/** The condition on `medium_id` and `publisher_id`, to be appended to another condition. */
export function inReportScope(scope: ReportScope): Sql {
  const conditions = scope.map(({ mediumIds, publisherIds }) => {
    const parts: Sql[] = []
    if (mediumIds) parts.push(sql`medium_id in ${mediumIds}`)
    if (publisherIds) parts.push(sql`publisher_id in ${publisherIds}`)
    return parts.length === 0 ? undefined : joined(parts, sql` and `)
  })
  if (conditions.length === 0) return sql` and 1 = 0`
  const restrictions = conditions.filter(condition => condition !== undefined)
  if (restrictions.length < conditions.length) return none
  return sql` and ((${joined(restrictions, sql`) or (`)}))`
}

/** The media of a report's rows; undefined: every medium. */
export function mediaOf(scope: ReportScope): readonly bigint[] | undefined {
  if (scope.some(rows => rows.mediumIds === undefined)) return undefined
  return [...new Set(scope.flatMap(rows => rows.mediumIds ?? []))]
}
