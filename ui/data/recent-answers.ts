import type { ApolloClient, InMemoryCache } from '@apollo/client'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

interface Question {
  readonly key: string
  readonly document: TypedDocumentNode<unknown, Record<string, unknown>>
  readonly variables: Record<string, unknown>
}

/** Answers that stay in the client's cache for going back, including the current one. */
export const MAX_RECENT_ANSWERS = 12

const recent = new WeakMap<ApolloClient, Question[]>()
const numbers = new WeakMap<object, number>()
let documents = 0

/**
 * Records that a screen shows the answer to this query, and evicts the least recently shown one. The client would
 * otherwise keep every answer while the tab is open; a hundred rows of a report take 0.4 MB.
 */
export function noteShown(
  client: ApolloClient,
  document: Question['document'],
  variables: Question['variables'],
): void {
  const key = `${numberOf(document)} ${JSON.stringify(variables)}`
  const known = (recent.get(client) ?? []).filter(one => one.key !== key)
  const questions = [...known, { key, document, variables }]
  recent.set(client, questions.slice(-MAX_RECENT_ANSWERS))
  const forgotten = questions.slice(0, -MAX_RECENT_ANSWERS)
  if (forgotten.length > 0) whenIdle(() => forget(client.cache as InMemoryCache, forgotten))
}

/** Evicts answers. Objects that other answers contain stay, and no mounted screen is rendered again. */
function forget(cache: InMemoryCache, questions: readonly Question[]): void {
  for (const { document, variables } of questions) {
    for (const definition of document.definitions) {
      if (definition.kind !== 'OperationDefinition') continue
      for (const field of definition.selectionSet.selections) {
        if (field.kind !== 'Field') continue
        const place = { typename: 'Query', fieldName: field.name.value, field, variables }
        cache.evict({ id: 'ROOT_QUERY', fieldName: cache.policies.getStoreFieldName(place), broadcast: false })
      }
    }
  }
  cache.gc()
}

function numberOf(document: object): number {
  const known = numbers.get(document)
  if (known !== undefined) return known
  documents += 1
  numbers.set(document, documents)
  return documents
}

/** Runs when the browser is idle, so not while an answer is being rendered, and at the latest after two seconds. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2000 })
  else setTimeout(work, 1000)
}
