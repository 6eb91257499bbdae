import { ApolloLink, Observable } from '@apollo/client'
import { ServerError } from '@apollo/client/errors'
import { OperationTypeNode } from 'graphql'
import { showToast } from '../feedback/toasts.tsx'

/** Repetitions of a query that a busy server refused, before the person sees a failure. */
const MAX_REPETITIONS = 3
const MAX_WAIT_MS = 10_000
const BUSY = {
  tone: 'warning',
  message: 'ただいまアクセスが集中しています',
  detail: '少し待ってから、自動でもう一度読み込みます。そのままお待ちください。',
} as const

/**
 * Repeats queries that the server refused because it is busy (429, 503), after its Retry-After, and shows a calm
 * message meanwhile. Mutations are never repeated automatically: the lost answer may have been a success.
 * Tested by `ui/feedback/error-catalogue.browser.test.tsx`.
 */
export const retryLink = new ApolloLink((operation, forward) => {
  if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation)
  return new Observable(observer => {
    let current: { unsubscribe(): void } | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const attempt = (repetition: number) => {
      current = forward(operation).subscribe({
        next: result => observer.next(result),
        complete: () => observer.complete(),
        error: reason => {
          const waitMs = repetition < MAX_REPETITIONS ? waitOf(reason) : undefined
          if (waitMs === undefined) return observer.error(reason)
          showToast(BUSY)
          timer = setTimeout(() => attempt(repetition + 1), waitMs)
        },
      })
    }
    attempt(0)
    return () => {
      clearTimeout(timer)
      current?.unsubscribe()
    }
  })
})

/**
 * The server's Retry-After in milliseconds plus random jitter, so that not all browsers return at once. Undefined: not
 * a busy server.
 */
function waitOf(reason: unknown): number | undefined {
  if (!ServerError.is(reason) || (reason.statusCode !== 429 && reason.statusCode !== 503)) return undefined
  const seconds = Number(reason.response.headers.get('retry-after') ?? Number.NaN)
  if (!(seconds >= 0)) return undefined
  return Math.min(MAX_WAIT_MS, seconds * 1_000) + Math.random() * 500
}
