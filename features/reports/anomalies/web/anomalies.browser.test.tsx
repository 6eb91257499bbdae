import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { AnomaliesCard } from './anomalies-card.tsx'

const CONDITION = { ...dashboardCondition.parse(undefined), organizationId: ['3'] }
const Shown = () => <AnomaliesCard {...CONDITION} />
const route = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => Shown,
})
const change = (id: number, more: object = {}) => ({
  ...{ __typename: 'SuddenChange', id: String(id), publisherId: '7', publisherName: `あおい新聞${id}` },
  ...{ mediumId: '1', mediumName: 'ニュース', figure: 'impressions', direction: 'drop' },
  ...{ beganOn: '2026-11-19', lastOn: '2026-11-19', value: 2_000, usual: 10_000 },
  ...more,
})

/** A server that keeps whether the person has muted them. */
function server(nodes: readonly object[]) {
  let muted: string | null = null
  const preference = () => ({ __typename: 'Preference', key: 'sudden-changes/muted', value: muted })
  const answer = () => ({
    changes: { __typename: 'SuddenChangeList', total: nodes.length, nodes },
    preferences: muted === null ? [] : [preference()],
  })
  const mute = ({ value }: Readonly<Record<string, unknown>>) => {
    muted = value as string | null
    return { savePreference: muted === null ? null : preference() }
  }
  return { Anomalies: answer, MuteAnomalies: mute }
}
const show = (nodes: readonly object[]) =>
  showScreen({ screens: [route], path: '/x', role: 'insight:publisher_admin', answers: server(nodes) })

afterEach(dismissAllToasts)

test('a change that is pressed opens its reasons: of the publisher on the medium, against a week before', async () => {
  const { operations } = await show([change(1), change(2, { figure: 'revenue', lastOn: '2026-11-20' })])
  await page
    .getByRole('listitem')
    .nth(1)
    .getByRole('button', { name: /−80\.0%/ })
    .click()
  await expect.element(page.getByRole('dialog', { name: '増減の理由' })).toBeVisible()
  expect(operations.find(({ name }) => name === 'ExplainChange')?.variables.param).toEqual({
    ...{ metric: 'publisherTotalRevenue', compareWith: 'same_weekdays', from: '2026-11-20', to: '2026-11-20' },
    ...{ publisherIds: ['7'], mediumIds: ['1'] },
  })
})

test('each change with its usual value and the way to the report of its publisher and days', async () => {
  const rise = { figure: 'revenue', direction: 'rise', value: 30_000, usual: 10_000, beganOn: '2026-11-17' }
  const { operations } = await show([change(1), change(2, rise)])
  const [drop, other] = [page.getByRole('listitem').nth(0), page.getByRole('listitem').nth(1)]
  const textOf = (item: typeof drop) => expect.poll(() => item?.element().textContent)
  await expect.element(drop!).toBeVisible()
  await textOf(drop).toMatch(/あおい新聞1.*表示回数 2,000回.*減少−80\.0%ふだんの木曜日 10,000回・11月19日$/)
  await textOf(other).toMatch(/収益 30,000円.*増加\+200\.0%ふだんの木曜日 10,000円・11月17日から11月19日まで継続$/)
  const address = page
    .getByRole('link', { name: /あおい新聞1/ })
    .element()
    .getAttribute('href')
  expect(decodeURIComponent(address!)).toMatch(/reports\/dashboard\/.*from=2026-11-06.*to=2026-11-19/)
  expect(decodeURIComponent(address!)).toMatch(/mediumId=1&publisherId=7/)
  expect(operations[0]?.variables).toMatchObject({ param: { organizationIds: ['3'] } })
  await expectAccessible()
})

test('more than five are shown on request', async () => {
  await show(Array.from({ length: 8 }, (_, at) => change(at + 1)))
  await expect.element(page.getByRole('listitem').nth(4)).toBeVisible()
  expect(page.getByRole('listitem').elements()).toHaveLength(5)
  await page.getByRole('button', { name: 'ほか3件を表示する' }).click()
  await expect.element(page.getByRole('listitem').nth(7)).toBeVisible()
})

test('a person can have them stopped, and started again', async () => {
  await show([change(1)])
  await page.getByRole('button', { name: 'お知らせを止める' }).click()
  await expect.element(page.getByText(/急な変化のお知らせを止めています（メールも届きません）/)).toBeVisible()
  await expect.element(page.getByRole('listitem')).not.toBeInTheDocument()
  await expectAccessible()
  await page.getByRole('button', { name: '再開する' }).click()
  await expect.element(page.getByRole('listitem')).toBeVisible()
})

test('nothing goes on: nothing is shown', async () => {
  const { operations } = await show([])
  await expect.poll(() => operations.length).toBe(1)
  await expect.element(page.getByRole('region', { name: '急な変化' })).not.toBeInTheDocument()
})
