import '@pc/ui/theme/styles.ts'
import { day } from '@pc/domain/month/day.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { MonthBridge } from './month-bridge.tsx'

const CONDITION = { mediumId: ['1'], organizationId: [], publisherId: ['7', '8'] }

function Shown() {
  return <MonthBridge {...CONDITION} until={day('2026-10-20')} today={day('2026-11-02')} />
}

const screen = defineRoute({
  path: '/reports/dashboard',
  title: 'ダッシュボード',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => Shown,
})
const NAMES = ['estimate', 'late_data', 'invalid_traffic', 'pool_allocation', 'minimum', 'adjustment', 'final']
const FINAL = {
  ...{ __typename: 'EstimateBridge', month: '2026-09', isFinal: true, recordedAt: '2026-10-01T02:00:00Z' },
  errorRange: null,
  steps: NAMES.map((name, index) => ({
    ...{ __typename: 'EstimateBridgeStep', name, label: `項目${index + 1}` },
    ...{
      amount: index === 0 ? 1_000 : index === 6 ? 1_300 : index === 1 ? 300 : 0,
      level: index === 0 ? 1_000 : 1_300,
    },
    lines: index === 1 ? [{ __typename: 'EstimateBridgeLine', label: '速報のあとに届いた統計', amount: 300 }] : [],
  })),
}
const OPEN = {
  ...FINAL,
  ...{ month: '2026-10', isFinal: false, recordedAt: null, steps: [] },
  errorRange: { __typename: 'EstimateErrorRange', lowest: -20, highest: 300, months: 2 },
}

const bridgeOf = ({ month }: Readonly<Record<string, unknown>>) => ({
  monthEstimateBridge: month === '2026-09' ? FINAL : OPEN,
})

afterEach(() => goTo('#/', { isFinal: true }))

test('requested when somebody opens it, by the filter of the dashboard; an open month shows the range, a final one the steps', async () => {
  const { operations } = await showScreen({
    screens: [screen],
    path: '/reports/dashboard',
    role: 'insight:publisher_admin',
    answers: {
      MonthEstimateBridge: bridgeOf,
    },
  })
  const card = page.getByRole('region', { name: '速報から確定まで' })
  const open = card.getByRole('button', { name: '表示する' })
  await expect.element(open).toBeVisible()
  expect(operations.some(each => each.name === 'MonthEstimateBridge')).toBe(false)
  await open.click()
  await expect.element(card.getByText(/過去2か月では、確定値は速報値より −20円 から \+300円 の範囲/)).toBeVisible()
  expect(operations.find(each => each.name === 'MonthEstimateBridge')?.variables).toEqual({
    ...{ month: '2026-10', mediumIds: ['1'], publisherIds: ['7', '8'] },
  })
  await card.getByRole('button', { name: '前月' }).click()
  const table = card.getByRole('table', { name: '速報値から確定値まで' })
  await expect.element(table.getByRole('row', { name: /項目7 1,300/ })).toBeVisible()
  await table.getByRole('button', { name: '項目2' }).click()
  await expect.element(table.getByRole('row', { name: '速報のあとに届いた統計 +300' })).toBeVisible()
  await expect.element(card.getByRole('button', { name: 'CSV' })).toBeVisible()
  await expectAccessible()
})
