import '../theme/styles.ts'
import { ApolloLink, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { makeClient } from '../data/client.ts'
import type { AskForAgreements } from './loaded-viewer.ts'
import { useViewer } from './viewer.tsx'
import { ViewerGate } from './viewer-gate.tsx'

const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}
const USER = { id: 'u1', email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true }

function Agreements() {
  return `契約：${useViewer().agreementIds?.join('、') || 'なし'}`
}

async function start(resource: string, askForAgreements?: AskForAgreements) {
  const requested: string[] = []
  const answers: Readonly<Record<string, object>> = {
    ViewerUser: {
      user: { __typename: 'User', uid: 'u1', email: USER.email, photoURL: null, roles: [], organizationId: null },
      viewer: { __typename: 'Viewer', uid: 'u1', email: USER.email, actingAs: null },
    },
    ViewerPolicies: {
      policies: {
        __typename: 'PolicyList',
        nodes: [
          {
            __typename: 'Policy',
            actions: ['read:list'],
            resources: [
              { __typename: 'PolicyResource', name: resource, sameConditionKey: null, sameConditionValue: null },
            ],
          },
        ],
      },
    },
    ViewerAgreements: {
      agreements: { __typename: 'AgreementList', nodes: [{ __typename: 'Agreement', id: '7' }] },
    },
  }
  const link = new ApolloLink(({ operationName = '' }) => {
    requested.push(operationName)
    return new Observable(observer => {
      observer.next({ data: answers[operationName] ?? {} })
      observer.complete()
    })
  })
  const client = makeClient(link, SESSION)
  await render(
    <ApolloProvider client={client}>
      <ViewerGate
        user={USER}
        clients={{ iam: client, insight: client }}
        failedTitle=""
        failedHint=""
        {...(askForAgreements ? { askForAgreements } : {})}
      >
        <Agreements />
      </ViewerGate>
    </ApolloProvider>,
  )
  await expect.element(page.getByText(/^契約：/)).toBeVisible()
  return { requested: requested.toSorted(), text: page.getByText(/^契約：/).element().textContent }
}

test.each([
  ['insight:agreement.', undefined, ['ViewerAgreements', 'ViewerPolicies', 'ViewerUser'], '契約：7'],
  // The console sends it in any case.
  ['iam:user.', undefined, ['ViewerAgreements', 'ViewerPolicies', 'ViewerUser'], '契約：7'],
  ['insight:agreement.', 'when-allowed', ['ViewerAgreements', 'ViewerPolicies', 'ViewerUser'], '契約：7'],
  ['iam:user.', 'when-allowed', ['ViewerPolicies', 'ViewerUser'], '契約：なし'],
] as const)('with a policy for %s, agreements requested %s: %j', async (resource, ask, requested, text) => {
  expect(await start(resource, ask)).toEqual({ requested, text })
})
