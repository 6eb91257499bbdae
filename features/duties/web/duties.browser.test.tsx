import '@pc/ui/theme/styles.ts'
import { DUTY_KINDS, type DutyKind } from '@pc/domain/duty/duty.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DutiesStrip } from './duties-strip.tsx'

const route = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => DutiesStrip,
})
const duty = (kind: DutyKind, count: number) => ({ __typename: 'Duty', kind, count })
const strip = page.getByRole('region', { name: '対応が必要なこと' })

function show(read: () => readonly object[]) {
  const answer = () => ({ duties: read() })
  return showScreen({ screens: [route], path: '/x', role: 'insight:admin', answers: { Duties: answer } })
}

test('each with its number and the list that has as many; read again when somebody comes back', async () => {
  let duties = [
    duty('statements_objected', 1),
    duty('questions_open', 1_200),
    duty('months_to_close', 2),
    duty('recalls_requested', 1),
  ]
  await show(() => duties)
  await expect.element(strip.getByRole('link', { name: /^支払通知書への照会 ?1 ?件$/ })).toBeVisible()
  const address = (name: RegExp) => strip.getByRole('link', { name }).element().getAttribute('href')
  expect(address(/照会/)).toBe('#/histories/statements/state=objected')
  expect(decodeURIComponent(address(/質問 ?1,200 ?件/) ?? '')).toBe('#/histories/questions/state=open&kind=question')
  expect(address(/前月の締め ?2 ?媒体/)).toBe('#/adjustments/dividend')
  expect(address(/承認待ちの組戻し ?1 ?件/)).toBe('#/adjustments/transfers/waiting=recall')
  await expectAccessible()
  duties = []
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.element(strip.getByText('いま対応が必要なことはありません')).toBeVisible()
  await expectAccessible()
})

test('one line on a telephone, however many there are; the others open by press and by keyboard', async () => {
  await page.viewport(390, 800)
  await show(() => DUTY_KINDS.map(kind => duty(kind, 3)))
  await expect.element(strip.getByRole('button', { name: `すべて見る（${DUTY_KINDS.length}）` })).toBeVisible()
  expect(strip.element().getBoundingClientRect().height).toBeLessThanOrEqual(88)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
  await strip.getByRole('button', { name: /すべて見る/ }).click()
  await expect.element(strip.getByRole('button', { name: '閉じる' })).toHaveAttribute('aria-expanded', 'true')
  expect(strip.element().getBoundingClientRect().height).toBeGreaterThan(200)
  await strip.getByRole('button', { name: '閉じる' }).click()
  await expect.element(strip.getByRole('button', { name: /すべて見る/ })).toBeVisible()
  strip.getByRole('link').first().element().focus()
  for (let n = 0; n < 4; n += 1) await userEvent.keyboard('{Tab}')
  await expect.element(strip.getByRole('button', { name: '閉じる' })).toBeVisible()
  await page.viewport(1280, 800)
})

test('says when it could not be read', async () => {
  await show(() => {
    throw new Error('no answer')
  })
  await expect.element(strip.getByRole('button', { name: 'もう一度読み込む' })).toBeVisible()
})
