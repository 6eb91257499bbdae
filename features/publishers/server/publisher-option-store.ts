import type { Permit } from '@pc/domain/access/decide.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { holdsWords } from '@pc/platform/postgres/page-of-ids.ts'
import { sql } from 'kysely'

export interface OptionRow {
  readonly id: bigint
  readonly name: string
}
type PublisherPermit = Permit<'read:list', 'insight:publisher.'>

/** The organisations of the publishers that the permit covers, by name. */
export function listOrganizations(
  database: Database,
  words: readonly string[],
  page: Page,
  permit: PublisherPermit,
): Promise<{ total: number; nodes: OptionRow[] }> {
  return database.inScope(permit.scope, async tx => {
    const { scope } = permit
    let rows = tx.selectFrom('organizations as o')
    if (scope.kind === 'self') rows = rows.where(sql<boolean>`false`)
    else if (scope.kind !== 'all') rows = rows.where('o.id', '=', scope.organizationId)
    if (words.length > 0) rows = rows.where(holdsWords(sql`o.search_text`, words))
    const nodes = await rows
      .select(['o.id', 'o.name'])
      .orderBy('o.name')
      .orderBy('o.id')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    return {
      total: await totalOf(
        nodes,
        page,
        rows.select(eb => eb.fn.countAll<bigint>().as('total')),
      ),
      nodes,
    }
  })
}

/** Every medium for staff; for publishers those that they have an agreement on. */
export function listMedia(database: Database, permit: Permit<'read:list', 'insight:agreement.'>): Promise<OptionRow[]> {
  return database.inScope(permit.scope, tx =>
    tx
      .selectFrom('media as m')
      .select(['m.id', 'm.name'])
      .$if(permit.scope.kind !== 'all', query =>
        query.where('m.id', 'in', eb =>
          eb.selectFrom('agreements as a').select('a.mediumId').where(agreementScope(permit)),
        ),
      )
      .orderBy('m.id')
      .execute(),
  )
}

/** The application's own wall; row-level security repeats it underneath. */
function agreementScope({ scope }: Permit) {
  switch (scope.kind) {
    case 'all':
      return sql<boolean>`true`
    case 'organization':
      return sql<boolean>`a.organization_id = ${scope.organizationId}`
    case 'agreements':
      return sql<boolean>`a.id in (select ua.agreement_id from user_agreements ua where ua.uid = ${scope.uid}::uuid)`
    case 'self':
      return sql<boolean>`false`
  }
}

/** A page that is not full ends the list, so its rows already tell the total. */
async function totalOf(
  nodes: readonly unknown[],
  page: Page,
  count: { executeTakeFirstOrThrow(): Promise<{ total: bigint }> },
): Promise<number> {
  if (nodes.length < page.limit && (nodes.length > 0 || page.offset === 0)) return page.offset + nodes.length
  return Number((await count.executeTakeFirstOrThrow()).total)
}
