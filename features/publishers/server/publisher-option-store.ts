import type { Permit } from '@pc/domain/access/decide.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { holdsWords, inOrderOf, pageOfIds } from '@pc/platform/postgres/page-of-ids.ts'
import { sql } from 'kysely'

export interface OptionRow {
  readonly id: bigint
  readonly name: string
}
type PublisherPermit = Permit<'read:list', 'insight:publisher.'>

/** Order by name. In a search, names that begin with the first word come first, ignoring a legal form such as 株式会社. */
function firstByBeginning([word]: readonly string[]) {
  if (word === undefined) return sql`o.name`
  return sql`case when regexp_replace(o.search_text, '^(株式会社|有限会社|合同会社|一般社団法人|一般財団法人)', '')
    ^@ ${word} or o.search_text ^@ ${word} then '0' else '1' end || o.name`
}

/** The organisations of the publishers that the permit covers, by name. */
export function listOrganizations(
  database: Database,
  words: readonly string[],
  page: Page,
  permit: PublisherPermit,
): Promise<{ total: number; nodes: OptionRow[] }> {
  return database.inScope(permit.scope, async tx => {
    const { scope } = permit
    const own =
      scope.kind === 'all'
        ? sql<boolean>`true`
        : scope.kind === 'self'
          ? sql<boolean>`false`
          : sql<boolean>`o.id = ${scope.organizationId}`
    const { total, ids } = await pageOfIds(tx, {
      from: sql`organizations o`,
      id: sql`o.id`,
      where: [own],
      search: words.length === 0 ? undefined : { holds: holdsWords(sql`o.search_text`, words) },
      order: firstByBeginning(words),
      direction: 'ASC',
      ...page,
    })
    if (ids.length === 0) return { total, nodes: [] }
    const rows = await tx.selectFrom('organizations').select(['id', 'name']).where('id', 'in', ids).execute()
    return { total, nodes: inOrderOf(ids, rows, row => row.id) }
  })
}
