import '@pc/ui/theme/styles.ts'
import { downloadName } from '@pc/ui/data/download-name.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { practiceRoute } from './practice-route.ts'

const MEDIUM = {
  __typename: 'PracticeMedium',
  mediumId: '1',
  mediumName: '東都ニュース',
  state: 'open',
  real: 110_000,
  own: 0,
  rows: 0,
  differentRows: 0,
}
const ENTRY = {
  __typename: 'PracticeEntry',
  number: 1,
  mediumId: '1',
  mediumName: '東都ニュース',
  kind: 'ssp',
  method: 'payment',
  amount: 50_000,
  extraRevenueMonth: '2026-09',
  notes: '9月分の明細',
  rowsCsv: '',
}
const CORRECTION = { ...ENTRY, number: 2, kind: 'csv', amount: -1_200, notes: '', rowsCsv: '契約ID\r\n1' }
const ROW = {
  __typename: 'PracticeRow',
  agreementId: '5',
  publisherId: '7',
  mediumName: '東都ニュース',
  hasLateFigures: true,
  partnerName: '株式会社スポーツ暁',
  publisherName: 'スポーツ暁',
  isSame: false,
  realRevenue: 100_000,
  ownRevenue: 99_000,
  realPayment: 100_000,
  ownPayment: 99_000,
}
const practice = (parts: object = {}) => ({
  practice: {
    __typename: 'Practice',
    month: '2026-09',
    copiedAt: '2026-11-20T03:00:00Z',
    media: [MEDIUM],
    entries: [ENTRY, CORRECTION],
    rows: { __typename: 'PracticeRows', total: 0, nodes: [] },
    ...parts,
  },
})
const show = (answer: object) =>
  showScreen({
    screens: [practiceRoute],
    path: '/adjustments/practice',
    role: 'insight:editor',
    answers: { Practice: answer } as Parameters<typeof showScreen>[0]['answers'],
  })

afterEach(() => goTo('#/', { isFinal: true }))

test('before the close it says what to enter, and gives no result away', async () => {
  await show(practice())
  await expect.element(page.getByText('すべての媒体を確定すると、実際の確定と比べられます。')).toBeVisible()
  const entries = page.getByRole('region', { name: '入力するもの' })
  await expect.element(entries.getByText('50,000')).toBeVisible()
  const link = entries.getByRole('link', { name: '東都ニュースのSSP収益の分配を登録する' })
  await expect
    .element(link)
    .toHaveAttribute('href', expect.stringMatching(/#\/adjustments\/dividend\/create\/2026-09\/.*kind=ssp/))
  expect(link.element().getAttribute('href')).not.toContain('50000')
  await expect.element(entries.getByRole('button', { name: '東都ニュースの個別調整（CSV）のCSVを保存' })).toBeVisible()
  await expect.element(page.getByText('まだ計算していません')).toBeVisible()
  await expectAccessible()
})

test('after a close that came out otherwise it names whose amount differs, and what came late', async () => {
  const closed = { ...MEDIUM, state: 'finalized', own: 108_900, rows: 3, differentRows: 1 }
  const { operations } = await show(
    practice({ media: [closed], rows: { __typename: 'PracticeRows', total: 1, nodes: [ROW] } }),
  )
  await expect.element(page.getByText('1件の金額が、実際の確定と違います。下の表で確認してください。')).toBeVisible()
  const rows = page.getByRole('region', { name: 'パブリッシャーごとの比較' })
  await expect.element(rows.getByText('−1,000')).toBeVisible()
  await expect.element(rows.getByText('後から届いた実績あり')).toBeVisible()
  // What is final is not entered again.
  expect(page.getByRole('link', { name: /を登録する$/ }).query()).toBeNull()
  await rows.getByRole('combobox').selectOptions('すべて')
  await expect.poll(() => operations.at(-1)?.variables).toMatchObject({ onlyDifferent: false, offset: 0 })
  await expectAccessible()
})

test('after the same close it says so', async () => {
  await show(practice({ media: [{ ...MEDIUM, state: 'paid', own: 110_000, rows: 3 }] }))
  await expect
    .element(page.getByText('すべてのパブリッシャーの金額が、実際の確定と1円まで一致しました。'))
    .toBeVisible()
})

test('the real system says that it is no practice', async () => {
  await show({ practice: null })
  await expect.element(page.getByText('ここは練習環境ではありません')).toBeVisible()
})

test('files of a practice system are named so, once', () => {
  expect(downloadName('a.csv')).toBe('a.csv')
  document.documentElement.dataset.practice = 'app'
  expect(downloadName('a.csv')).toBe('【練習】a.csv')
  expect(downloadName('【練習】a.pdf')).toBe('【練習】a.pdf')
  delete document.documentElement.dataset.practice
})
