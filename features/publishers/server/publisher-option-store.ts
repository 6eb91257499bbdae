import type { Permit } from '@pc/domain/access/decide.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface PublisherRow {
  readonly id: bigint
  readonly name: string
  readonly enabled: boolean
  readonly organizationId: bigint
}
export interface OptionRow {
  readonly id: bigint
  readonly name: string
}
export interface PublisherFilter {
  readonly organizationId?: bigint | undefined
  readonly enabled?: boolean | undefined
  /** Pattern of a LIKE, wildcards escaped. */
  readonly pattern?: string | undefined
}
type PublisherPermit = Permit<'read:list', 'insight:publisher.'>

/** Publishers within the rows of the permit, by name. */
export function listPublishers(
  database: Database,
  filter: PublisherFilter,
  page: Page,
  permit: PublisherPermit,
): Promise<{ total: number; nodes: PublisherRow[] }> {
  return database.inScope(permit.scope, async tx => {
    let rows = tx.selectFrom('publishers as p').where(publisherScope(permit))
    if (filter.organizationId !== undefined) rows = rows.where('p.organizationId', '=', filter.organizationId)
    if (filter.enabled !== undefined) rows = rows.where('p.enabled', '=', filter.enabled)
    if (filter.pattern !== undefined) rows = rows.where('p.name', 'ilike', filter.pattern)
    const nodes = await rows
      .select(['p.id', 'p.name', 'p.enabled', 'p.organizationId'])
      .orderBy('p.name')
      .orderBy('p.id')
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

/** The organisations of the publishers that the permit covers, by name. */
export function listOrganizations(
  database: Database,
  pattern: string | undefined,
  page: Page,
  permit: PublisherPermit,
): Promise<{ total: number; nodes: OptionRow[] }> {
  return database.inScope(permit.scope, async tx => {
    const { scope } = permit
    let rows = tx.selectFrom('organizations as o')
    if (scope.kind === 'self') rows = rows.where(sql<boolean>`false`)
    else if (scope.kind !== 'all') rows = rows.where('o.id', '=', scope.organizationId)
    if (pattern !== undefined) rows = rows.where('o.name', 'ilike', pattern)
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
function publisherScope({ scope }: Permit) {
  switch (scope.kind) {
    case 'all':
      return sql<boolean>`true`
    case 'organization':
      return sql<boolean>`p.organization_id = ${scope.organizationId}`
    case 'agreements':
      return sql<boolean>`p.id in (select r.publisher_id from agreement_publisher_rules r
        join user_agreements ua on ua.agreement_id = r.agreement_id where ua.uid = ${scope.uid}::uuid)`
    case 'self':
      return sql<boolean>`false`
  }
}

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
