import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { EntityName, FILTERS } from '@pc/domain/condition/entity-filter.ts'
import type { ArticleLabelFilter } from '@pc/domain/report/article-label.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { readLabelsOf } from './label-names.ts'

export type EntityIds = { readonly [Name in EntityName as (typeof FILTERS)[Name]]: readonly bigint[] | undefined }

/** The filter of a report; undefined values do not restrict. */
export interface EntityFilter extends EntityIds {
  /** Restricts the report to figures of articles that carry these labels. */
  readonly labels?: ArticleLabelFilter<bigint> | undefined
}

/** The id when the filter names exactly one, else null. */
export function onlyOne(ids: readonly bigint[] | undefined): bigint | null {
  return ids?.length === 1 ? ids[0]! : null
}

/** A combination of media and publishers; undefined: all of them. */
interface ScopeEntry {
  readonly mediumIds: readonly bigint[] | undefined
  readonly publisherIds: readonly bigint[] | undefined
}
export interface ReportScope {
  /** A report may sum only rows that match any entry. No entry: no row. */
  readonly entries: readonly ScopeEntry[]
  /** The media whose arrival of data the report reports, whether or not the viewer has rows there; undefined: all. */
  readonly mediumIds: readonly bigint[] | undefined
  /** Restricts rows to articles with these labels; `publisherIds` are the labels' publishers. Undefined: no restriction. */
  readonly labels?: { readonly ids: ArticleLabelFilter<bigint>; readonly publisherIds: readonly bigint[] }
}

/**
 * Translates the viewer's scope and the filter into media and publishers, which the statistics store knows. The store has
 * no row-level security, so this is the access check of reports. The lookups run under the viewer's scope: an id outside
 * it is not found and contributes nothing.
 * Tested by `features/reports/dashboard/server/summary-report.test.ts`.
 */
export async function readReportScope(reader: Reader, scope: Scope, filter: EntityFilter): Promise<ReportScope> {
  const [entities, labels] = await Promise.all([
    readEntityScope(reader, scope, filter),
    readLabelsOf(reader, filter.labels),
  ])
  if (!filter.labels) return entities
  const publisherIds = [...new Set([...labels.values()].flatMap(label => label.publisherId ?? []))]
  if (publisherIds.length === 0) return { ...entities, entries: [] }
  return { ...entities, labels: { ids: filter.labels, publisherIds } }
}

async function readEntityScope(reader: Reader, scope: Scope, filter: EntityFilter): Promise<ReportScope> {
  const { mediumIds, publisherIds, organizationIds } = filter
  switch (scope.kind) {
    case 'all':
      if (organizationIds === undefined) return { entries: [{ mediumIds, publisherIds }], mediumIds }
      return { entries: await readPublishers(reader, filter, undefined), mediumIds }
    case 'organization':
      return { entries: await readPublishers(reader, filter, scope.organizationId), mediumIds }
    case 'agreements':
      return readAgreementPublishers(reader, filter, scope.uid)
    case 'self':
      return { entries: [], mediumIds: [] }
  }
}

async function readPublishers(
  reader: Reader,
  { mediumIds, publisherIds, organizationIds }: EntityFilter,
  ownOrganizationId: bigint | undefined,
): Promise<readonly ScopeEntry[]> {
  if (organizationIds?.length === 0 || publisherIds?.length === 0) return []
  let query = reader.selectFrom('publishers').select('id').orderBy('id')
  if (ownOrganizationId !== undefined) query = query.where('organizationId', '=', ownOrganizationId)
  if (organizationIds) query = query.where('organizationId', 'in', organizationIds)
  if (publisherIds) query = query.where('id', 'in', publisherIds)
  const rows = await query.execute()
  return rows.length === 0 ? [] : [{ mediumIds, publisherIds: rows.map(row => row.id) }]
}

/** An editor sees a publisher only on the media of the agreements that the editor is assigned to. */
async function readAgreementPublishers(reader: Reader, filter: EntityFilter, uid: string): Promise<ReportScope> {
  const rows = await reader
    .selectFrom('userAgreements')
    .innerJoin('agreementPublisherRules', 'agreementPublisherRules.agreementId', 'userAgreements.agreementId')
    .innerJoin('publishers', 'publishers.id', 'agreementPublisherRules.publisherId')
    .select(['agreementPublisherRules.mediumId', 'agreementPublisherRules.publisherId', 'publishers.organizationId'])
    .distinct()
    .where('userAgreements.uid', '=', uid)
    .execute()
  const isChosen = (ids: readonly bigint[] | undefined, id: bigint) => ids === undefined || ids.includes(id)
  const ofMedia = rows.filter(row => isChosen(filter.mediumIds, row.mediumId))
  const publishersByMedium = Map.groupBy(
    ofMedia.filter(
      row => isChosen(filter.publisherIds, row.publisherId) && isChosen(filter.organizationIds, row.organizationId),
    ),
    row => row.mediumId,
  )
  return {
    entries: [...publishersByMedium].map(([mediumId, publishers]) => ({
      mediumIds: [mediumId],
      publisherIds: publishers.map(row => row.publisherId),
    })),
    mediumIds: [...new Set(ofMedia.map(row => row.mediumId))],
  }
}
