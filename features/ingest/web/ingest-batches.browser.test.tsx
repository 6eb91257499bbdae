import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, type SentOperation, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ingestBatchesRoute, ingestBatchRoute } from './ingest-batches-route.ts'

const SCREENS = [ingestBatchesRoute, ingestBatchRoute]
const APPLIED = {
  __typename: 'IngestBatch',
  id: '41',
  dataset: 'summary_daily',
  batchId: 'summary-2026-11-18',
  revision: 2,
  result: 'applied',
  sourceName: '2026-11-18.csv.gz',
  apiKeyName: '配信システムA',
  deliveredBy: null,
  rows: 1234,
  badRows: 0,
  receivedAt: '2026-11-19T00:05:00.000Z',
  firstDay: '2026-11-18',
  lastDay: '2026-11-18',
  mediumIds: ['1'],
}
const REFUSED = {
  ...APPLIED,
  id: '42',
  dataset: 'articles',
  batchId: `sha-${'0123456789abcdef'.repeat(4)}`,
  revision: 1,
  result: 'refused',
  apiKeyName: null,
  rows: 0,
  badRows: 1500,
  firstDay: null,
  lastDay: null,
  mediumIds: [],
}
const DETAIL = {
  sha256: '0123456789abcdef'.repeat(4),
  appliedAt: null,
  movedRows: 0,
  refusedBecause: '',
  replacesId: null,
  replacedById: null,
  corrections: [],
}
const error = (line: number) => ({
  __typename: 'IngestError',
  line,
  column: 'publisher_id',
  reason: 'publisher_id（パブリッシャーID）の「9」は登録されていません。IDを直してください。',
  sourceText: '{"article_id":"1","publisher_id":"9","title":"<b>見出し</b>"}',
})
const errors = (total: number, ...nodes: object[]) => ({ __typename: 'IngestErrorList', total, nodes })
const MEDIA = {
  MediumOptions: {
    availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
  },
}
const LISTED = { ingestBatches: { __typename: 'IngestBatchList', total: 2, nodes: [REFUSED, APPLIED] } }

const show = (path: string, answers: Parameters<typeof showScreen>[0]['answers']) =>
  showScreen({ screens: SCREENS, path, role: 'insight:viewer', answers: { ...MEDIA, ...answers } })
const last = (operations: readonly SentOperation[], name: string) =>
  operations.findLast(one => one.name === name)?.variables

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

