import { ApolloLink, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { clientPolicy, policyRow } from '@pc/domain/access/client-policy.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { grantsFor } from '@pc/domain/access/role-policies.ts'
import { GraphQLError } from 'graphql'
import { render } from 'vitest-browser-react'
import { makeClient } from '../data/client.ts'
import { ClientsProvider } from '../data/clients.tsx'
import { keepFocus } from '../elements/restore-focus.ts'
import { FileExportsProvider, makeFileExports } from '../export/file-exports.tsx'
import { Confirmations } from '../feedback/confirm.tsx'
import { Toasts } from '../feedback/toasts.tsx'
import { makeViewer } from '../session/make-viewer.ts'
import { StepUpRequests } from '../session/step-up-prompt.tsx'
import { ViewerProvider } from '../session/viewer.tsx'
import type { Screen } from './define-route.ts'
import { ScreenRouter } from './screen-router.tsx'

type Data = Readonly<Record<string, unknown>>
type Answer = Data | Error | readonly GraphQLError[] | 'never'

export interface SentOperation {
  readonly name: string
  readonly variables: Readonly<Record<string, unknown>>
}

interface Given {
  readonly screens: readonly Screen[]
  /** Address inside the application, without `#`. */
  readonly path: string
  readonly role: Role
  readonly userId?: string
  readonly organizationId?: string
  readonly agreementIds?: readonly string[]
  /** With a session, so that files can be uploaded. */
  readonly sendsFiles?: boolean
  /**
   * Answers by operation name: data, an error, or a function of the variables. An operation without an answer never
   * completes.
   */
  readonly answers: Readonly<
    Record<string, Answer | ((variables: Readonly<Record<string, unknown>>) => Answer | Promise<Data>)>
  >
}

const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}

const FILES = makeFileExports({ insightApiOrigin: '', clientVersion: '1.0.0' }, SESSION)

/** For tests: renders screens with the real router and clients, over a transport with given answers. */
export async function showScreen(given: Given): Promise<{ operations: readonly SentOperation[] }> {
  const { role, screens, path, answers, userId = 'me' } = given
  const operations: SentOperation[] = []
  const link = new ApolloLink(({ operationName = '', variables }) => {
    operations.push({ name: operationName, variables })
    const found = answers[operationName]
    const answer = typeof found === 'function' ? found(variables) : (found ?? 'never')
    return new Observable(observer => {
      if (answer === 'never') return
      if (answer instanceof Error) return observer.error(answer)
      if (answer instanceof Promise) {
        answer.then(data => {
          observer.next({ data })
          observer.complete()
        })
        return
      }
      observer.next(Array.isArray(answer) ? { data: null, errors: answer } : { data: answer as Data })
      observer.complete()
    })
  })
  const viewer = makeViewer(
    { id: userId, email: 'me@example.jp', photoUrl: undefined, hasEmailPassAccount: true },
    {
      photoUrl: undefined,
      agreementIds: given.agreementIds,
      isStateReady: true,
      organizationId: given.organizationId,
      roles: [role],
      policies: grantsFor([role]).map(grant => clientPolicy(policyRow(grant, role))),
    },
  )
  const clients = { insight: makeClient(link, SESSION), iam: makeClient(link, SESSION) }
  keepFocus()
  history.replaceState(null, '', `#${path}`)
  const router = <ScreenRouter screens={screens} home={screens[0]!.path} analytics={{ pageView: () => {} }} />
  await render(
    <ApolloProvider client={clients.insight}>
      <ClientsProvider clients={clients}>
        <ViewerProvider viewer={viewer}>
          <main>{given.sendsFiles ? <FileExportsProvider exports={FILES}>{router}</FileExportsProvider> : router}</main>
          <Toasts />
          <Confirmations />
          <StepUpRequests />
        </ViewerProvider>
      </ClientsProvider>
    </ApolloProvider>,
  )
  return { operations }
}

/** A refusal in the form in which the server sends it. */
export function refusedWith(
  code: string,
  message: string,
  path: readonly string[] = [],
  data: Readonly<Record<string, string>> = {},
): readonly GraphQLError[] {
  const refusals = [{ code, path, data, message }]
  return [new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', refusals } })]
}
