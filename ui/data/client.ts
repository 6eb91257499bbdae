import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client'
import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { ErrorLink } from '@apollo/client/link/error'
import { BaseHttpLink } from '@apollo/client/link/http'
import { cacheSizes } from '@apollo/client/utilities'
import { OperationTypeNode } from 'graphql'
import { type FailureResponse, isSessionExpired, NO_ACCESS, respondToFailure } from '../feedback/error-catalogue.ts'
import { showToast } from '../feedback/toasts.tsx'
import { connection } from '../routing/load-code.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import type { Session } from '../session/session.ts'
import { askForStepUp } from '../session/step-up-prompt.tsx'
import { noteDownloadsWith } from './note-download.ts'
import { retryLink } from './retry-link.ts'

declare module '@apollo/client' {
  export namespace ApolloClient {
    export namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all'
      }
      interface Query {
        errorPolicy: 'all'
      }
    }
  }
}

/** One client per API. They do not share a cache, because the two schemas have types of the same name. */
export interface Clients {
  readonly insight: ApolloClient
  readonly iam: ApolloClient
}

/** The clients of both APIs. Downloads are recorded from now on. @param send instead of the browser's `fetch` */
export function makeClients(config: RuntimeConfig, session: Session, send?: typeof fetch): Clients {
  const linkTo = (origin: string) =>
    new BaseHttpLink({
      uri: `${origin}/query`,
      ...(send && { fetch: send }),
      credentials: 'include',
      headers: { 'X-Client-Version': config.clientVersion },
    })
  const clients = {
    insight: makeClient(linkTo(config.insightApiOrigin), session),
    iam: makeClient(linkTo(config.iamApiOrigin), session),
  }
  noteDownloadsWith(file => {
    const variables = { ...file, screen: location.pathname + location.hash }
    import('./note-download.gen.ts')
      .then(({ NoteDownloadDocument }) => clients.insight.mutate({ mutation: NoteDownloadDocument, variables }))
      // The error catalogue shows the failure; the person already has the file.
      .catch(() => {})
  })
  return clients
}

/**
 * The cache memoises results, 1 KB per record and up to 50,000 records by default. These sizes are enough for the
 * cached answers (`recent-answers.ts`) and the longest list.
 */
Object.assign(cacheSizes, {
  'inMemoryCache.executeSelectionSet': 8000,
  'inMemoryCache.executeSubSelectedArray': 1000,
})

/** Users are identified by uid; without one the object is not normalised. */
function keyOfUser(user: Readonly<Record<string, unknown>>): ['uid'] | false {
  return typeof user.uid === 'string' ? ['uid'] : false
}

/** A client that sends over `transport`. */
export function makeClient(transport: ApolloLink, session: Session): ApolloClient {
  return new ApolloClient({
    cache: new InMemoryCache({
      typePolicies: {
        SummaryStats: { keyFields: false },
        Policy: { keyFields: false },
        User: { keyFields: keyOfUser, fields: { roles: { merge: false } } },
        // A list that is fetched again replaces the old one. Health is merged, because the list of feeds selects fewer
        // of its fields than a form.
        Board: { fields: { tiles: { merge: false } } },
        Feed: { fields: { health: { merge: true } } },
      },
    }),
    link: ApolloLink.from([
      catalogueLink(session),
      stepUpLink,
      bearerLink(session),
      missingAnswerLink,
      retryLink,
      transport,
    ]),
    // A screen shows the cache and fetches again; partial data are kept together with their errors.
    defaultOptions: {
      watchQuery: { fetchPolicy: 'cache-and-network', errorPolicy: 'all' },
      query: { errorPolicy: 'all' },
    },
  })
}

