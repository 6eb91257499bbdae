import type { ApolloClient, InMemoryCache } from '@apollo/client'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

interface Question {
  readonly key: string
  readonly document: TypedDocumentNode<unknown, Record<string, unknown>>
  readonly variables: Record<string, unknown>
}

/** So many conditions of screens are there at once on the way back, the one that is shown among them. */
export const KEPT_ANSWERS = 12

const recent = new WeakMap<ApolloClient, Question[]>()
const numbers = new WeakMap<object, number>()
let documents = 0

/**
 * A screen shows the answer to this question. The client would keep every answer for as long as the tab is open, and a
 * hundred rows of a report are 0.4 MB: a day of reading would fill the memory. What was shown longest ago is forgotten.
 */
export function noteShown(
  client: ApolloClient,
  document: Question['document'],
  variables: Question['variables'],
): void {
  const key = `${numberOf(document)} ${JSON.stringify(variables)}`
  const known = (recent.get(client) ?? []).filter(one => one.key !== key)
  const questions = [...known, { key, document, variables }]
  recent.set(client, questions.slice(-KEPT_ANSWERS))
  const forgotten = questions.slice(0, -KEPT_ANSWERS)
  if (forgotten.length > 0) whenIdle(() => forget(client.cache as InMemoryCache, forgotten))
}

/** What other questions have brought as well stays; nobody who shows something is asked to draw it again. */
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

/** Not while an answer is being drawn, but also where nothing is ever idle. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2000 })
  else setTimeout(work, 1000)
}
