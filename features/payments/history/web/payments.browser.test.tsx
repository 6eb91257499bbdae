import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paymentsByAgreementRoute } from './payments-by-agreement-route.ts'
import { paymentsByPublisherRoute } from './payments-by-publisher-route.ts'
import { paymentsForPublishersRoute } from './payments-for-publishers-route.ts'

const SCREENS = [paymentsByAgreementRoute, paymentsByPublisherRoute, paymentsForPublishersRoute]
const MEDIA = {
  availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
}
const AMOUNTS = {
  ...{ productAdsRevenue: 22_283, sspRevenue: 40_000, videoSSPRevenue: 9_000, liveSSPRevenue: 2_499 },
  ...{ fixedRevenueApplied: 0, minimumTopUpRevenue: 0, revenue: 73_782, manualAdjustmentRevenue: -500 },
  estimatedRevenue: 73_000,
  ...{ carriedOverRevenue: 0, cumulativeRevenue: 73_282, carriedOverToNext: 73_282, payment: 0 },
}
const PAYMENT = {
  ...{ __typename: 'MonthlyPayment', id: '12', agreementId: '7', mediumId: '1', hasBeenFinalized: true },
  ...{ paymentStatus: 'held', paymentStatusLabel: '保留' },
  reasonText: '使用する口座が登録されていないため、保留しています。',
  ...AMOUNTS,
  ...{ taxRate: 10, paymentTax: 0, paymentIncludingTax: 0, revenueGeneratedAtMonth: '2026-06' },
  ...{ finalizedAtMonth: '2026-07', paidAtMonth: null, dueOn: '2026-07-31', statement: null },
  monthlyAgreementSnapshot: {
    ...{
      __typename: 'MonthlyAgreementSnapshot',
      id: '31',
      agreementName: '=東都新聞 配信契約',
      agreementCode: 'TOT-1',
    },
    ...{ partnerName: '東都新聞社', qualifiedInvoiceIssuer: true, invoiceRegistrationNumber: 'T7123456789012' },
  },
}
const PART = {
  ...{ __typename: 'MonthlyPublisherPayment', id: '55', monthlyPaymentId: '12', publisherId: '101' },
  ...{ publisherName: '東都新聞デジタル', agreementName: '東都新聞 配信契約', agreementCode: 'TOT-1', mediumId: '1' },
  ...{ hasBeenFinalized: true, paymentStatusLabel: '繰越', revenueGeneratedAtMonth: '2026-06' },
  reasonText: '支払下限額（5,000円）に満たないため、次月に繰り越します。',
  ...AMOUNTS,
}
const child = (id: string, label: string, amount: string, more: object = {}) => ({
  ...{ __typename: 'ExplainChild', id, label, amount, formula: '', hasChildren: false, sourceKind: null },
  ...{ sourceIds: [], inputs: [], continuesAt: null, ...more },
})
const SNAPSHOT = { __typename: 'ExplainSnapshot', id: '31', month: '2026-06', isFinal: true, hash: 'ab'.repeat(32) }
const TOP = {
  ...{ __typename: 'ExplainNode', id: 'payment/7/revenue', label: '2026-06 収益', amount: '73,782' },
  ...{ formula: 'パブリッシャーごとの額の合計', childrenSum: '73,782', inputs: [], trail: [], snapshot: SNAPSHOT },
  children: [child('publisher/7/101/revenue', '東都新聞デジタル の収益', '73,782', { hasChildren: true })],
}
const BELOW = {
  ...{ __typename: 'ExplainNode', id: 'publisher/7/101/revenue', label: '東都新聞デジタル の収益', amount: '73,782' },
  ...{ formula: '自社広告分 + SSP分', childrenSum: '73,782', inputs: [], snapshot: SNAPSHOT },
  trail: [{ ...{ __typename: 'ExplainStep', id: TOP.id, label: TOP.label, amount: TOP.amount, formula: TOP.formula } }],
  children: [
    child('x/2026-06-01', '2026-06-01', '22,283.950011'),
    child('x/rounding', '端数（切捨て）', '-0.950011', { formula: '円未満を切捨て' }),
    child('x/carried', '前月繰越', '51,499', {
      continuesAt: {
        __typename: 'ExplainContinuation',
        kind: 'publisher_payment',
        id: '44',
        column: 'carriedOverToNext',
      },
    }),
  ],
}
const step = (name: string, label: string, amount: number, level: number, lines: readonly [string, number][]) => ({
  ...{ __typename: 'EstimateBridgeStep', name, label, amount, level },
  lines: lines.map(([line, value]) => ({ __typename: 'EstimateBridgeLine', label: line, amount: value })),
})
const BRIDGE = {
  ...{ __typename: 'EstimateBridge', month: '2026-06', isFinal: true, recordedAt: '2026-07-01T02:00:00Z' },
  ...{ shownRevenue: null, errorRange: null },
  steps: [
    step('estimate', '速報値', 73_000, 73_000, [['自社広告分（速報）', 73_000]]),
    step('late_data', '遅延データの反映', 900, 73_900, [
      ['速報のあとに届いた統計', 1_018],
      ['支払率と端数の差', -118],
    ]),
    step('invalid_traffic', '無効トラフィックの控除', -500, 73_400, [['無効トラフィック（7月9日登録）', -500]]),
    step('pool_allocation', 'SSP配分の確定', 0, 73_400, []),
    step('minimum', '固定額・最低保証', 0, 73_400, []),
    step('adjustment', 'その他の調整', -118, 73_282, [['訂正（7月12日登録、2026年5月分）', -118]]),
    step('final', '確定値', 73_282, 73_282, [['自社広告分', 73_282]]),
  ],
  toPayment: [
    { __typename: 'EstimateBridgePaidLine', label: '確定値', amount: 73_282, isSum: false },
    { __typename: 'EstimateBridgePaidLine', label: '支払額（税込）', amount: 0, isSum: true },
  ],
}
const changeStep = (...given: Parameters<typeof step>) => ({ ...step(...given), __typename: 'PaymentChangeStep' })
const PAYMENT_CHANGE = {
  ...{ __typename: 'PaymentChange', month: '2026-06', monthBefore: '2026-05' },
  sentence: '支払額は、2026年5月分より11,000円減りました。いちばんの要因は、支払率の変更（−10,000円）です。',
  steps: [
    changeStep('before', '2026年5月分の支払額', 81_000, 81_000, []),
    changeStep('rates', '支払率の変更', -10_000, 71_000, [['東都新聞デジタルの自社広告（50% → 45%）', -10_000]]),
    changeStep('tax', '消費税', -1_000, 70_000, []),
    changeStep('now', '2026年6月分の支払額', 70_000, 70_000, []),
  ],
}
const OPEN_BRIDGE = {
  ...BRIDGE,
  ...{ isFinal: false, recordedAt: null, steps: [], toPayment: [], shownRevenue: 80_000 },
  errorRange: { __typename: 'EstimateErrorRange', lowest: -1_200, highest: 300, months: 6 },
}
const ANSWERS = {
  MediumOptions: MEDIA,
  ScreenSettings: { preferences: [], savedViews: [] },
  MonthlyPayments: {
    monthlyPayments: {
      ...{ __typename: 'MonthlyPaymentList', total: 1, sum: 0, sumWithoutTax: 0, taxSum: 0 },
      ...{ sumRevenue: 81_160, sumRevenueTax: 7_378, sumRevenueWithoutTax: 73_782 },
      ...{ sumManualAdjustment: 0, nodes: [PAYMENT] },
    },
  },
  MonthlyPublisherPayments: {
    monthlyPublisherPayments: {
      ...{ __typename: 'MonthlyPublisherPaymentList', total: 1, sumRevenueWithoutTax: 73_782 },
      ...{ sumManualAdjustment: -500, sumWithoutTax: 0, nodes: [PART] },
    },
  },
  EstimateBridge: ({ id }: Readonly<Record<string, unknown>>) => ({
    estimateBridge: id === '12' ? BRIDGE : OPEN_BRIDGE,
  }),
  PaymentChange: { paymentChange: PAYMENT_CHANGE },
  ExplainAmount: ({ path, id }: Readonly<Record<string, unknown>>) => ({
    explainAmount: id === '44' ? null : path === undefined ? TOP : path === BELOW.id ? BELOW : null,
  }),
}
const list = (path: string, role: 'insight:admin' | 'insight:publisher_admin' = 'insight:admin', more: object = {}) =>
  showScreen({ screens: SCREENS, path, role, answers: { ...ANSWERS, ...more } })
