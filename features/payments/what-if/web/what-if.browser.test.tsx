import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { changeOf, countChanges, inputOf, NO_CHANGE } from './what-if-change.ts'
import { whatIfRoute } from './what-if-route.ts'

const RULE = {
  ...{ __typename: 'WhatIfBasisRule', publisherId: '101', publisherName: '東都新聞デジタル', paymentRate: 5_000 },
  ...{ sspPaymentRate: 4_000, videoSspPaymentRate: 0, liveSspPaymentRate: 0, fixedRevenue: 0, minimumRevenue: 0 },
  ...{ isTargetForSspAllocation: true, isTargetForVideoSspAllocation: false, isTargetForLiveSspAllocation: false },
}
const AGREEMENT = {
  ...{ __typename: 'WhatIfBasisAgreement', agreementId: '7', name: '東都新聞 配信契約', code: 'TOT-1' },
  ...{ partnerName: '東都新聞社', fixedRevenue: 0, minimumRevenue: 0, minimumRevenueType: 'none' },
  ...{ payoutThreshold: null, isPaymentDisabled: false, terminatedOn: null, rules: [RULE] },
}
const BASIS = {
  whatIfBasis: {
    ...{ __typename: 'WhatIfBasis', payoutThreshold: 1, total: 1, agreements: [AGREEMENT] },
    pools: [{ __typename: 'WhatIfBasisPool', dividendId: '9', kind: 'ssp', extraRevenue: 100_000 }],
  },
}
const sums = (payment: number) => ({
  ...{ __typename: 'WhatIfSums', payees: 1, paid: 1, revenue: payment, payment, paymentIncludingTax: payment },
  ...{ carriedOverToNext: 0, retained: 60_000 },
})
const amounts = (payment: number) => ({
  ...{ __typename: 'WhatIfAmounts', revenue: payment, payment, outcome: 'scheduled' },
})
const RESULT = {
  whatIfMonth: {
    ...{ __typename: 'WhatIfDifference', before: sums(50_000), after: sums(60_000) },
    checks: [{ __typename: 'WhatIfCheck', state: 'amber', label: '支払', detail: '支払がなくなる契約が1件あります。' }],
    payees: [
      {
        ...{ __typename: 'WhatIfPayee', agreementId: '7', partnerName: '東都新聞社', revenueChange: 10_000 },
        ...{ paymentChange: 10_000, before: amounts(50_000), after: amounts(60_000) },
      },
    ],
  },
}
const draft = (id: string, name: string, paymentRate: number) => ({
  ...{ __typename: 'WhatIfDraft', id, name, createdByEmail: 'keiri@example.jp', updatedAt: '2026-11-02T00:00:00Z' },
  revision: 1,
  change: JSON.stringify({ agreements: [], rates: [{ agreementId: '7', publisherId: '101', paymentRate }], pools: [] }),
})
const ANSWERS = {
  MediumOptions: {
    availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
  },
  WhatIfBasis: BASIS,
  WhatIfMonth: RESULT,
  WhatIfDrafts: { whatIfDrafts: [draft('3', '支払率60%案', 6_000), draft('4', '支払率55%案', 5_500)] },
}
const PATH = '/adjustments/what-if/month=2026-10&mediumId=1'
const show = (answers: object = {}, path = PATH) =>
  showScreen({ screens: [whatIfRoute], path, role: 'insight:editor', answers: { ...ANSWERS, ...answers } })

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

describe('what is sent', () => {
  test('only what differs; a draft comes back as it was kept', () => {
    expect(countChanges(NO_CHANGE)).toBe(0)
    const change = {
      payoutThreshold: 5_000,
      agreements: { '7': { isPaymentDisabled: true }, '8': {} },
      rates: { '7/101': { paymentRate: 6_000 } },
      pools: { '9': 1 },
    }
    expect(countChanges(change)).toBe(4)
    const input = inputOf(change)
    expect(input).toEqual({
      payoutThreshold: 5_000,
      agreements: [{ agreementId: '7', isPaymentDisabled: true }],
      rates: [{ agreementId: '7', publisherId: '101', paymentRate: 6_000 }],
      pools: [{ dividendId: '9', extraRevenue: 1 }],
    })
    expect(inputOf(changeOf(JSON.stringify(input)))).toEqual(input)
  })
})

