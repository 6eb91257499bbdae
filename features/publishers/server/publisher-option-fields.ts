import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { listOrganizations, type OptionRow } from './publisher-option-store.ts'

/** The GraphQL type of an organisation's id and name, shared by several features. */
export function organizationType(graph: Graph) {
  return graph.objectRef<OptionRow>('Organization').implement({
    on: 'inherits',
    fields: t => ({ id: t.expose('id', { type: 'ID' }), name: t.exposeString('name') }),
  })
}
type OrganizationRef = ObjectTypeRef<OptionRow>

/** Adds the query `organizations` for filters: the organisations of publishers within the caller's scope. */
export function addPublisherOptionFields(
  graph: Graph,
  { database, Organization }: { readonly database: Database; readonly Organization: OrganizationRef },
): void {
  const OrganizationOptionList = organizationOptionList(graph, Organization)
  graph.queryField('organizations', t =>
    field(t, {
      type: OrganizationOptionList,
      args: { limit: t.arg.int({ required: true }), offset: t.arg.int({ required: true }), q: t.arg.string() },
      allow: 'read:list',
      on: 'insight:publisher.',
      resolve: (_parent, args, _context, permit) =>
        listOrganizations(database, readSearchWords(args.q), readPage(args), permit),
    }),
  )
}

function organizationOptionList(graph: Graph, Organization: OrganizationRef) {
  return graph.objectRef<{ total: number; nodes: OptionRow[] }>('OrganizationOptionList').implement({
    on: 'insight:publisher.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Organization] }) }),
  })
}