const panel = () => page.getByRole('dialog', { name: '金額の内訳' })

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

describe('payments that were paid without a bank file', () => {
  const scheduled = (id: string, name: string) => ({
    ...{ ...PAYMENT, id, paymentStatus: 'scheduled', paymentStatusLabel: '支払予定', reasonText: null },
    ...{ payment: 1_000, paymentTax: 100, paymentIncludingTax: 1_100 },
    monthlyAgreementSnapshot: { ...PAYMENT.monthlyAgreementSnapshot, id: `3${id}`, agreementName: name },
  })
  const nodes = [PAYMENT, scheduled('13', 'あおい書房 配信契約'), scheduled('14', 'みなと放送 配信契約')]
  const LIST = { MonthlyPayments: { monthlyPayments: { ...ANSWERS.MonthlyPayments.monthlyPayments, total: 3, nodes } } }
  const PATH = '/histories/payments-by-agreement/month=2026-06'
  const choose = (name: string) => page.getByRole('checkbox', { name: `2026年6月 ${name}を選択` }).click()

  test('are chosen, and become paid on a day', async () => {
    const { operations } = await list(PATH, 'insight:admin', { ...LIST, MarkPaid: { markPaid: 2 } })
    await choose('=東都新聞 配信契約')
    await expect.element(page.getByRole('button', { name: '「支払予定」の支払を選択してください' })).toBeDisabled()
    await choose('あおい書房 配信契約')
    await choose('みなと放送 配信契約')
    await page.getByRole('button', { name: '2件を支払済みにする' }).click()
    const dialog = page.getByRole('dialog', { name: '振込データを使わずに支払った支払を登録' })
    await expect.element(dialog.getByText('2件、税込 2,200円')).toBeVisible()
    await dialog.getByLabelText('支払日').fill('2026-07-31')
    await expectAccessible()
    await dialog.getByRole('button', { name: '2件を支払済みにする' }).click()
    await expect
      .poll(() => operations.find(each => each.name === 'MarkPaid')?.variables)
      .toMatchObject({ ids: ['13', '14'], paidOn: '2026-07-31' })
    await expect.element(page.getByText('支払2件を支払済みにしました。')).toBeVisible()
  })

  test('what is refused stays in the dialog, the day at its field', async () => {
    await list(PATH, 'insight:admin', {
      ...LIST,
      MarkPaid: refusedWith('payment/paid-on-too-early', '2026年7月1日以降の日付にしてください。', ['paidOn']),
    })
    await choose('あおい書房 配信契約')
    await page.getByRole('button', { name: '1件を支払済みにする' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '1件を支払済みにする' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('2026年7月1日以降の日付にしてください。')
    await expect.element(dialog.getByLabelText('支払日')).toHaveAttribute('aria-invalid', 'true')
  })

  test('what is paid or at the bank comes back, with its reason; what is held does not', async () => {
    const nodes = [
      PAYMENT,
      { ...scheduled('13', 'あおい書房 配信契約'), paymentStatus: 'paid', paymentStatusLabel: '支払済み' },
      { ...scheduled('14', 'みなと放送 配信契約'), paymentStatus: 'exported', paymentStatusLabel: '振込手続き中' },
    ]
    const { operations } = await list(PATH, 'insight:admin', {
      MonthlyPayments: { monthlyPayments: { ...ANSWERS.MonthlyPayments.monthlyPayments, total: 3, nodes } },
      MarkReturned: { markReturned: 2 },
    })
    await choose('=東都新聞 配信契約')
    expect(page.getByRole('button', { name: /組戻しにする/ }).elements()).toHaveLength(0)
    await choose('あおい書房 配信契約')
    await choose('みなと放送 配信契約')
    await page.getByRole('button', { name: '2件を組戻しにする' }).click()
    const dialog = page.getByRole('dialog', { name: '支払2件を組戻しにします' })
    await expect.element(dialog.getByText(/税込 2,200円/)).toBeVisible()
    await expectAccessible()
    await dialog.getByRole('button', { name: '2件を組戻しにする' }).click()
    await expect.element(dialog.getByRole('textbox', { name: '組戻しの理由' })).toHaveAttribute('aria-invalid', 'true')
    expect(operations.some(each => each.name === 'MarkReturned')).toBe(false)
    await dialog.getByRole('textbox', { name: '組戻しの理由' }).fill('口座解約のため')
    await dialog.getByRole('button', { name: '2件を組戻しにする' }).click()
    await expect
      .poll(() => operations.find(each => each.name === 'MarkReturned')?.variables)
      .toMatchObject({ ids: ['13', '14'], reason: '口座解約のため' })
    await expect.element(page.getByText('支払2件を組戻しにしました。')).toBeVisible()
  })

  test('nobody else can choose rows', async () => {
    await list('/histories/payments-for-publishers/month=2026-06', 'insight:publisher_admin', LIST)
    await expect.element(page.getByText(/あおい書房 配信契約/).first()).toBeVisible()
    expect(page.getByRole('checkbox').elements()).toHaveLength(0)
  })
})

describe('the sums above the list', () => {
  const withSums = (sums: object) => ({
    MonthlyPayments: { monthlyPayments: { ...ANSWERS.MonthlyPayments.monthlyPayments, ...sums } },
  })
  const sums = page.getByLabelText('絞り込んだ全件の合計')

  test('what was taken off is not owed any more', async () => {
    const paid = { sumWithoutTax: 68_205, sumManualAdjustment: -5_577 }
    await list('/histories/payments-by-agreement', 'insight:admin', withSums(paid))
    await expect.element(sums).toMatchTextContent(/未払いの収益（税抜）0円/)
    await expect.element(sums).toMatchTextContent(/調整額 −5,577円を加えた額です/)
  })

  test('a month that pays what was carried over says so', async () => {
    await list('/histories/payments-by-agreement', 'insight:admin', withSums({ sumWithoutTax: 80_000 }))
    await expect.element(sums).toMatchTextContent(/前の月までの繰越から支払った額（税抜）6,218円/)
  })
})

describe('lists', () => {
  test('by agreement: months, action type and totals over the whole filter; the reason stands on the row', async () => {
    const { operations } = await list(
      '/histories/payments-by-agreement/month=2026-01&monthTo=2026-06&actionType=discard',
    )
    await expect.element(page.getByText('使用する口座が登録されていないため、保留しています。')).toBeVisible()
    expect(operations.find(each => each.name === 'MonthlyPayments')?.variables).toMatchObject({
      param: { monthFrom: '2026-01', monthTo: '2026-06', actionType: 'discard' },
    })
    await expect.element(page.getByText('81,160')).toBeVisible()
    await page.getByRole('combobox', { name: '種別' }).selectOptions('支払あり')
    await expect.poll(() => location.hash).toContain('actionType=payment')
    await expectAccessible()
  })

  test('months that are named backwards are the first one alone, in the list and in its filter', async () => {
    const { operations } = await list('/histories/payments-by-agreement/month=2026-10&monthTo=2026-01')
    await expect.element(page.getByRole('textbox', { name: '終了月' })).toHaveValue('2026/10')
    expect(operations.find(each => each.name === 'MonthlyPayments')?.variables).toMatchObject({
      param: { monthFrom: '2026-10', monthTo: '2026-10' },
    })
  })

  test('by publisher: the same filters, the reason of the payment, and the way back to all of them', async () => {
    const { operations } = await list('/histories/payments-by-publisher/monthlyPaymentId=12')
    await expect.element(page.getByText(/支払下限額（5,000円）に満たないため/)).toBeVisible()
    await page.getByRole('combobox', { name: '種別' }).selectOptions('破棄あり')
    await expect
      .poll(() => operations.filter(each => each.name === 'MonthlyPublisherPayments').at(-1)?.variables)
      .toMatchObject({ param: { monthlyPaymentId: '12', actionType: 'discard' } })
    await page.getByRole('button', { name: '絞り込みを解除' }).click()
    await expect.poll(() => location.hash).toBe('#/histories/payments-by-publisher')
  })
})

describe('which columns', () => {
  const headers = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map(each => each.textContent)

  test.each([
    ['/histories/payments-by-agreement', 'insight:admin', '支払期日'],
    ['/histories/payments-by-publisher', 'insight:admin', '収益（円）'],
    ['/histories/payments-for-publishers', 'insight:publisher_admin', '支払期日'],
  ] as const)('%s: what is paid and when is in sight without scrolling', async (path, role, last) => {
    // Beside the menu, at 1440 px: the screen of the test has no menu.
    await page.viewport(1440 - 240, 900)
    await list(path, role)
    const place = await page.getByRole('region', { name: '支払の一覧（スクロールできます）' }).findElement()
    const right = place.getBoundingClientRect().left + 1440 - 240 - 64
    for (const name of [/^支払額/, '状態', last]) {
      const header = page.getByRole('columnheader', { name }).first().element()
      expect(header.getBoundingClientRect().right).toBeLessThanOrEqual(right)
    }
  })

  test('by publisher a row names its medium once', async () => {
    await list('/histories/payments-by-publisher', 'insight:admin')
    const row = page.getByRole('row', { name: /ニュースアプリ/ }).first()
    await expect.element(row).toBeVisible()
    expect(row.element().textContent.split('ニュースアプリ')).toHaveLength(2)
  })

  test('a person chooses others, which are kept under the name of the table', async () => {
    const { operations } = await list('/histories/payments-by-agreement', 'insight:admin', {
      SavePreference: { savePreference: { __typename: 'Preference', key: 'columns/payments-by-agreement', value: '' } },
    })
    await page.getByRole('button', { name: '表示項目' }).click()
    const dialog = page.getByRole('dialog', { name: '表示項目' })
    await dialog.getByRole('checkbox', { name: /^累計（円）/ }).click()
    await dialog.getByRole('checkbox', { name: /^支払期日/ }).click()
    await expectAccessible()
    await dialog.getByRole('button', { name: '適用する' }).click()
    await expect.element(page.getByRole('columnheader', { name: '累計（円）' })).toBeVisible()
    expect(headers()).not.toContain('支払期日')
    // Whose row it is, with its medium, stays in sight whatever is chosen.
    await expect.element(page.getByRole('rowheader').getByText('ニュースアプリ', { exact: true })).toBeVisible()
    const saved = operations.find(each => each.name === 'SavePreference')?.variables
    expect(saved?.key).toBe('columns/payments-by-agreement')
    expect(JSON.parse(String(saved?.value))).toContain('cumulativeRevenue')
  })

  test('those chosen before are shown in their order, after what heads the row; unknown ones are left out', async () => {
    await list('/histories/payments-by-publisher', 'insight:admin', {
      ScreenSettings: {
        preferences: [
          {
            ...{ __typename: 'Preference', key: 'columns/payments-by-publisher' },
            value: '["sspRevenue","gone","MONTH"]',
          },
        ],
        savedViews: [],
      },
    })
    await expect.poll(headers).toEqual(['パブリッシャー', 'SSP（円）', '発生月'])
  })
})

describe('explain every yen', () => {
  test('with the keyboard: open, go down, come back, close; the focus returns to the amount', async () => {
    await list('/histories/payments-by-agreement')
    const amount = page.getByRole('button', { name: '収益 73,782円の内訳' })
    ;(await amount.findElement()).focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(panel().getByRole('heading', { name: /2026-06 収益/ })).toBeVisible()
    await expect.element(panel().getByText(/No\.31/)).toBeVisible()
    await expect.poll(() => location.hash).toMatch(/\/explain=payment-12-revenue$/)
    await panel().getByRole('button', { name: '東都新聞デジタル の収益' }).click()
    await expect.element(panel().getByRole('row', { name: /端数（切捨て）.*−0\.950011/ })).toBeVisible()
    await expect.element(panel().getByRole('row', { name: /内訳の合計（上の金額と一致） 73,782/ })).toBeVisible()
    expect(document.activeElement?.textContent).toContain('東都新聞デジタル の収益')
    await expectAccessible()
    await panel().getByRole('navigation', { name: '内訳の階層' }).getByRole('button', { name: '2026-06 収益' }).click()
    await expect.element(panel().getByRole('button', { name: '東都新聞デジタル の収益' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(panel()).not.toBeInTheDocument()
    expect(document.activeElement).toBe(amount.element())
  })

  test('an address opens the very line, and a carry leads to the month before', async () => {
    await page.viewport(390, 844)
    const { operations } = await list(
      '/histories/payments-for-publishers/explain=payment-12-revenue&at=publisher%2F7%2F101%2Frevenue',
      'insight:publisher_admin',
    )
    await panel().getByRole('button', { name: '前の月の内訳を見る' }).click()
    await expect
      .poll(() => operations.filter(each => each.name === 'ExplainAmount').at(-1)?.variables)
      .toEqual({ kind: 'publisher_payment', id: '44', column: 'carriedOverToNext' })
    await expect.element(panel().getByText(/この金額の内訳は表示できません/)).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })

  test('what is paid says why it differs from the month before; a part of it does not', async () => {
    const { operations } = await list('/histories/payments-by-agreement/explain=payment-12-paymentIncludingTax')
    await expect.element(panel().getByText(/いちばんの要因は、支払率の変更/)).toBeVisible()
    const steps = panel().getByRole('table', { name: '前月の支払額から今回の支払額まで' })
    await steps.getByRole('button', { name: '支払率の変更' }).click()
    await expect.element(steps.getByText('東都新聞デジタルの自社広告（50% → 45%）')).toBeVisible()
    expect(operations.filter(({ name }) => name === 'PaymentChange').map(({ variables }) => variables)).toEqual([
      { kind: 'payment', id: '12' },
    ])
    await expectAccessible()
    await panel().getByRole('button', { name: '東都新聞デジタル の収益' }).click()
    await expect.element(panel().getByRole('row', { name: /端数/ })).toBeVisible()
    await expect.element(steps).not.toBeInTheDocument()
  })

  test('an address that names no amount opens nothing', async () => {
    await list('/histories/payments-by-agreement/explain=payment-x-revenue')
    await expect.element(page.getByRole('button', { name: '収益 73,782円の内訳' })).toBeVisible()
    await expect.element(panel()).not.toBeInTheDocument()
  })
})

describe('from the estimate to the final amount', () => {
  const bridge = () => page.getByRole('dialog', { name: '速報から確定まで' })
  const download = () => {
    const saved: string[] = []
    const original = URL.createObjectURL
    URL.createObjectURL = blob => {
      void (blob as Blob).text().then(text => saved.push(text))
      return original.call(URL, blob)
    }
    return { saved, restore: () => Object.assign(URL, { createObjectURL: original }) }
  }

  test('a payee: seven steps, the lines behind one, the way to the payment, and the same as a file', async () => {
    const { operations } = await list('/histories/payments-for-publishers', 'insight:publisher_admin')
    const difference = page.getByRole('button', { name: '速報との差 +282円の理由' })
    ;(await difference.findElement()).focus()
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => operations.find(each => each.name === 'EstimateBridge')?.variables)
      .toEqual({ kind: 'payment', id: '12' })
    const table = bridge().getByRole('table', { name: '2026年6月分の速報値から確定値まで' })
    await expect.element(table.getByRole('row', { name: /速報値 73,000/ })).toBeVisible()
    await expect.element(table.getByRole('row', { name: /無効トラフィックの控除 −500/ })).toBeVisible()
    await expect.element(table.getByRole('row', { name: /確定値 73,282/ })).toBeVisible()
    await table.getByRole('button', { name: '遅延データの反映' }).click()
    await expect.element(table.getByRole('row', { name: '速報のあとに届いた統計 +1,018' })).toBeVisible()
    await expect.element(table.getByRole('row', { name: '支払率と端数の差 −118' })).toBeVisible()
    await expect.element(bridge().getByRole('row', { name: '支払額（税込） 0' })).toBeVisible()
    await expectAccessible()
    const { saved, restore } = download()
    await bridge().getByRole('button', { name: 'CSV' }).click()
    await expect.poll(() => saved[0]).toContain('2026-06,遅延データの反映,速報のあとに届いた統計,1018,')
    restore()
    await userEvent.keyboard('{Escape}')
    await expect.element(bridge()).not.toBeInTheDocument()
    expect(document.activeElement).toBe(difference.element())
  })

  test('a payee whom the menu leads to a month that is not final reads why there is nothing', async () => {
    const none = { ...ANSWERS.MonthlyPayments.monthlyPayments, total: 0, nodes: [] }
    await list('/histories/payments-for-publishers/month=2026-10', 'insight:publisher_admin', {
      MonthlyPayments: { monthlyPayments: none },
    })
    await expect.element(page.getByText('2026年10月分の確定したお支払いはありません')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '絞り込みを解除' })).toBeVisible()
  })

  test('an open month shows how far estimates were off instead of a final; a phone does not scroll sideways', async () => {
    await page.viewport(390, 844)
    await list('/histories/payments-by-agreement/explain=payment-13-estimate')
    await expect
      .element(bridge().getByText(/過去6か月では、確定値は速報値より −1,200円 から \+300円 の範囲/))
      .toBeVisible()
    await expect.element(bridge().getByRole('heading', { name: /2026年6月分の速報値 ?80,000円/ })).toBeVisible()
    expect(bridge().getByRole('table').elements()).toHaveLength(0)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })
})
