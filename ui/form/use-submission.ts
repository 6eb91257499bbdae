import type { OperationVariables } from '@apollo/client'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useRef } from 'react'
import type { Clients } from '../data/client.ts'
import { useClientOf } from '../data/clients.tsx'

/**
 * Sends a change so that it happens once: while the same content is sent again (a second press, a lost answer, another
 * try) it carries the same key, and the server gives the first answer again. Other content is another submission.
 */
export function useSubmission<D, V extends OperationVariables>(
  document: TypedDocumentNode<D, V & { idempotencyKey?: string | null }>,
  /** Without it the application's own. */
  api?: keyof Clients,
): (variables: V) => Promise<D> {
  const client = useClientOf(api)
  const last = useRef<{ content: string; key: string }>(undefined)
  return async variables => {
    const content = JSON.stringify(variables)
    if (last.current?.content !== content) last.current = { content, key: randomKey() }
    const { data } = await client.mutate({
      mutation: document,
      variables: { ...variables, idempotencyKey: last.current.key },
    })
    last.current = undefined
    return data as D
  }
}

/** Not `randomUUID`: it does not exist where the console is reached by plain HTTP in a private network. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
