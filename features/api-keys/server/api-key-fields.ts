import { API_KEY_SCOPES, API_KEY_STATES } from '@pc/domain/api-key/api-key.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type ApiKeyPage, type ApiKeyRow, listApiKeys } from './api-key-store.ts'
import { type ApiKeyDependencies, type CreatedApiKey, createApiKey, revokeApiKey } from './create-api-key.ts'

export interface ApiKeyFieldDependencies extends ApiKeyDependencies {
  readonly database: Database
  /** Origin of the API that programs call. */
  readonly apiOrigin: string
}
const ON = 'insight:api_key.'

/** `apiKeys`, `createApiKey` and `revokeApiKey`. */
export function addApiKeyFields(graph: Graph, dependencies: ApiKeyFieldDependencies): void {
  const { database, clock } = dependencies
  const { ApiKey, List, Created, Input } = apiKeyTypes(graph, dependencies)
  graph.queryField('apiKeys', t =>
    field(t, {
      type: List,
      allow: 'read:list',
      on: ON,
      description: 'Those of the own organisation; for staff those of all. What has not ended comes first.',
      args: { limit: t.arg.int({ required: true }), offset: t.arg.int({ required: true }) },
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, tx => listApiKeys(tx, permit, readPage(args), clock.now()), { readOnly: true }),
    }),
  )
  graph.mutationField('createApiKey', t =>
    mutation(t, {
      type: Created,
      allow: 'write:create',
      on: ON,
      database,
      needsStepUp: true,
      description: 'Of the own organisation. The answer is the only one that ever has the secret.',
      args: { input: t.arg({ type: Input, required: true }) },
      run: ({ input }, write) => createApiKey({ ...input, addresses: input.addresses ?? [] }, dependencies, write),
      keptAnswer: created => ({ ...created, secret: null }),
    }),
  )
  graph.mutationField('revokeApiKey', t =>
    mutation(t, {
      type: ApiKey,
      allow: 'write:delete',
      on: ON,
      database,
      description: 'Ends it for good, from the next request on.',
      args: { id: t.arg.id({ required: true }) },
      run: ({ id }, write) => revokeApiKey(readId(id, ['id']), dependencies, write),
    }),
  )
}

function apiKeyTypes(graph: Graph, { apiOrigin }: Pick<ApiKeyFieldDependencies, 'apiOrigin'>) {
  const Scope = graph.enumType('ApiKeyScope', {
    values: API_KEY_SCOPES,
    description: 'reports: figures of publishers, articles and videos. payments: final payments and statements.',
  })
  const State = graph.enumType('ApiKeyState', {
    values: API_KEY_STATES,
    description:
      'ending: it works, and ends within two weeks. stopped: its maker does not keep keys of this organisation any more.',
  })
  const ApiKey = graph.objectRef<ApiKeyRow>('ApiKey').implement({
    on: ON,
    description: 'With which a program of an organisation reads its data.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      organizationName: t.exposeString('organizationName'),
      name: t.exposeString('name'),
      secretEnd: t.exposeString('secretEnd', { description: 'The last four characters.' }),
      scopes: t.field({ type: [Scope], resolve: row => [...row.scopes] }),
      state: t.expose('state', { type: State }),
      createdByEmail: t.exposeString('createdByEmail', {
        nullable: true,
        description: 'In whose name it reads; null when there is no such person any more.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
      requestCount: t.expose('requestCount', { type: 'Long', description: 'Up to about a minute ago.' }),
      lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
      lastUsedFrom: t.exposeString('lastUsedFrom', {
        nullable: true,
        description: 'The address; of IPv6 the network (/64).',
      }),
      allowedAddresses: t.stringList({
        description: 'From where it may be used; empty: from everywhere.',
        resolve: row => [...row.allowedAddresses],
      }),
      refusedAt: t.expose('refusedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'The last use from an address that is not allowed; it was refused.',
      }),
      refusedFrom: t.exposeString('refusedFrom', { nullable: true }),
    }),
  })
  const List = graph.objectRef<ApiKeyPage>('ApiKeyList').implement({
    on: ON,
    fields: t => ({
      total: t.exposeInt('total'),
      nodes: t.field({ type: [ApiKey], resolve: page => [...page.nodes] }),
    }),
  })
  const Created = graph.objectRef<CreatedApiKey>('CreatedApiKey').implement({
    on: ON,
    fields: t => ({
      apiKey: t.expose('apiKey', { type: ApiKey }),
      address: t.string({ description: 'Where to send queries.', resolve: () => `${apiOrigin}/query` }),
      secret: t.exposeString('secret', {
        nullable: true,
        description:
          'Null in the answer to a repetition (same idempotencyKey): it is kept nowhere. Revoke the key then.',
      }),
    }),
  })
  const Input = graph.inputType('ApiKeyInput', {
    fields: t => ({
      name: t.string({ required: true }),
      scopes: t.field({ type: [Scope], required: true }),
      days: t.int({ required: true, description: 'How long it works: 30, 90 or 365.' }),
      addresses: t.stringList({
        description: 'IP addresses and ranges (CIDR) from where it may be used, 20 at most. Default: from everywhere.',
      }),
    }),
  })
  return { ApiKey, List, Created, Input }
}
