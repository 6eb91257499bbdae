import '../theme/styles.ts'
import { gql, type TypedDocumentNode } from '@apollo/client'
import { defineCondition } from '@pc/domain/condition/condition.ts'
import { text } from '@pc/domain/condition/params.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { dismissAllToasts } from '../feedback/toasts.tsx'
import { defineRoute, type ScreenProps } from '../routing/define-route.ts'
import { showScreen } from '../routing/screen-fixture.tsx'

interface Condition {
  readonly month: string
}
interface Data {
  readonly total: string
}

const TOTAL: TypedDocumentNode<Data, Condition> = gql`
  query Total($month: String!) {
    total(month: $month)
  }
`
const route = defineRoute({
  path: '/reports/dashboard',
  title: '合計',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  condition: defineCondition({ month: text() }),
  query: { document: TOTAL, variables: ({ month }: Condition) => ({ month }) },
  view: async () => View,
})

function View({ condition, setCondition, data, error, isLoading, isPrevious, retry }: ScreenProps<Condition, Data>) {
  return (
    <>
      <h1>{`${condition.month}の合計`}</h1>
      <p>{data?.total ?? 'なし'}</p>
      {error !== undefined && !isLoading && <p>{isPrevious && data ? '前回の内容です' : '読み込めませんでした'}</p>}
      <button type="button" onClick={() => setCondition({ month: '10月' })}>
        10月
      </button>
      <button type="button" onClick={retry}>
        もう一度
      </button>
    </>
  )
}

afterEach(() => {
  dismissAllToasts()
  vi.restoreAllMocks()
})

/** The months that the server reaches; the others fail as a broken connection does. */
const reachable = new Set<string>()
const answerOf = ({ month }: Readonly<Record<string, unknown>>) =>
  reachable.has(String(month)) ? { total: `${month} 100円` } : new TypeError('Failed to fetch')

async function show() {
  reachable.clear()
  reachable.add('11月')
  await showScreen({
    screens: [route],
    path: '/reports/dashboard/month=11月',
    role: 'insight:admin',
    answers: { Total: answerOf },
  })
}

test('what was answered for one condition is never shown for another that failed', async () => {
  await show()
  await expect.element(page.getByText('11月 100円')).toBeVisible()
  await page.getByRole('button', { name: '10月' }).click()
  await expect.element(page.getByRole('heading', { name: '10月の合計' })).toBeVisible()
  await expect.element(page.getByText('読み込めませんでした')).toBeVisible()
  await expect.element(page.getByText('11月 100円')).not.toBeInTheDocument()
})

test('a repetition of the same question that fails keeps its last answer', async () => {
  await show()
  await expect.element(page.getByText('11月 100円')).toBeVisible()
  reachable.clear()
  await page.getByRole('button', { name: 'もう一度' }).click()
  await expect.element(page.getByText('前回の内容です')).toBeVisible()
  await expect.element(page.getByText('11月 100円')).toBeVisible()
})

test('what failed is sent again when the connection is back', async () => {
  await show()
  await page.getByRole('button', { name: '10月' }).click()
  await expect.element(page.getByText('読み込めませんでした')).toBeVisible()
  reachable.add('10月')
  window.dispatchEvent(new Event('online'))
  await expect.element(page.getByText('10月 100円')).toBeVisible()
  await expect.element(page.getByText('読み込めませんでした')).not.toBeInTheDocument()
})
