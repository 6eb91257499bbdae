import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { MAX_SENT_BYTES } from '@pc/domain/sent-size.ts'
import {
  executeRootSelectionSet,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  validateExecutionArgs,
} from 'graphql'
import { HttpError } from '../http/http-error.ts'
import type { Handler, RequestInfo } from '../http/listener.ts'
import { parseJson, storable } from '../http/parse-json.ts'
import { demandJson, readBody } from '../http/read-body.ts'
import type { Log } from '../log.ts'
import { isDatabaseUnavailable } from '../postgres/translate-sql-state.ts'
import { inRequestScope } from '../request-scope.ts'
import { withSignal } from '../request-signal.ts'
import { answerErrors, masked, originOf } from './answer-errors.ts'
import { isOutdatedClient, outdatedClientError } from './client-version.ts'
import type { GraphContext } from './graph.ts'
import { accessErrorOf, type GraphqlRequest, OperationPreparer } from './prepare-operation.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8'

/**
 * Identifies the caller by the Authorization header. Null: no valid bearer token. `refused-key`: an API key that is
 * wrong, expired, revoked or used from another address.
 */
export type Authenticate = (
  authorization: string | undefined,
  sourceAddress: string,
) => Promise<Viewer | null | 'refused-key'>

export interface QueryEndpoint {
  readonly schema: GraphQLSchema
  readonly log: Log
  readonly authenticate: Authenticate
  /** The address of the caller, behind the proxies that are trusted. */
  readonly sourceAddress: (request: IncomingMessage) => string
  /** Older clients are told to reload; undefined: all versions are accepted. */
  readonly minimumClientVersion: string | undefined
}

interface Answer {
  readonly errors?: readonly unknown[]
  readonly data?: unknown
}

/**
 * `POST /query`: GraphQL over HTTP, restricted to one JSON operation per request, without GET, forms, batches or
 * cookies. The bearer token alone identifies the caller. An invalid token counts as none, and the guard then answers
 * UNAUTHENTICATED.
 */
export function queryHandler(endpoint: QueryEndpoint): Handler {
  const preparer = new OperationPreparer(endpoint.schema)
  return async (request, response, info) => {
    if (request.method !== 'POST')
      throw new HttpError(405, 'method-not-allowed', { data: { allowed: 'POST' }, headers: { allow: 'POST, OPTIONS' } })
    const type = answerType(request)
    demandJson(request)
    const requested = readRequest(parseJson(await readBody(request, MAX_SENT_BYTES)))
    if (isOutdatedClient(request.headers['x-client-version'], endpoint.minimumClientVersion)) {
      return send(response, type, true, { errors: [outdatedClientError()] })
    }
    const sourceAddress = endpoint.sourceAddress(request)
    const caller = await endpoint.authenticate(request.headers.authorization, sourceAddress)
    const context = {
      viewer: caller === 'refused-key' ? null : caller,
      hasRefusedKey: caller === 'refused-key',
      requestId: info.requestId,
      sourceAddress,
      signal: info.signal,
      permits: new Map(),
    }
    const { isRequestError, answer } = await run(endpoint, preparer, requested, context, info)
    info.notes.set('graphql.outcome', answer.errors ? 'errors' : 'ok')
    send(response, type, isRequestError, answer)
  }
}

