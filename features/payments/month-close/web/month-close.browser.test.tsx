import '@pc/ui/theme/styles.ts'
import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { manualOperationCreateRoute } from '../../manual-operations/web/manual-operation-create-route.ts'
import { monthCloseRoute } from './month-close-route.ts'

const SCREENS = [monthCloseRoute, manualOperationCreateRoute]
const MEDIA = [
  { __typename: 'Medium', id: '1', name: 'ニュースアプリ' },
  { __typename: 'Medium', id: '2', name: 'クーポンアプリ' },
]
const check = (kind: string, label: string, state: string, detail: string, link: string | null = null) => ({
  ...{ __typename: 'CloseCheck', kind, label, state, detail, link, subject: null, acknowledgements: [] },
})
const PROGRESS = {
  ...{ __typename: 'MonthCloseProgress', unnotifiedStatements: 0, statementsWithoutRecipient: 0 },
  ...{ scheduledPayments: 0, exportedPayments: 0, paidPayments: 0 },
}
const row = (mediumId: string, mediumName: string, checks: readonly object[], more: object = {}) => ({
  ...{ __typename: 'MonthCloseRow', mediumId, mediumName, state: 'computed', computedAt: '2026-11-02T00:00:00Z' },
  ...{ finalizedAt: null, hash: null, payments: 3, payment: 1_000, paymentIncludingTax: 1_100, canFinalize: true },
  ...{ carriedOver: 6_000, heldForAccount: 4_000, unpaidPayments: 0 },
  ...{ previousPaymentIncludingTax: 1_000, returnedPayments: 0, progress: PROGRESS },
  checks,
  ...more,
})
const GREEN = check('month_over', '月の終了', 'green', '月は終わっています。')
const RED_JOBS = check(
  ...(['jobs', '処理の完了', 'red', '失敗した処理が1件あります。'] as const),
  '/adjustments/dividend/month=2026-10',
)
const RED_STATEMENTS = check(
  ...(['statements', '支払通知書', 'red', '必要な項目が足りない契約が1件あります。'] as const),
  '/managements/agreements/edit/7',
)
const RED_AGREEMENTS = check(
  ...(['agreements', '契約の計算', 'red', '計算後にデータが変わりました。'] as const),
  '/adjustments/dividend/month=2026-10',
)
const MANUAL_OPERATION = {
  ...{ __typename: 'Dividend', id: '9', mediumId: '2', kind: 'ssp_live', dividendMethod: 'payment', extraRevenue: 500 },
  ...{ extraRevenueMonth: '2026-10', notes: '', jobStatus: 'failed', progress: 0, failureText: '対象がありません。' },
  ...{ completedAt: null, createdAt: '2026-11-02T00:00:00Z', reversedByDividendId: null, withdrawnAt: null },
  user: { __typename: 'DividendUser', email: 'keiri@example.jp' },
}
const OPERATION = {
  ...{ __typename: 'MonthlyDividendManualOperation', id: '5', dividendMonth: '2026-10', dividendExtraRevenue: 500 },
  ...{ dividendExtraRevenuePayment: 500, dividendExtraRevenueDiscard: 0, hasBeenFinalized: false, finalizedAt: null },
  dividends: [MANUAL_OPERATION],
}
const LOG = {
  ...{ __typename: 'MonthCloseLogEntry', id: '3', mediumId: '1', at: '2026-11-02T00:00:00Z' },
  ...{ actorEmail: 'keiri@example.jp', action: 'job_created', detail: '処理 9（ssp_live）' },
}
const VIOLATION = {
  ...{ __typename: 'InvariantViolation', mediumId: '1', month: '2026-09', foundAt: '2026-11-02T00:00:00Z' },
  ...{ invariant: 'I3', row: 'agreement 7', detail: '累計が一致しません。' },
}
function answers(rows: readonly object[], more: object = {}) {
  return {
    CloseConsequences: {
      monthCloseConsequences: {
        ...{ __typename: 'MonthCloseConsequences', statements: 3, payees: 2, recipients: 4 },
        payeesWithoutRecipient: ['みなと出版', 'あおい新聞', 'ひなた社', 'くるみ社', 'まちの社', 'のぞみ社'],
        payeesWithoutRecipientCount: 27,
      },
    },
    MediumOptions: { availableMedia: { __typename: 'MediumList', nodes: MEDIA } },
    MonthClose: {
      monthCloseBoard: rows,
      monthCloseLog: [LOG],
      invariantViolations: [],
      monthlyDividendManualOperations: { __typename: 'MonthlyDividendManualOperationList', nodes: [OPERATION] },
      ...more,
    },
  }
}
const RED_AND_GREEN = [
  row('1', 'ニュースアプリ', [GREEN]),
  row('2', 'クーポンアプリ', [GREEN, RED_JOBS, RED_STATEMENTS, RED_AGREEMENTS], { canFinalize: false }),
]
const PATH = '/adjustments/dividend/month=2026-10'

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

