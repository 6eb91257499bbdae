import { ApolloClient, ApolloLink, type DocumentNode, InMemoryCache, Observable } from '@apollo/client'
import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { ErrorLink } from '@apollo/client/link/error'
import { BaseHttpLink } from '@apollo/client/link/http'
import { cacheSizes } from '@apollo/client/utilities'
import { OperationTypeNode } from 'graphql'
import { type FailureResponse, isSessionExpired, NO_ACCESS, respondToFailure } from '../feedback/error-catalogue.ts'
import { showToast } from '../feedback/toasts.tsx'
import { fetchOrTakePrefetched, sentDocument } from '../prefetch/prefetch-cache.ts'
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

/** One client per API: the two graphs have types of the same name, so they do not share a cache. */
export interface Clients {
  readonly insight: ApolloClient
  readonly iam: ApolloClient
}

export function makeClients(config: RuntimeConfig, session: Session): Clients {
  const linkTo = (origin: string) =>
    new BaseHttpLink({
      uri: `${origin}/query`,
      fetch: fetchOrTakePrefetched,
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
      // The error catalogue says what went wrong; the file is in the person's hands already.
      .catch(() => {})
  })
  return clients
}

/**
 * What has been read of answers is remembered beside them, 1 KB for each record, up to 50,000 of them unless told: enough for
 * the answers that are kept (`recent-answers.ts`), and for the longest list.
 */
Object.assign(cacheSizes, {
  'inMemoryCache.executeSelectionSet': 8000,
  'inMemoryCache.executeSubSelectedArray': 1000,
})

/** Users are named by their uid; where it was not asked for, the object stands for itself. */
function keyOfUser(user: Readonly<Record<string, unknown>>): ['uid'] | false {
  return typeof user.uid === 'string' ? ['uid'] : false
}

class Cache extends InMemoryCache {
  override transformDocument(document: DocumentNode): DocumentNode {
    return sentDocument(document)
  }
}

export function makeClient(transport: ApolloLink, session: Session): ApolloClient {
  return new ApolloClient({
    cache: new Cache({
      typePolicies: {
        SummaryStats: { keyFields: false },
        Policy: { keyFields: false },
        User: { keyFields: keyOfUser, fields: { roles: { merge: false } } },
        // A list that comes again takes the place of the old one; a list of feeds asks less of their health than a form.
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
    // A screen shows what the cache has and asks again; partial data is kept beside its errors.
    defaultOptions: {
      watchQuery: { fetchPolicy: 'cache-and-network', errorPolicy: 'all' },
      query: { errorPolicy: 'all' },
    },
  })
}

/** Does what the catalogue says, and lets the error go on to the caller. */
function catalogueLink(session: Session): ApolloLink {
  return new ErrorLink(({ error, operation }) => {
    const { operationName, operationType, client } = operation
    if (operationType === OperationTypeNode.QUERY && !CombinedGraphQLErrors.is(error)) {
      // Where even this does not come, the person still has the buttons to try again.
      connection().then(
        ({ refetchFailed }) => refetchFailed(client, error),
        () => {},
      )
      // It has been said, and goes on being said.
      if (document.querySelector('.connection-line')) return
    }
    for (const response of respondToFailure(error, operationName)) act(response, session, operationName, error)
  })
}

function act(response: FailureResponse, session: Session, operationName: string | undefined, error: unknown): void {
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

/** Sends the current ID token; a refused one is renewed once, and the call is repeated. */
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
  return result.errors?.some(error => error.extensions?.needsProof === true) ?? false
}

/** What a stolen session must not do asks for the password again, and is repeated after the step-up. */
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

/** A body that lacks both data and errors has this text of its own; the transport would word it differently. */
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