describe('the list', () => {
  test('says what came when, by which key, and what became of it; filters are in the address', async () => {
    const { operations } = await show('/reports/ingest-batches/result=refused&mediumId=1&from=2026-11-01', {
      IngestBatches: LISTED,
    })
    const table = page.getByRole('table', { name: '取り込みの一覧' })
    await expect
      .element(table.getByRole('row', { name: /取り込み済み.*パブリッシャーの日別/ }))
      .toMatchTextContent(/2026年11月18日.*ニュースアプリ.*1,234.*配信システムA.*第2版.*2026-11-18\.csv\.gz/)
    await expect.element(table.getByRole('row', { name: /取り込み失敗/ })).toMatchTextContent(/1,500/)
    expect(last(operations, 'IngestBatches')).toEqual({
      ...{ param: { result: 'refused', mediumId: '1', from: '2026-11-01' }, limit: 50, offset: 0 },
    })
    await expectAccessible()
    await page.getByRole('combobox', { name: /^データセット/ }).selectOptions('articles')
    await expect
      .poll(() => last(operations, 'IngestBatches'))
      .toMatchObject({ param: { dataset: 'articles', result: 'refused' } })
    await expect.poll(() => location.hash).toContain('dataset=articles')
    await page.getByLabelText('対象の日').fill('2026-11-18')
    await expect.poll(() => last(operations, 'IngestBatches')).toMatchObject({ param: { day: '2026-11-18' } })
    await page.getByRole('button', { name: '絞り込みを解除' }).click()
    await expect.poll(() => last(operations, 'IngestBatches')).toEqual({ param: {}, limit: 50, offset: 0 })
  })

  test.each([
    ['nothing yet', '', '取り込みはまだありません'],
    ['nothing that fits', 'result=refused', '条件に合う取り込みがありません'],
  ])('%s', async (_name, segment, text) => {
    await show(`/reports/ingest-batches/${segment}`, {
      IngestBatches: { ingestBatches: { __typename: 'IngestBatchList', total: 0, nodes: [] } },
    })
    await expect.element(page.getByText(text)).toBeVisible()
    await expectAccessible()
  })

  test('on its way, and failed', async () => {
    await show('/reports/ingest-batches', { IngestBatches: 'never' })
    await expect.element(page.getByRole('region', { name: '取り込みの一覧' })).toHaveAttribute('aria-busy', 'true')
    await show('/reports/ingest-batches', {
      IngestBatches: refusedWith('list/limit-out-of-range', '読み込めません。', []),
    })
    await expect.element(page.getByRole('button', { name: /もう一度|再試行|再読み込み/ })).toBeVisible()
  })

  test('stands on a phone', async () => {
    await page.viewport(390, 844)
    await show('/reports/ingest-batches', { IngestBatches: LISTED })
    await expect.element(page.getByText('配信システムA')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await expectAccessible()
  })
})

describe('one delivery', () => {
  test('refused: why, the wrong rows by line, and all that are kept as a file', async () => {
    const refusedBecause = '1,500行に誤りがあるため、何も取り込みませんでした。'
    const answer = ({ limit, offset }: Readonly<Record<string, unknown>>) => ({
      ingestBatch: {
        ...REFUSED,
        ...DETAIL,
        refusedBecause,
        errors:
          limit === 1000
            ? errors(2, ...[error(3), error(4)].slice(Number(offset)))
            : errors(2, ...(offset === 0 ? [error(3)] : [error(4)])),
      },
    })
    const { operations } = await show('/reports/ingest-batches/42', {
      IngestBatch: answer,
      NoteDownload: { noteDownload: true },
    })
    await expect.element(page.getByText(refusedBecause)).toBeVisible()
    const row = page.getByRole('table', { name: '行ごとの誤り' }).getByRole('row', { name: /3行目/ })
    await expect.element(row).toMatchTextContent(/publisher_id.*IDを直してください.*<b>見出し<\/b>/)
    await expect.element(page.getByText(/全部で1,500行あります。はじめの2件を保存しています/)).toBeVisible()
    await expectAccessible()
    const saved = vi.spyOn(URL, 'createObjectURL')
    await page.getByRole('button', { name: 'CSV' }).click()
    await expect.element(page.getByText('2件をCSVに書き出しました。')).toBeVisible()
    const text = await (saved.mock.calls[0]![0] as Blob).text()
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      expect.stringContaining('行,列,誤りと直し方,届いた行'),
      expect.stringMatching(/^3,publisher_id,/),
    ])
    expect(last(operations, 'IngestBatch')).toEqual({ id: '42', limit: 1000, offset: 0 })
    saved.mockRestore()
    await page.viewport(390, 844)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await expectAccessible()
  })

  test('taken: what it replaced, whom it moved, and what it changed of a month that was final', async () => {
    const corrections = [
      {
        __typename: 'IngestCorrection',
        dividendId: '5',
        mediumId: '1',
        originMonth: '2026-09',
        month: '2026-10',
        amount: -12_345,
        bookedAt: '2026-11-19T00:06:00.000Z',
      },
    ]
    await show('/reports/ingest-batches/41', {
      IngestBatch: {
        ingestBatch: {
          ...APPLIED,
          ...DETAIL,
          dataset: 'articles',
          movedRows: 3,
          replacesId: '40',
          corrections,
          appliedAt: '2026-11-19T00:05:30.000Z',
          errors: errors(0),
        },
      },
    })
    await expect.element(page.getByText('3件の記事')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: '取り込み 40' }))
      .toHaveAttribute('href', '#/reports/ingest-batches/40')
    await expect.element(page.getByText('行の誤りはありません')).toBeVisible()
    const row = page.getByRole('table', { name: '確定済みの月の訂正' }).getByRole('row', { name: /2026年9月/ })
    await expect.element(row).toMatchTextContent(/ニュースアプリ.*−12,345/)
    await expect
      .element(row.getByRole('link', { name: '2026年10月' }))
      .toHaveAttribute('href', '#/adjustments/dividend/month=2026-10')
    await expectAccessible()
  })

  test('one that cannot be published is given up after a question, by who may deliver', async () => {
    let result = 'failed'
    const read = () => ({
      ingestBatch: { ...APPLIED, ...DETAIL, result, refusedBecause: '反映できませんでした。', errors: errors(0) },
    })
    const abandon = () => {
      result = 'refused'
      return { abandonIngestBatch: true }
    }
    const answers = { IngestBatch: read, AbandonIngestBatch: abandon }
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/reports/ingest-batches/41',
      role: 'insight:admin',
      answers: { ...MEDIA, ...answers },
    })
    await page.getByRole('button', { name: '取り込みを中止' }).click()
    const question = page.getByRole('alertdialog')
    await expect.element(question).toMatchTextContent(/取り込み 41 を中止しますか？.*置き換える前の数値/)
    await question
      .getByRole('button', { name: /キャンセル|閉じる|やめる/ })
      .first()
      .click()
    expect(last(operations, 'AbandonIngestBatch')).toBeUndefined()
    await page.getByRole('button', { name: '取り込みを中止' }).click()
    await question.getByRole('button', { name: '取り込みを中止する' }).click()
    await expect.element(page.getByText('取り込みを中止しました。')).toBeVisible()
    expect(last(operations, 'AbandonIngestBatch')).toMatchObject({ id: '41' })
    await expect.element(page.getByText('取り込まなかった理由')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '取り込みを中止' })).not.toBeInTheDocument()
  })

  test('one that cannot be published shows its reason, and no way out to who may only read', async () => {
    await show('/reports/ingest-batches/41', {
      IngestBatch: {
        ingestBatch: {
          ...APPLIED,
          ...DETAIL,
          result: 'failed',
          errors: errors(0),
          refusedBecause: '反映できませんでした。',
        },
      },
    })
    await expect.element(page.getByText('取り込みが完了していない理由')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '取り込みを中止' })).not.toBeInTheDocument()
  })

  test('that is not there says so', async () => {
    await show('/reports/ingest-batches/9', { IngestBatch: { ingestBatch: null } })
    await expect.element(page.getByText('見つかりません')).toBeVisible()
  })
})