describe('close board', () => {
  test('every red cell leads to its cure, elsewhere or on the same screen', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: { ...answers(RED_AND_GREEN), ComputeMonth: { computeMonth: true } },
    })
    const checks = page.getByRole('list', { name: 'クーポンアプリの確認項目' })
    await expect.element(checks.getByText(/処理の完了/)).toBeVisible()
    // Exceptions alone: what is in order is a level below.
    await expect.element(checks.getByText('月の終了')).not.toBeInTheDocument()
    await page.getByRole('button', { name: '確認項目を見る（要対応 3件）' }).click()
    await expect.element(checks.getByText('月の終了')).toBeVisible()
    await expect
      .element(checks.getByRole('link', { name: '足りない項目を登録する' }))
      .toHaveAttribute('href', '#/managements/agreements/edit/7')
    await page.getByRole('button', { name: '調整の一覧', exact: true }).click()
    await expect.element(page.getByRole('table', { name: '調整の一覧' })).not.toBeInTheDocument()
    await checks.getByRole('button', { name: '調整の一覧へ' }).click()
    await expect.element(page.getByRole('table', { name: '調整の一覧' })).toBeVisible()
    await expect.poll(() => document.activeElement?.textContent).toContain('調整の一覧')
    await checks.getByRole('button', { name: '計算し直す' }).click()
    await expect
      .poll(() => operations.find(each => each.name === 'ComputeMonth')?.variables)
      .toMatchObject({ month: '2026-10', mediumId: '2' })
    // Until the board shows another time of the computation it is under way.
    const row = page.getByRole('region', { name: '月次締め' })
    await expect.element(row.getByRole('button', { name: '計算しています…' })).toBeDisabled()
    await expectAccessible()
  })

  test('the step that is blocked leads to the first medium that blocks it', async () => {
    const rows = [
      row('1', 'ニュースアプリ', [GREEN]),
      row('2', 'クーポンアプリ', [GREEN, RED_JOBS], { canFinalize: false }),
    ]
    await showScreen({ screens: SCREENS, path: PATH, role: 'insight:admin', answers: answers(rows) })
    await page.getByRole('button', { name: '要対応の項目へ移動する' }).click()
    expect(document.activeElement?.ariaLabel).toBe('クーポンアプリ')
  })

  test('what may have a good reason is acknowledged with it, and the reason stays to be read', async () => {
    const odd = {
      ...check('amounts', '金額の変動', 'amber', '収益がいつもの額と大きく異なる契約が1件あります。'),
      subject: 'a'.repeat(64),
    }
    const acknowledgement = {
      ...{ __typename: 'CloseAcknowledgement', reason: '特集があった', byEmail: 'keiri@example.jp' },
      at: '2026-11-02T00:00:00Z',
    }
    let isKnown = false
    const board = () =>
      answers([
        row('1', 'ニュースアプリ', [
          GREEN,
          isKnown ? { ...odd, state: 'green', acknowledgements: [acknowledgement] } : odd,
        ]),
      ]).MonthClose
    const keep = () => {
      isKnown = true
      return { acknowledgeCloseCheck: true }
    }
    const { operations } = await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: { ...answers([]), MonthClose: board, AcknowledgeCloseCheck: keep },
    })
    await page.getByRole('button', { name: 'ニュースアプリの「金額の変動」を確認済みにする' }).click()
    const dialog = page.getByRole('dialog', { name: '「金額の変動」を確認済みにする' })
    await dialog.getByRole('button', { name: '確認済みにする' }).click()
    await expect.element(dialog.getByText('問題のない理由を入力してください。')).toBeVisible()
    await dialog.getByRole('textbox', { name: /問題のない理由/ }).fill('特集があった')
    await dialog.getByRole('button', { name: '確認済みにする' }).click()
    await expect
      .poll(() => operations.find(each => each.name === 'AcknowledgeCloseCheck')?.variables)
      .toMatchObject({ month: '2026-10', mediumId: '1', kind: 'amounts', subject: odd.subject, reason: '特集があった' })
    await page.getByRole('button', { name: /^確認項目を見る/ }).click()
    await expect.element(page.getByText(/^確認済み：特集があった（keiri@example.jp、2026年11月2日/)).toBeVisible()
    await expectAccessible()
  })

  test('the reasons of a closed month stay to be read, and nothing more can be acknowledged', async () => {
    const reason = (text: string, at: string) => ({
      ...{ __typename: 'CloseAcknowledgement', reason: text, byEmail: 'keiri@example.jp', at },
    })
    const known = {
      ...check('amounts', '金額の変動', 'green', '確定済みです。'),
      acknowledgements: [
        reason('特集があった', '2026-11-02T00:00:00Z'),
        reason('特集の集計を直した', '2026-11-03T00:00:00Z'),
      ],
    }
    const closed = { state: 'finalized', finalizedAt: '2026-11-04T00:00:00Z', hash: 'a'.repeat(64), canFinalize: false }
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: answers([row('1', 'ニュースアプリ', [GREEN, known], closed)]),
    })
    await page.getByRole('button', { name: '確認項目を見る（確認済み 1件）' }).click()
    await expect
      .element(page.getByRole('list', { name: 'ニュースアプリの確認項目' }).getByText('確定済み（理由あり）'))
      .toBeVisible()
    await expect.element(page.getByText(/^確認済み：特集があった（keiri@example.jp、2026年11月2日/)).toBeVisible()
    await expect.element(page.getByText(/^確認済み：特集の集計を直した（keiri@example.jp、2026年11月3日/)).toBeVisible()
    expect(page.getByRole('button', { name: /確認済みにする|理由を変更する/ }).elements()).toHaveLength(0)
    await expectAccessible()
  })

  test('what may still be looked at stands in the question, and how many of the agreements pay nothing', async () => {
    const amber = check('law', '法令', 'amber', '取適法の対象か確認していない契約が2件あります。')
    const acknowledged = {
      ...check('amounts', '金額の変動', 'amber', '収益がいつもの額と大きく異なる契約が1件あります。'),
      acknowledgements: [
        {
          __typename: 'CloseAcknowledgement',
          at: '2026-11-02T00:00:00Z',
          byEmail: 'a@example.jp',
          reason: '季節',
        },
      ],
    }
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: answers([row('1', 'ニュースアプリ', [GREEN, amber, acknowledged], { unpaidPayments: 2 })]),
    })
    await expect.element(page.getByRole('link', { name: '支払 3件（うち繰越・保留 2件）' })).toBeVisible()
    await page.getByRole('button', { name: '2026年10月分を確定する' }).click()
    const dialog = page.getByRole('dialog', { name: '2026年10月分を確定しますか？' })
    const open = dialog.getByRole('list', { name: 'ニュースアプリの注意' }).getByRole('listitem')
    await expect
      .element(open.first())
      .toMatchTextContent('法令（注意）：取適法の対象か確認していない契約が2件あります。')
    await expect.element(open.last()).toMatchTextContent(/金額の変動（確認済み）/)
    await expect.element(dialog.getByText('3件（うち繰越・保留 2件） / 1,100円')).toBeVisible()
    await expect.element(dialog.getByText('前月 1,000円（+100円、+10.0%）')).toBeVisible()
    await expect
      .element(dialog.getByText('支払通知書を3件（支払先2社）発行し、4名にメールで通知します。'))
      .toBeVisible()
    await expect
      .element(dialog.getByText(/利用者がいない支払先が27社あります（みなと出版、.*まちの社ほか22社）/))
      .toBeVisible()
    await expect.element(dialog.getByRole('checkbox', { name: /ニュースアプリ/ })).toBeChecked()
    await expectAccessible()
  })

  test('everything that is not computed is computed at once', async () => {
    const open = { state: 'open', computedAt: null, canFinalize: false }
    const { operations } = await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:editor',
      answers: {
        ...answers([
          row('1', 'ニュースアプリ', [GREEN], open),
          row('2', 'クーポンアプリ', [RED_AGREEMENTS], { canFinalize: false }),
          row('3', 'ポータル', [GREEN]),
        ]),
        ComputeMonth: { computeMonth: true },
      },
    })
    const steps = page.getByRole('navigation', { name: '月次締めの流れ' })
    await expect.element(steps.getByRole('listitem').first()).toHaveAttribute('aria-current', 'step')
    await steps.getByRole('button', { name: '2媒体をまとめて計算する' }).click()
    await expect
      .poll(() => operations.filter(each => each.name === 'ComputeMonth').map(each => each.variables.mediumId))
      .toEqual(['1', '2'])
    await expect.element(steps.getByRole('button', { name: '計算しています…' })).toBeDisabled()
    await expectAccessible()
  })

  test('a closed month says what it pays against the month before, and leads to the transfers', async () => {
    const closed = { state: 'finalized', finalizedAt: '2026-11-04T00:00:00Z', canFinalize: false }
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: answers([
        row('1', 'ニュースアプリ', [GREEN], { ...closed, progress: { ...PROGRESS, scheduledPayments: 3 } }),
        row('2', 'クーポンアプリ', [GREEN], closed),
      ]),
    })
    await expect
      .element(page.getByText('2026年10月分はすべての媒体が確定済みです。', { exact: false }))
      .toMatchTextContent(/支払額（税込） 2,200円、前月 2,000円（\+200円、\+10\.0%）、繰越・保留（税抜） 12,000円/)
    const steps = page.getByRole('navigation', { name: '月次締めの流れ' })
    await expect
      .element(steps.getByRole('link', { name: '振込データを作成する' }))
      .toHaveAttribute('href', '#/adjustments/transfers/dialog=create')
    // Nothing can be entered any more: the list is one level below.
    await expect.element(page.getByRole('button', { name: '調整の一覧' })).toHaveAttribute('aria-expanded', 'false')
    await expectAccessible()
  })

  test('a month that cannot be read says so and is tried again; one without media says that', async () => {
    let fails = true
    const board = () => (fails ? new Error('away') : answers([]).MonthClose)
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: { ...answers([]), MonthClose: board },
    })
    await expect.element(page.getByText('データを読み込めませんでした')).toBeVisible()
    fails = false
    await page.getByRole('button', { name: /もう一度/ }).click()
    await expect.element(page.getByText('この月に締める媒体はありません')).toBeVisible()
    await expectAccessible()
  })

  test('payees whom nobody can write to are one press away', async () => {
    const closed = { state: 'finalized', finalizedAt: '2026-11-04T00:00:00Z', canFinalize: false }
    const progress = { ...PROGRESS, statementsWithoutRecipient: 2 }
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: answers([row('1', 'ニュースアプリ', [GREEN], { ...closed, progress })]),
    })
    await expect
      .element(page.getByRole('link', { name: '未通知の支払通知書を確認する' }))
      .toHaveAttribute('href', '#/histories/statements/month=2026-10&monthTo=2026-10&state=unconfirmed')
    await expectAccessible()
  })

  test('who may not send money is not offered it', async () => {
    const closed = { state: 'finalized', finalizedAt: '2026-11-04T00:00:00Z', canFinalize: false }
    const progress = { ...PROGRESS, scheduledPayments: 3, exportedPayments: 2 }
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:editor',
      answers: answers([row('1', 'ニュースアプリ', [GREEN], { ...closed, progress })]),
    })
    const steps = page.getByRole('navigation', { name: '月次締めの流れ' })
    await expect.element(steps.getByText('振込待ち 3件')).toBeVisible()
    expect(steps.getByRole('link').elements()).toHaveLength(0)
  })

  test('many media: the message after the close names the first; on a phone nothing leaves the question', async () => {
    await page.viewport(390, 844)
    const long = 'とても長い名前のニュースとクーポンのアプリABCDEFGHIJKLMNOPQRSTUVWXYZ'
    const large = { payments: 1_300, unpaidPayments: 100, paymentIncludingTax: 1_023_563_343 }
    const many = Array.from({ length: 30 }, (_, index) => row(`${index + 1}`, `${long}${index + 1}`, [GREEN], large))
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: {
        ...answers(many),
        FinalizeMonth: { finalizeMonthlyDividendManualOperation: { ...OPERATION, hasBeenFinalized: true } },
      },
    })
    await page.getByRole('button', { name: '2026年10月分を確定する' }).click()
    const dialog = page.getByRole('dialog', { name: '2026年10月分を確定しますか？' })
    await expect.element(dialog.getByText(/27社あります/)).toBeVisible()
    const body = dialog.element().querySelector('[data-part=body]')!
    expect(body.scrollWidth).toBeLessThanOrEqual(body.clientWidth)
    await dialog.getByRole('button', { name: '2026年10月分を確定する' }).click()
    await expect.element(page.getByText(/5ほか25媒体の2026年10月分を確定しました。$/)).toBeVisible()
  })

  test('finalising names what is red and closes only what can be closed', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: {
        ...answers(RED_AND_GREEN),
        FinalizeMonth: {
          finalizeMonthlyDividendManualOperation: { ...OPERATION, hasBeenFinalized: true },
        },
      },
    })
    await page.getByRole('button', { name: '2026年10月分を確定する' }).click()
    const dialog = page.getByRole('dialog', { name: '2026年10月分を確定しますか？' })
    const reasons = dialog.getByRole('list', { name: 'クーポンアプリを確定できない理由' })
    await expect.element(reasons.getByText('処理の完了：失敗した処理が1件あります。')).toBeVisible()
    await expect.element(dialog.getByRole('checkbox', { name: /クーポンアプリ/ })).toBeDisabled()
    await expect
      .element(
        dialog.getByText(
          '今回支払わず、翌月以降に繰り越す額（税抜）は6,000円です。このうち4,000円は、使える振込口座がないため支払われません（保留）。',
        ),
      )
      .toBeVisible()
    await expectAccessible()
    await dialog.getByRole('button', { name: '2026年10月分を確定する' }).click()
    await expect
      .poll(() => operations.find(each => each.name === 'FinalizeMonth')?.variables)
      .toMatchObject({ id: '5', mediumIds: ['1'] })
    await expect.element(page.getByText('ニュースアプリの2026年10月分を確定しました。')).toBeVisible()
  })

  test('what the server refuses meanwhile stays in the dialog, each with its medium', async () => {
    const refusals = [
      ['1', '計算し直してから確定してください。'],
      // As the server says it where it knows the name.
      ['2', 'クーポンアプリ：計算し直してから確定してください。'],
    ].map(([mediumId, message]) => ({ code: 'payment/draft-stale', path: [], data: { mediumId }, message }))
    const message = refusals.map(refusal => refusal.message).join('\n')
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: {
        ...answers([row('1', 'ニュースアプリ', [GREEN]), row('2', 'クーポンアプリ', [GREEN])]),
        FinalizeMonth: new CombinedGraphQLErrors({
          data: null,
          errors: [{ message, extensions: { code: 'BAD_REQUEST', refusals } }],
        }),
      },
    })
    await page.getByRole('button', { name: '2026年10月分を確定する' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '2026年10月分を確定する' }).click()
    const problems = dialog.getByRole('alert').getByRole('listitem')
    await expect.element(problems.first()).toHaveTextContent('ニュースアプリ：計算し直してから確定してください。')
    await expect.element(problems.nth(1)).toMatchTextContent(/^クーポンアプリ：計算し直してから確定してください。$/)
  })

  test('with everything red nothing can be pressed', async () => {
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: answers([RED_AND_GREEN[1]!]),
    })
    await page.getByRole('button', { name: '2026年10月分を確定する' }).click()
    const dialog = page.getByRole('dialog')
    await expect.element(dialog.getByRole('button', { name: '2026年10月分を確定する' })).toBeDisabled()
    await expect.element(dialog.getByText('要対応の項目を解消すると確定できます。')).toBeVisible()
  })

  test('the banner names violations of any month, the log says who did what, the chain is checked on demand', async () => {
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:viewer',
      answers: {
        ...answers(RED_AND_GREEN, { invariantViolations: [VIOLATION] }),
        CheckFinalizedChains: {
          checkFinalizedChains: [
            {
              ...{ __typename: 'CheckedChain', mediumId: '1', mediumName: 'ニュースアプリ', months: 9 },
              breaks: [{ __typename: 'ChainBreak', month: '2026-08', agreementId: '7' }],
            },
          ],
        },
      },
    })
    const banner = page.getByRole('alert', { name: '自動検査の不一致' })
    await expect.element(banner.getByRole('link', { name: 'ニュースアプリ 2026年9月分' })).toBeVisible()
    const log = page.getByRole('region', { name: '締めの記録' })
    await log.getByRole('button', { name: '締めの記録' }).click()
    await expect.element(log.getByText('ライブSSP収益の分配')).toBeVisible()
    await log.getByRole('button', { name: '確定済みの記録を検証する' }).click()
    await expect.element(log.getByText(/2026年8月分が確定時の内容と一致しません（契約 7）/)).toBeVisible()
    // Who may only look is offered nothing to do.
    expect(page.getByRole('button', { name: '計算する' }).elements()).toHaveLength(0)
    expect(page.getByRole('button', { name: '2026年10月分を確定する' }).elements()).toHaveLength(0)
  })

  test.each([390, 900, 1100])(
    '%i px show it without scrolling sideways, a wide table in its own place',
    async width => {
      await page.viewport(width, 844)
      const user = { __typename: 'DividendUser', email: `${'keiri'.repeat(16)}@example.jp` }
      const operation = { ...OPERATION, dividends: [{ ...MANUAL_OPERATION, user }] }
      const more = {
        monthlyDividendManualOperations: { __typename: 'MonthlyDividendManualOperationList', nodes: [operation] },
      }
      await showScreen({ screens: SCREENS, path: PATH, role: 'insight:admin', answers: answers(RED_AND_GREEN, more) })
      await expect.element(page.getByRole('heading', { name: '月次締め' })).toBeVisible()
      await expect.element(page.getByText(user.email)).toBeInTheDocument()
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    },
  )
})