describe('screen', () => {
  test('a rate is changed, tried, and the difference shown by payee', async () => {
    const { operations } = await show()
    await page.getByRole('button', { name: '東都新聞 配信契約の条件を変える' }).click()
    const run = page.getByRole('button', { name: '試算する', exact: true })
    await expect.element(run).toBeDisabled()
    await page.getByRole('textbox', { name: '自社広告の支払率' }).fill('60')
    await page.getByRole('textbox', { name: 'SSPの原資' }).fill('200000')
    await page.getByRole('checkbox', { name: '支払を停止する' }).click()
    await page.getByRole('checkbox', { name: '支払を停止する' }).click()
    await expect.element(page.getByText('変更 2項目')).toBeVisible()
    await expectAccessible()
    await run.click()
    await expect
      .poll(() => operations.find(each => each.name === 'WhatIfMonth')?.variables)
      .toEqual({
        ...{ month: '2026-10', mediumId: '1' },
        change: {
          agreements: [],
          rates: [{ agreementId: '7', publisherId: '101', paymentRate: 6_000 }],
          pools: [{ dividendId: '9', extraRevenue: 200_000 }],
        },
      })
    await expect.element(page.getByRole('row', { name: /支払額（税抜・円） 50,000 60,000 \+10,000/ })).toBeVisible()
    await expect.element(page.getByText('支払がなくなる契約が1件あります。')).toBeVisible()
    await expect.element(page.getByRole('row', { name: /東都新聞社.*\+10,000/ })).toBeVisible()
    await expectAccessible()
    // A result that no longer fits what is entered is not left standing.
    await page.getByRole('textbox', { name: '自社広告の支払率' }).fill('61')
    await expect.element(page.getByText('条件が変わりました。もう一度試算してください。')).toBeVisible()
    expect(page.getByRole('heading', { name: '試算の結果' }).elements()).toHaveLength(0)
  })

  test('what cannot be computed says why', async () => {
    await show({ WhatIfMonth: refusedWith('payment/pool-without-target', '分配の対象がありません。', ['change']) })
    await page.getByRole('button', { name: '東都新聞 配信契約の条件を変える' }).click()
    await page.getByRole('checkbox', { name: 'SSPの分配対象', exact: true }).click()
    await page.getByRole('button', { name: '試算する', exact: true }).click()
    await expect.element(page.getByRole('alert').getByText('分配の対象がありません。')).toBeVisible()
  })

  test('drafts: saved by name, opened by their address, compared side by side', async () => {
    const { operations } = await show(
      {
        SaveWhatIfDraft: {
          saveWhatIfDraft: { __typename: 'WhatIfDraft', id: '3', name: '支払率62%案', revision: 2 },
        },
      },
      `${PATH}&draftId=3`,
    )
    await expect.element(page.getByText('「支払率60%案」を編集中')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: '自社広告の支払率' })).toHaveValue('60')
    await page.getByRole('checkbox', { name: /支払率60%案/ }).click()
    await page.getByRole('checkbox', { name: /支払率55%案/ }).click()
    await page.getByRole('button', { name: '選択した試算を比較する' }).click()
    await expect.element(page.getByRole('columnheader', { name: '支払率55%案' })).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'この条件を保存する' }).click()
    const dialog = page.getByRole('dialog', { name: 'この条件を保存' })
    const name = dialog.getByRole('textbox', { name: '試算の名前' })
    await name.fill('支払率\u202e62%案')
    await dialog.getByRole('button', { name: '上書きして保存する' }).click()
    await expect.element(name).toHaveAccessibleDescription(/表示されない文字/)
    expect(operations.some(each => each.name === 'SaveWhatIfDraft')).toBe(false)
    await name.fill('支払率62%案')
    await dialog.getByRole('button', { name: '上書きして保存する' }).click()
    await expect
      .poll(() => operations.find(each => each.name === 'SaveWhatIfDraft')?.variables)
      .toMatchObject({ expectedRevision: 1, input: { id: '3', name: '支払率62%案', month: '2026-10', mediumId: '1' } })
    await expect.element(page.getByText('「支払率62%案」を保存しました。')).toBeVisible()
  })

  test('a phone shows it without scrolling sideways', async () => {
    await page.viewport(390, 844)
    await show()
    await page.getByRole('button', { name: '東都新聞 配信契約の条件を変える' }).click()
    await expect.element(page.getByRole('textbox', { name: '自社広告の支払率' })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })
})
