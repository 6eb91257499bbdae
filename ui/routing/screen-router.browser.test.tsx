import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { defineCondition } from '@pc/domain/condition/condition.ts'
import { text } from '@pc/domain/condition/params.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { makeViewer } from '../session/make-viewer.ts'
import { ViewerProvider } from '../session/viewer.tsx'
import { defineRoute, type ScreenProps } from './define-route.ts'
import { ScreenRouter } from './screen-router.tsx'

const OPTIONS = { watchQuery: { errorPolicy: 'all' }, query: { errorPolicy: 'all' } } as const
const viewer = makeViewer(
  { id: 'u1', email: 'taro@example.jp', photoUrl: undefined, hasEmailPassAccount: true },
  {
    photoUrl: undefined,
    roles: [],
    organizationId: undefined,
    agreementIds: [],
    isStateReady: true,
    policies: [{ actions: ['*'], resources: [{ name: 'insight:summary_stats.' }] }],
  },
)
const route = defineRoute({
  path: '/reports/dashboard',
  title: 'ダッシュボード',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  condition: defineCondition({ word: text() }),
  view: async () => View,
})

function View({ condition, setCondition }: ScreenProps<{ readonly word: string }, unknown>) {
  if (condition.word === 'broken') throw new Error('a fault of the view')
  return (
    <button type="button" onClick={() => setCondition({ word: 'broken' })}>
      {`画面 ${condition.word}`}
    </button>
  )
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('a screen that failed with one filter is tried again with the next address', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  history.replaceState(null, '', '#/reports/dashboard')
  const link = new ApolloLink(() => new Observable(() => {}))
  await render(
    <ApolloProvider client={new ApolloClient({ link, cache: new InMemoryCache(), defaultOptions: OPTIONS })}>
      <ViewerProvider viewer={viewer}>
        <ScreenRouter screens={[route]} home={route.path} analytics={{ pageView: () => {} }} />
      </ViewerProvider>
    </ApolloProvider>,
  )
  await page.getByRole('button', { name: '画面' }).click()
  await expect.element(page.getByText('画面を表示できませんでした')).toBeVisible()
  location.hash = '#/reports/dashboard/word=whole'
  await expect.element(page.getByRole('button', { name: '画面 whole' })).toBeVisible()
})