describe('a board that follows what happens', () => {
  const RUNNING = { ...MANUAL_OPERATION, id: '11', mediumId: '1', jobStatus: 'running', failureText: null }
  const WAITING = check('invariants', '自動検査', 'waiting', '計算後に検査します。')
  const CHECKED = check('invariants', '自動検査', 'green', '不一致はありません。')
  const operation = (dividend: object) => ({
    __typename: 'MonthlyDividendManualOperationList',
    nodes: [{ ...OPERATION, dividends: [dividend] }],
  })
  const news = (state: string, computedAt: string | null, checks: readonly object[]) =>
    row('1', 'ニュースアプリ', checks, { state, computedAt, canFinalize: false })
  /** One answer after the other; the last one stays. */
  const inTurn = (steps: readonly object[]) => {
    let operations = 0
    return () => {
      const step = steps[Math.min(operations, steps.length - 1)]!
      operations += 1
      return { ...answers([]).MonthClose, ...step }
    }
  }

  test('a job ends, the month is computed and checked: the board updates without a reload', async () => {
    const done = { ...RUNNING, jobStatus: 'success' }
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: {
        ...answers([]),
        MonthClose: inTurn([
          { monthCloseBoard: [news('open', null, [WAITING])], monthlyDividendManualOperations: operation(RUNNING) },
          { monthCloseBoard: [news('open', null, [WAITING])], monthlyDividendManualOperations: operation(done) },
          {
            monthCloseBoard: [news('computed', '2026-11-02T03:00:00Z', [WAITING])],
            monthlyDividendManualOperations: operation(done),
          },
          {
            monthCloseBoard: [news('computed', '2026-11-02T03:00:00Z', [CHECKED])],
            monthlyDividendManualOperations: operation(done),
          },
        ]),
      },
    })
    await expect.element(page.getByRole('button', { name: '確認項目を見る（確認待ち 1件）' })).toBeVisible()
    await expect
      .element(page.getByRole('button', { name: '確認項目を見る（問題なし）' }), { timeout: 30_000 })
      .toBeVisible()
  })

  test('of a month that is final nothing is said to be in order that nobody looks at any more', async () => {
    const final = { state: 'finalized', finalizedAt: '2026-11-02T03:00:00Z', canFinalize: false }
    await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:admin',
      answers: answers([row('1', 'ニュースアプリ', [GREEN], final)]),
    })
    await page.getByRole('button', { name: /^確認項目を見る/ }).click()
    const checks = page.getByRole('list', { name: 'ニュースアプリの確認項目' })
    await expect.element(checks.getByText('確定済み')).toBeVisible()
    await expect.element(checks.getByText('問題なし')).not.toBeInTheDocument()
  })

  test('one failed entry is withdrawn, after a question', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: PATH,
      role: 'insight:editor',
      answers: {
        ...answers(RED_AND_GREEN),
        MonthClose: inTurn([
          answers(RED_AND_GREEN).MonthClose,
          {
            ...answers(RED_AND_GREEN).MonthClose,
            monthlyDividendManualOperations: operation({ ...MANUAL_OPERATION, withdrawnAt: '2026-11-02T04:00:00Z' }),
          },
        ]),
        WithdrawManualOperation: {
          withdrawDividend: { __typename: 'MonthlyDividend', id: '9', withdrawnAt: '2026-11-02T04:00:00Z' },
        },
      },
    })
    await page.getByRole('button', { name: 'この調整を取り下げる' }).click()
    const question = page.getByRole('alertdialog', {
      name: /クーポンアプリの「ライブSSP収益の分配」（500円）を取り下げ/,
    })
    await expectAccessible()
    await question.getByRole('button', { name: 'この調整を取り下げる' }).click()
    await expect
      .poll(() => operations.find(each => each.name === 'WithdrawManualOperation')?.variables)
      .toMatchObject({ id: '9' })
    await expect.element(page.getByText('取り下げ済み')).toBeVisible()
    // The button is gone, and its row is where it was.
    await expect.element(page.getByRole('row').filter({ hasText: '取り下げ済み' })).toHaveFocus()
    await expect.element(page.getByRole('status').filter({ hasText: 'を取り下げました。' })).toBeVisible()
    expect(page.getByRole('button', { name: 'この調整を取り下げる' }).elements()).toHaveLength(0)
  })
})

