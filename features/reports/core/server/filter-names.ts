import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { FILTERS } from '@pc/domain/condition/entity-filter.ts'
import { FILTER_NOUNS } from '@pc/domain/condition/filter-conversions.ts'
import { ARTICLE_LABEL_KINDS, ARTICLE_LABEL_NOUNS, NO_LABEL } from '@pc/domain/report/article-label.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { readLabelsOf } from './label-names.ts'
import type { EntityFilter } from './report-scope.ts'

const TABLES = {
  mediumId: 'media',
  organizationId: 'organizations',
  publisherId: 'publishers',
  feedId: 'feeds',
} as const
const NAMED = ['mediumId', 'organizationId', 'publisherId', 'feedId'] as const

interface FilterNames {
  readonly noun: string
  readonly ids: readonly bigint[]
  /** By id, ascending; only those that the scope sees. */
  readonly names: ReadonlyMap<bigint, string>
}

/** The names of the entities in a filter, for texts that describe it. */
export async function readFilterNames(
  database: Database,
  scope: Scope,
  filter: EntityFilter & { readonly feedIds?: readonly bigint[] | undefined },
): Promise<readonly FilterNames[]> {
  const restricted = NAMED.flatMap(name => {
    const ids = filter[FILTERS[name]]
    return ids === undefined ? [] : [{ name, ids }]
  })
  if (restricted.length === 0 && !filter.labels) return []
  return database.inScope(scope, async tx => {
    const found: FilterNames[] = []
    for (const { name, ids } of restricted) {
      const query = tx.selectFrom(TABLES[name]).select(['id', 'name']).orderBy('id')
      const rows = ids.length === 0 ? [] : await query.where('id', 'in', ids).execute()
      found.push({ noun: FILTER_NOUNS[name], ids, names: new Map(rows.map(row => [row.id, row.name])) })
    }
    const labels = await readLabelsOf(tx, filter.labels)
    for (const kind of ARTICLE_LABEL_KINDS) {
      const ids = filter.labels?.[kind]
      if (!ids) continue
      const names = ids.flatMap(id => (labels.has(id) ? [[id, labels.get(id)!.name ?? NO_LABEL] as const] : []))
      found.push({ noun: ARTICLE_LABEL_NOUNS[kind], ids, names: new Map(names) })
    }
    return found
  })
}