async function run(
  endpoint: QueryEndpoint,
  preparer: OperationPreparer,
  requested: GraphqlRequest,
  context: GraphContext,
  info: RequestInfo,
): Promise<{ isRequestError: boolean; answer: Answer }> {
  const edge = {
    requestId: context.requestId,
    log: endpoint.log,
    uid: context.viewer?.uid ?? null,
    apiKeyId: context.viewer?.apiKey?.id,
    sourceAddress: context.sourceAddress,
  }
  const refuse = (errors: readonly GraphQLError[]) => ({
    isRequestError: true,
    answer: { errors: answerErrors(errors, edge) },
  })
  const prepared = preparer.prepare(requested, context)
  if (!prepared.ok) return refuse(prepared.errors)
  const { document, operation } = prepared.value
  info.notes.set('graphql.field', firstFieldOf(operation, endpoint.schema))
  const checked = validateExecutionArgs({
    schema: endpoint.schema,
    document,
    contextValue: context,
    variableValues: requested.variables,
    operationName: requested.operationName ?? null,
    hideSuggestions: true,
    abortSignal: info.signal,
  })
  if (!('schema' in checked)) {
    const denial = accessErrorOf(endpoint.schema, document, operation, context)
    return refuse(denial ? [denial] : checked)
  }
  try {
    const execute = () => withSignal(info.signal, () => executeRootSelectionSet(checked))
    // In the scope of a query, all statistics come from one published state, and a publication waits until the answer
    // is complete. A mutation may publish itself: in such a scope it would wait for its own end.
    const result = await (operation.operation === 'query' ? inRequestScope(execute) : execute())
    demandDatabase(result)
    const errors = result.errors && answerErrors(result.errors, edge)
    return { isRequestError: false, answer: { ...(errors ? { errors } : {}), data: result.data } }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    if (!info.signal.aborted) endpoint.log.error({ err: error, requestId: context.requestId }, 'fault in execution')
    return { isRequestError: false, answer: { errors: [masked(context.requestId)], data: null } }
  }
}

/**
 * Rethrows a connection error when it left no data in the answer: the listener then answers 503 with Retry-After.
 * @throws the database error
 */
function demandDatabase({ errors, data }: { readonly errors?: readonly GraphQLError[]; readonly data?: unknown }) {
  const isEmpty = Object.values(data ?? {}).every(value => value === null)
  const lost = isEmpty && errors?.map(originOf).find(isDatabaseUnavailable)
  if (lost) throw lost
}

/** The first root field, for metrics. Always a name of the schema, so that callers cannot create new labels. */
function firstFieldOf(operation: OperationDefinitionNode, schema: GraphQLSchema): string {
  const [first] = operation.selectionSet.selections
  const root = schema.getRootType(operation.operation)
  const name = first?.kind === Kind.FIELD ? first.name.value : undefined
  return name !== undefined && root?.getFields()[name] ? name : 'other'
}

function readRequest(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw new HttpError(400, 'batch-not-accepted')
  if (!isRecord(body)) throw new HttpError(400, 'body-not-object')
  const { query, operationName, variables, extensions } = body
  if (typeof query !== 'string' || query === '') throw new HttpError(400, 'query-missing')
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw new HttpError(400, 'operation-name-not-text')
  }
  if (variables !== undefined && variables !== null && !isRecord(variables))
    throw new HttpError(400, 'variables-not-object')
  if (extensions !== undefined && extensions !== null && !isRecord(extensions))
    throw new HttpError(400, 'extensions-not-object')
  // A NUL in an escape: PostgreSQL cannot store it, and no ordinary client sends one.
  if (/\\u(0000|\{0+\})/.test(query)) throw new HttpError(400, 'query-has-nul')
  return { query, operationName: operationName || undefined, variables: storable(variables ?? {}) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Content negotiation of GraphQL over HTTP: the newer media type when the caller accepts it, otherwise plain JSON. */
function answerType(request: IncomingMessage): string {
  const accepted = (request.headers.accept ?? '*/*').toLowerCase()
  if (accepted.includes('application/graphql-response+json')) return GRAPHQL_TYPE
  if (/application\/(json|\*)|\*\/\*/.test(accepted)) return JSON_TYPE
  throw new HttpError(406, 'answer-not-acceptable')
}

/**
 * As `application/json` every well-formed request is answered 200; the newer media type uses 400 for a request error.
 */
function send(response: ServerResponse, type: string, isRequestError: boolean, answer: Answer): void {
  if (response.headersSent) return // timed out meanwhile
  const body = Buffer.from(JSON.stringify(answer))
  const status = isRequestError && type === GRAPHQL_TYPE ? 400 : 200
  response.writeHead(status, { 'content-type': type, 'content-length': body.length })
  response.end(body)
}
