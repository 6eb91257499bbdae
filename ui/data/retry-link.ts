import { ApolloLink, Observable } from '@apollo/client'
import { ServerError } from '@apollo/client/errors'
import { OperationTypeNode } from 'graphql'
import { showToast } from '../feedback/toasts.tsx'

/** How often a query that the server was too busy for is sent again before the person sees a failure. */
const MAX_REPETITIONS = 3
const MAX_WAIT_MS = 10_000
const BUSY = {
  tone: 'warning',
  message: 'ただいまアクセスが集中しています',
  detail: '少し待ってから、自動でもう一度読み込みます。そのままお待ちください。',
} as const

/**
 * A server that has too much to do says when to come back: questions wait that long and are asked again, with a calm
 * message meanwhile. Changes are never repeated without the person: an answer that was lost may have been a yes.
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

/** Milliseconds that the server asks for, and a little of one's own: not everybody comes back at the same moment. */
function waitOf(reason: unknown): number | undefined {
  if (!ServerError.is(reason) || (reason.statusCode !== 429 && reason.statusCode !== 503)) return undefined
  const seconds = Number(reason.response.headers.get('retry-after') ?? Number.NaN)
  if (!(seconds >= 0)) return undefined
  return Math.min(MAX_WAIT_MS, seconds * 1_000) + Math.random() * 500
}
