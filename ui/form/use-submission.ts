import type { OperationVariables } from '@apollo/client'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useRef } from 'react'
import type { Clients } from '../data/client.ts'
import { useClientOf } from '../data/clients.tsx'

/**
 * Sends a change so that it takes effect once. Sending the same content again (a second click, a lost response, a
 * retry) uses the same idempotency key, and the server repeats its first answer. Other content is a new submission.
 */
export function useSubmission<D, V extends OperationVariables>(
  document: TypedDocumentNode<D, V & { idempotencyKey?: string | null }>,
  /** Default: the application's own API. */
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

/** Not `randomUUID`, which does not exist where a private network serves the console over plain HTTP. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