/** Shows what the error catalogue says, and passes the error on to the caller. */
function catalogueLink(session: Session): ApolloLink {
  return new ErrorLink(({ error, operation }) => {
    const { operationName, operationType, client } = operation
    if (operationType === OperationTypeNode.QUERY && !CombinedGraphQLErrors.is(error)) {
      // If this code cannot be loaded either, the person still has buttons to retry.
      connection().then(
        ({ refetchFailed }) => refetchFailed(client, error),
        () => {},
      )
      // The connection line already shows this.
      if (document.querySelector('.connection-line')) return
    }
    for (const response of respondToFailure(error, operationName))
      handleResponse(response, session, operationName, error)
  })
}

function handleResponse(
  response: FailureResponse,
  session: Session,
  operationName: string | undefined,
  error: unknown,
): void {
  if (response.kind === 'toast') {
    if (response.isLogged) console.error(operationName, error)
    showToast(response.toast)
  }
  if (response.kind === 'no-access') {
    window.alert(NO_ACCESS)
    void session.signOut()
  }
  if (response.kind === 'session-expired') session.leaveToSignIn()
}

/** Sends the current ID token. After a refusal the token is renewed once, and the call is repeated. */
function bearerLink(session: Session): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const send = (token: string) => {
      operation.setContext(({ headers }: { headers?: Record<string, string> }) => ({
        headers: { ...headers, authorization: `Bearer ${token}` },
      }))
      return forward(operation)
    }
    return new Observable(observer => {
      let current: { unsubscribe(): void } | undefined
      let isOver = false
      const attempt = (token: string, isLast: boolean) => {
        if (isOver) return
        const again = () =>
          void session.renew().then(
            renewed => attempt(renewed, true),
            reason => observer.error(reason),
          )
        let isRepeated = false
        current = send(token).subscribe({
          next: result => {
            isRepeated = !isLast && isUnauthenticated(result)
            if (isRepeated) again()
            else observer.next(result)
          },
          error: reason => (!isLast && isSessionExpired(reason) ? again() : observer.error(reason)),
          complete: () => {
            if (!isRepeated) observer.complete()
          },
        })
      }
      session.idToken().then(
        token => attempt(token, false),
        reason => observer.error(reason),
      )
      return () => {
        isOver = true
        current?.unsubscribe()
      }
    })
  })
}

function isUnauthenticated(result: ApolloLink.Result): boolean {
  return result.errors?.some(error => String(error.extensions?.code).toUpperCase() === 'UNAUTHENTICATED') ?? false
}

function needsStepUp(result: ApolloLink.Result): boolean {
  return result.errors?.some(error => error.extensions?.needsStepUp === true) ?? false
}

/** A call that needs a step-up asks for it and is then repeated. */
const stepUpLink = new ApolloLink((operation, forward) => {
  return new Observable(observer => {
    let isOver = false
    let current: { unsubscribe(): void } | undefined
    const attempt = (isLast: boolean) => {
      let mustStepUp = false
      current = forward(operation).subscribe({
        next: result => {
          mustStepUp = !isLast && needsStepUp(result)
          if (!mustStepUp) return observer.next(result)
          void askForStepUp().then(isSteppedUp => {
            if (isOver) return
            if (isSteppedUp) return attempt(true)
            observer.next(result)
            observer.complete()
          })
        },
        error: reason => observer.error(reason),
        complete: () => {
          if (!mustStepUp) observer.complete()
        },
      })
    }
    attempt(false)
    return () => {
      isOver = true
      current?.unsubscribe()
    }
  })
})

/** Gives a response without data and errors its own message; the transport's would differ. */
const missingAnswerLink = new ApolloLink((operation, forward) => {
  return new Observable(observer =>
    forward(operation).subscribe({
      next: result => observer.next(result),
      error: reason => {
        const isMissing = reason instanceof Error && reason.message.startsWith('Server response was malformed')
        const text = `Server response was missing for query '${operation.operationName}'.`
        observer.error(isMissing ? new Error(text, { cause: reason }) : reason)
      },
      complete: () => observer.complete(),
    }),
  )
})
