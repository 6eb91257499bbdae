import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { readMatchingItems } from '../../core/server/content-filter.ts'
import type { ContentQuery } from '../../core/server/content-statements.ts'
import { readLabelsOf } from '../../core/server/label-filter.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import type { ContentRequest } from './content-request.ts'

interface ContentScope {
  readonly query: ContentQuery
  /** Nothing can fit: no statement is needed. */
  readonly isEmpty: boolean
}

/** The rows that a request is about among those of the viewer, as the statistics store knows them. */
export async function readContentScope(
  database: Database,
  viewerScope: Scope,
  { kind, range, filter, master, labels, itemIds }: ContentRequest,
): Promise<ContentScope> {
  const reader = database.reader(viewerScope)
  const [scope, matching, seen] = await Promise.all([
    readReportScope(reader, viewerScope, filter),
    readMatchingItems(database, viewerScope, kind, master),
    readLabelsOf(reader, labels),
  ])
  const ids = both(itemIds, matching)
  const publishers = [...new Set([...seen.values()].flatMap(label => label.publisherId ?? []))]
  return {
    query: {
      ...{ kind, range, scope, itemIds: ids, labels },
      ...(labels ? { knownPublisherIds: publishers } : {}),
    },
    isEmpty: scope.entries.length === 0 || ids?.length === 0 || (labels !== undefined && publishers.length === 0),
  }
}

/** What two filters leave; undefined does not restrict. */
function both(one: readonly bigint[] | undefined, other: readonly bigint[] | undefined): readonly bigint[] | undefined {
  if (!one || !other) return one ?? other
  const known = new Set(other)
  return one.filter(id => known.has(id))
}
