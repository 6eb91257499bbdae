import type { ApolloClient, DocumentNode } from '@apollo/client'
import { addTypenameToDocument, print } from '@apollo/client/utilities'

interface Prefetched {
  readonly address: string
  readonly answer: Promise<Response>
}
const withTypename = new WeakMap<DocumentNode, DocumentNode>()

/** The document as it is sent. The clients' caches use the same object, so it is traversed and printed only once. */
function sentDocument(document: DocumentNode): DocumentNode {
  const known = withTypename.get(document)
  if (known) return known
  const sent = addTypenameToDocument(document)
  withTypename.set(document, sent)
  return sent
}

/** The query text, printed once for each document. Call it early to prepare it. */
export function textOf(document: DocumentNode): string {
  return print(sentDocument(document))
}

/** Answers by operation and variables. */
const prefetched = new Map<string, Prefetched>()
/** The clients that take prefetched answers, from their creation until the first screen has rendered. */
let clients: readonly ApolloClient[] = []

export interface PrefetchedQuery {
  readonly address: string
  readonly name: string
  readonly document: DocumentNode
  readonly variables: Readonly<Record<string, unknown>>
}

const keyOf = (name: unknown, variables: unknown) => `${String(name)} ${JSON.stringify(variables ?? {})}`

/**
 * Sends a query before the GraphQL client is loaded, exactly as the client would send it. The client takes the answer
 * when it sends the same query (`fetchOrTakePrefetched`).
 * @returns a copy of the answer; undefined when the client already exists and sends the query itself
 * @throws what `fetch` throws
 */
export async function prefetch(
  query: PrefetchedQuery,
  headers: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  if (clients.length > 0) return undefined
  const { address, name, variables, document } = query
  const answer = fetch(address, {
    method: 'POST',
    credentials: 'include',
    headers: {
      accept: 'application/graphql-response+json,application/json;q=0.9',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ operationName: name, variables, query: textOf(document) }),
  })
  prefetched.set(keyOf(name, variables), { address, answer })
  return (await answer).clone()
}

/** The GraphQL client's `fetch`: uses a prefetched answer once, and sends every other query. */
export const fetchOrTakePrefetched: typeof fetch = (address, init) => {
  if (prefetched.size === 0 || typeof init?.body !== 'string') return fetch(address, init)
  const { operationName, variables } = JSON.parse(init.body) as { operationName?: unknown; variables?: unknown }
  const key = keyOf(operationName, variables)
  const before = prefetched.get(key)
  if (before?.address !== address) return fetch(address, init)
  prefetched.delete(key)
  return before.answer
}

/** Whether an answer to this query was prefetched and is not yet used. */
export function isPrefetched(name: string, variables: PrefetchedQuery['variables']): boolean {
  return prefetched.has(keyOf(name, variables))
}

/** Ends the start for a first screen without a query, which never reports that it has rendered. */
const MAX_START_MS = 10_000

/**
 * From now on these clients send queries. Until the first screen has rendered they use their caches, which were filled
 * a moment ago.
 */
export function closePrefetch(given: readonly ApolloClient[]): void {
  clients = given
  for (const client of clients) {
    client.prioritizeCacheValues = true
    client.cache.transformDocument = sentDocument
  }
  setTimeout(firstScreenIsDrawn, MAX_START_MS)
}

/** Later screens send their queries. Prefetched answers that are still unused would be out of date. */
export function firstScreenIsDrawn(): void {
  for (const client of clients) client.prioritizeCacheValues = false
  clients = []
  prefetched.clear()
}