describe('new entry', () => {
  const preview = (more: object) => ({
    previewDividend: {
      ...{ __typename: 'DividendPreview', isAcceptable: false, total: 100, shared: 100, retained: 0 },
      ...{ errors: [], rows: [], ...more },
    },
  })
  async function fillIn(raw: string) {
    await page.getByRole('combobox', { name: '媒体' }).selectOptions('1')
    await page.getByRole('textbox', { name: 'CSV' }).fill(raw)
  }

  test('rows with errors are named by line before anything is booked', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/adjustments/dividend/create/2026-10',
      role: 'insight:admin',
      answers: {
        ...answers([]),
        PreviewManualOperation: preview({
          errors: [
            {
              __typename: 'DividendRowError',
              line: 2,
              field: 'publisherId',
              message: '見出しを除く2行目：組み合わせがありません。',
            },
          ],
        }),
      },
    })
    await fillIn('契約ID,パブリッシャーID,金額,理由\n7,101,-500,invalid_traffic\n9,9,100,')
    await page.getByRole('button', { name: '内容を確認する' }).click()
    await expect.element(page.getByText('見出しを除く2行目：組み合わせがありません。', { exact: true })).toBeVisible()
    expect(operations.find(each => each.name === 'PreviewManualOperation')?.variables).toMatchObject({
      input: { dividendMonth: '2026-10', kind: 'csv', mediumId: '1' },
      rawData: [
        { agreementId: '7', publisherId: '101', amount: '-500' },
        { agreementId: '9', publisherId: '9', amount: '100' },
      ],
    })
    expect(operations.some(each => each.name === 'CreateManualOperation')).toBe(false)
    await expectAccessible()
  })

  test('the earlier month that is chosen is sent, and the preview says which month each row corrects', async () => {
    const row = {
      ...{ __typename: 'DividendPreviewRow', line: 1, agreementId: '7', agreementName: '朝霧新聞 契約' },
      ...{ publisherId: '101', publisherName: '朝霧デジタル', weight: null, allocated: 0, rateUnits: null },
      ...{ amount: -500, originMonth: '2026-09' },
    }
    const { operations } = await showScreen({
      ...{ screens: SCREENS, path: '/adjustments/dividend/create/2026-10', role: 'insight:admin' },
      answers: { ...answers([]), PreviewManualOperation: preview({ isAcceptable: true, rows: [row] }) },
    })
    await fillIn('契約ID,パブリッシャーID,金額\n7,101,-500')
    await page.getByRole('textbox', { name: '収益の発生月' }).fill('2026/9')
    await page.getByRole('button', { name: '内容を確認する' }).click()
    const table = page.getByRole('table', { name: '計上される行' })
    await expect.element(table.getByRole('columnheader', { name: '収益の発生月' })).toBeVisible()
    await expect.element(table.getByRole('cell', { name: '2026年9月' })).toBeVisible()
    expect(operations.find(each => each.name === 'PreviewManualOperation')?.variables).toMatchObject({
      input: { extraRevenueMonth: '2026-09' },
    })
  })

  test('a reset sends no rows, whatever was typed before its kind was chosen', async () => {
    const { operations } = await showScreen({
      ...{ screens: SCREENS, path: '/adjustments/dividend/create/2026-10', role: 'insight:admin' },
      answers: { ...answers([]), PreviewManualOperation: preview({ total: 0, shared: 0 }) },
    })
    await fillIn('契約ID,パブリッシャーID,重み\n7,101,5')
    await page.getByRole('combobox', { name: '種類' }).selectOptions('reset')
    await expect
      .element(page.getByText(/^選択した媒体の2026年10月分の調整を、SSP収益などの分配も含めてすべて取り消します。/))
      .toBeVisible()
    await page.getByRole('button', { name: '内容を確認する' }).click()
    await expect.element(page.getByText('計上される行はありません')).toBeVisible()
    expect(operations.find(each => each.name === 'PreviewManualOperation')?.variables).toEqual({
      input: expect.objectContaining({ kind: 'reset', mediumId: '1' }),
    })
  })

  test('a row is added by the names of its agreement and publisher, without their ids', async () => {
    const agreement = { __typename: 'Agreement', id: '7', name: '朝霧新聞 契約', code: 'ASG-1', mediumId: '1' }
    const publisher = { __typename: 'Publisher', id: '101', name: '朝霧デジタル', organization: null }
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/adjustments/dividend/create/2026-10',
      role: 'insight:admin',
      answers: {
        ...answers([]),
        AgreementOptions: { agreements: { __typename: 'AgreementList', nodes: [agreement] } },
        PublisherOptions: { publishers: { __typename: 'PublisherList', nodes: [publisher] } },
      },
    })
    await page.getByRole('combobox', { name: '媒体' }).selectOptions('1')
    const choose = async (label: string, name: RegExp) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name }).click()
    }
    const add = page.getByRole('button', { name: '行を追加する' })
    await expect.element(add).toBeDisabled()
    // What was begun is not forgotten.
    await choose('行に加える契約', /ASG-1/)
    await page.getByRole('button', { name: '登録して処理を開始する' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/行に加える契約：入力中の行が残っています。/)
    for (const amount of ['-500', '1200']) {
      await choose('行に加える契約', /朝霧新聞 契約.*ASG-1/)
      await choose('行に加えるパブリッシャー', /朝霧デジタル/)
      await page.getByRole('textbox', { name: '行に加える金額' }).fill(amount)
      await add.click()
      await expect.element(page.getByRole('combobox', { name: '行に加える契約' })).toHaveFocus()
    }
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
    for (const name of ['行に加える契約', 'CSV'])
      await expect.element(page.getByLabelText(name, { exact: true })).not.toHaveAttribute('aria-invalid')
    await expect
      .element(page.getByRole('textbox', { name: 'CSV' }))
      .toHaveValue('契約ID,パブリッシャーID,金額,理由\n7,101,-500,\n7,101,1200,\n')
    expect(operations.findLast(each => each.name === 'AgreementOptions')?.variables).toMatchObject({
      param: { mediumId: '1' },
    })
    await expectAccessible()
  })

  test('a file without its header says so; a refusal of the server stays on the form', async () => {
    await showScreen({
      screens: SCREENS,
      path: '/adjustments/dividend/create/2026-10',
      role: 'insight:admin',
      answers: {
        ...answers([]),
        CreateManualOperation: refusedWith('payment/job-running', '処理中の登録があります。', ['input', 'mediumId']),
      },
    })
    await fillIn('7,101,100')
    await page.getByRole('button', { name: '内容を確認する' }).click()
    await expect
      .element(page.getByText(/見出しに「契約ID」と「パブリッシャーID」と「金額」の列がありません/))
      .toBeVisible()
    await fillIn('契約ID,パブリッシャーID,金額\n7,101,100')
    await page.getByRole('button', { name: '登録して処理を開始する' }).click()
    await expect.element(page.getByText('処理中の登録があります。').first()).toBeVisible()
  })

  test.each([
    ['契約ID,パブリッシャーID,ウェイト\n7,101,3', '1行目の見出しに「重み」の列がありません。'],
    ['契約ID,パブリッシャーID,重み,備考\n7,101,3,秋', '1行目の見出し「備考」は使用できません。'],
    ['契約ID,パブリッシャーID,重み\n7,101,1,000', '見出しを除く1行目：見出しより列が多くあります。'],
    ['契約ID,パブリッシャーID,重み\n7,101,"3\n9,101,4', '引用符（"）が閉じていないか'],
    ['契約ID,パブリッシャーID,重み', '見出しの下に行がありません。'],
    ['7,101,3', '1行目の見出しに「契約ID」と「パブリッシャーID」と「重み」の列がありません。'],
  ])('weights that cannot be read are not left out: %j', async (raw, problem) => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/adjustments/dividend/create/2026-10/kind=ssp&mediumId=1&amount=1000',
      role: 'insight:admin',
      answers: answers([]),
    })
    await expect.element(page.getByRole('textbox', { name: '分配する金額' })).toHaveValue('1,000')
    await page.getByRole('textbox', { name: 'CSV' }).fill(raw)
    await page.getByRole('button', { name: '登録して処理を開始する' }).click()
    await expect.element(page.getByText(problem, { exact: false }).first()).toBeVisible()
    expect(operations.some(each => each.name === 'CreateManualOperation')).toBe(false)
  })

  const showOperation = (operation: string, nodes: readonly object[]) =>
    showScreen({
      screens: SCREENS,
      path: `/adjustments/dividend/create/${operation}`,
      role: 'insight:admin',
      answers: {
        ...answers([]),
        MonthOperation: {
          monthlyDividendManualOperations: { __typename: 'MonthlyDividendManualOperationList', nodes },
        },
      },
    })

  test("an operation's id shows its month", async () => {
    const node = { __typename: 'MonthlyDividendManualOperation', id: '253', dividendMonth: '2026-08' }
    const { operations } = await showOperation('253', [node])
    await expect.element(page.getByRole('heading', { name: '分配金調整の登録（2026年8月分）' })).toBeVisible()
    expect(operations.find(each => each.name === 'MonthOperation')?.variables).toEqual({ param: { id: '253' } })
  })

  test.each(['abc', '254', '2026-13', '2019-01'])('%s names no month: the page is not found', async operation => {
    await showOperation(operation, [])
    await expect.element(page.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
  })
})
