import type { DocumentNode } from '@apollo/client'
import { addTypenameToDocument, print } from '@apollo/client/utilities'

interface Asked {
  readonly address: string
  readonly answer: Promise<Response>
}
const withTypename = new WeakMap<DocumentNode, DocumentNode>()

/**
 * The document as it is sent. The client's cache asks here too: the same object is neither walked through nor printed again
 * when the answer is already there and everybody waits for it.
 */
export function sentDocument(document: DocumentNode): DocumentNode {
  const known = withTypename.get(document)
  if (known) return known
  const sent = addTypenameToDocument(document)
  withTypename.set(document, sent)
  return sent
}

/** As it is sent. Made once for each document: whoever calls this early has it ready when there is somebody to ask for. */
export function textOf(document: DocumentNode): string {
  return print(sentDocument(document))
}

/** By operation and variables. */
const asked = new Map<string, Asked>()
let isClosed = false

export interface Question {
  readonly address: string
  readonly name: string
  readonly document: DocumentNode
  readonly variables: Readonly<Record<string, unknown>>
}

export const keyOf = (name: unknown, variables: unknown) => `${String(name)} ${JSON.stringify(variables ?? {})}`

/**
 * Sends a question before the client of the APIs has been loaded, word for word as that would send it. The client takes
 * the answer over when it asks the same (`fetchOrTake`).
 * @returns a copy of the answer; undefined: the client asks by itself by now
 * @throws what `fetch` throws
 */
export async function askBefore(
  question: Question,
  headers: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  if (isClosed) return undefined
  const { address, name, variables, document } = question
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
  asked.set(keyOf(name, variables), { address, answer })
  return (await answer).clone()
}

/** For the transport of the client: an answer that is here or under way is used, once; all else is asked for. */
export const fetchOrTake: typeof fetch = (address, init) => {
  if (asked.size === 0 || typeof init?.body !== 'string') return fetch(address, init)
  const { operationName, variables } = JSON.parse(init.body) as { operationName?: unknown; variables?: unknown }
  const key = keyOf(operationName, variables)
  const before = asked.get(key)
  if (before?.address !== address) return fetch(address, init)
  asked.delete(key)
  return before.answer
}

export function isAsked(name: string, variables: Question['variables']): boolean {
  return asked.has(keyOf(name, variables))
}

/** The client asks by itself from now on: nothing is asked twice. */
export function stopAsking(): void {
  isClosed = true
}

/** What nobody has asked for by now would be old when somebody does. */
export function forgetAsked(): void {
  asked.clear()
}
