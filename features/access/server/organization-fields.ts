import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { createOrganization, deleteOrganization, updateOrganization } from './change-organization.ts'
import { findOrganization, listOrganizations, ORGANIZATION_ORDERS, type OrganizationRow } from './organization-store.ts'

const POSTAL_CODE = 'Seven digits, in any width, with or without a hyphen. Absent: as it is; empty: none.'
const ADDRESS = 'Where the payee lives or has its head office. Absent: as it is; empty: not known.'
const CONFIRMS_SAME_NAME = 'Without it, a name that another organisation has is refused.'

/** Organisations of the identity and access graph. */
export function addOrganizationFields(graph: Graph, { database }: { readonly database: Database }): void {
  const Organization = graph.objectRef<OrganizationRow>('Organization').implement({
    on: 'iam:org.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      postalCode: t.exposeString('postalCode', { description: 'As `100-0001`; empty: not known, or abroad.' }),
      address: t.exposeString('address', { description: 'Of the payee; its statements print it. Empty: not known.' }),
      userCount: t.exposeInt('userCount'),
      revision: t.exposeInt('revision'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })
  const OrganizationList = graph.objectRef<{ total: number; nodes: OrganizationRow[] }>('OrganizationList').implement({
    on: 'iam:org.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Organization] }) }),
  })
  const OrganizationsOrderBy = graph.enumType('OrganizationsOrderBy', { values: ORGANIZATION_ORDERS })
  graph.queryField('organization', t =>
    field(t, {
      type: Organization,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: 'iam:org.',
      resolve: async (_parent, { id }, _context, permit) =>
        (await findOrganization(database, readId(id, ['id']), permit)) ?? null,
    }),
  )
  graph.queryField('organizations', t =>
    field(t, {
      type: OrganizationList,
      args: {
        limit: t.arg.int({ defaultValue: 100 }),
        offset: t.arg.int({ defaultValue: 0 }),
        q: t.arg.string(),
        orderBy: t.arg({ type: OrganizationsOrderBy }),
      },
      allow: 'read:list',
      on: 'iam:org.',
      resolve: (_parent, args, _context, permit) =>
        listOrganizations(
          database,
          readSearchWords(args.q),
          args.orderBy ?? 'NAME_ASC',
          readPage({ limit: args.limit ?? 100, offset: args.offset ?? 0 }),
          permit,
        ),
    }),
  )
  graph.mutationField('createOrganization', t =>
    mutation(t, {
      type: Organization,
      args: {
        name: t.arg.string({ required: true }),
        postalCode: t.arg.string({ description: POSTAL_CODE }),
        address: t.arg.string({ description: ADDRESS }),
        confirmsSameName: t.arg.boolean({ description: CONFIRMS_SAME_NAME }),
      },
      allow: 'write:create',
      on: 'iam:org.',
      database,
      run: ({ confirmsSameName, ...sent }, write) =>
        createOrganization({ ...sent, confirmsSameName: confirmsSameName === true }, write),
    }),
  )
  graph.mutationField('updateOrganization', t =>
    mutation(t, {
      type: Organization,
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string({ required: true }),
        expectedRevision: t.arg.int({ description: 'What the editing began with; refused when it was changed since.' }),
        postalCode: t.arg.string({ description: POSTAL_CODE }),
        address: t.arg.string({ description: ADDRESS }),
        confirmsSameName: t.arg.boolean({ description: CONFIRMS_SAME_NAME }),
      },
      allow: 'write:update',
      on: 'iam:org.',
      database,
      run: ({ id, confirmsSameName, expectedRevision, ...sent }, write) =>
        updateOrganization(
          readId(id, ['id']),
          { ...sent, expectedRevision, confirmsSameName: confirmsSameName === true },
          write,
        ),
    }),
  )
  graph.mutationField('deleteOrganization', t =>
    mutation(t, {
      description: 'Refused while users, agreements or publishers belong to it; the refusal says how many.',
      type: Organization,
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: 'iam:org.',
      database,
      needsStepUp: true,
      run: ({ id }, write) => deleteOrganization(readId(id, ['id']), write),
    }),
  )
}
