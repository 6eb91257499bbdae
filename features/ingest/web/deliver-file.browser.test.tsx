import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ingestBatchesRoute } from './ingest-batches-route.ts'
import type { Checked } from './send-delivery.ts'

/** The screen over answers of the server that the test gives; the endpoint itself has tests of its own. */
const SHA256 = '0123456789abcdef'.repeat(4)
const UPLOAD = { sha256: SHA256, format: 'csv', bytes: 100, dataset: 'summary-daily', message: '' }
const BATCH = { batchNo: '7', id: 'june', rows: 40, firstDay: '2026-06-01', lastDay: '2026-06-02' }
const ACCEPTABLE: Checked = {
  status: 'acceptable',
  code: 'ingest/acceptable',
  message: '3行を取り込めます。まだ何も取り込んでいません。',
  summary: {
    rows: 3,
    badRows: 0,
    firstDay: '2026-06-01',
    lastDay: '2026-06-02',
    dayCount: 2,
    totals: [
      { column: 'article_impression', label: '記事の表示回数', total: '18014398509481982' },
      { column: 'ads_revenue_micro_yen', label: '広告収益', total: '1999999' },
    ],
    days: [
      { day: '2026-06-01', rows: 2, totals: ['1', '0'] },
      { day: '2026-06-02', rows: 1, totals: ['18014398509481981', '1999999'] },
    ],
  },
  batch: null,
  replaces: null,
  finalMonths: [],
  otherBatchId: null,
  badRows: 0,
  errors: [],
}
const REFUSED: Checked = {
  ...ACCEPTABLE,
  status: 'refused',
  code: 'ingest/bad-rows',
  badRows: 120,
  message: '120行に誤りがあります。',
  errors: [
    { line: 2, column: 'publisher_id', message: '「9」は登録されていません。' },
    { line: 3, column: '', message: '列が足りません。' },
  ],
}

interface Requested {
  readonly url: string
  readonly body: Record<string, unknown>
}
let operations: Requested[]
let upload: { status: number; body: object } | 'broken' | 'never'
let answers: (object | 'broken')[]

class FakeUpload {
  static last: FakeUpload
  readonly upload = { onprogress: (_event: { loaded: number; total: number }) => {} }
  status = 0
  responseText = ''
  isAborted = false
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  open() {}
  setRequestHeader() {}
  abort() {
    this.isAborted = true
    this.onabort()
  }
  send() {
    FakeUpload.last = this
    this.upload.onprogress({ loaded: 40, total: 100 })
    if (upload === 'never') return
    if (upload === 'broken') return this.onerror()
    this.status = upload.status
    this.responseText = JSON.stringify(upload.body)
    this.onload()
  }
}

beforeEach(() => {
  operations = []
  upload = { status: 200, body: UPLOAD }
  answers = []
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  const real = window.fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (!String(url).startsWith('/ingest/')) return real(url, init)
    operations.push({ url, body: JSON.parse(String(init.body)) as Record<string, unknown> })
    if (url.endsWith('/discard')) return new Response('{}')
    const answer = answers.shift()
    if (answer === undefined) return new Promise(() => {})
    if (answer === 'broken') throw new TypeError('Failed to fetch')
    return new Response(`{"progress":{"step":"check","share":0.5}}\n${JSON.stringify({ answer })}\n`)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  goTo('#/', { isFinal: true })
})

const show = (role: 'insight:admin' | 'insight:viewer' = 'insight:admin') =>
  showScreen({
    screens: [ingestBatchesRoute],
    path: '/reports/ingest-batches',
    role,
    sendsFiles: true,
    answers: {
      MediumOptions: {
        availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュース' }] },
      },
      IngestBatches: { ingestBatches: { __typename: 'IngestBatchList', total: 0, nodes: [] } },
    },
  })
const choose = (name = 'june.csv', content = 'date\n') =>
  userEvent.upload(page.getByLabelText('統計データのファイル'), new File([content], name))
const button = (name: string | RegExp) => page.getByRole('button', { name })

describe('a file on the screen', () => {
  test('an empty system says what to do; the templates are there; a reader sees none of it', async () => {
    await show()
    await expect.element(page.getByText(/「ファイルを取り込む」から始めるか、APIキー/)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: '記事の日別' }))
      .toHaveAttribute('href', '/ingest/templates/article-daily.csv')
    await expect.element(page.getByRole('link', { name: '取り込みの手引き' })).toBeVisible()
    await expectAccessible()
  })

  test('who may not deliver sees no drop zone', async () => {
    await show('insight:viewer')
    await expect.element(page.getByText('取り込みはまだありません')).toBeVisible()
    expect(page.getByText('ファイルを選ぶ').elements()).toEqual([])
  })

  test('is looked at, then published exactly so; the list is read again', async () => {
    answers = [ACCEPTABLE, { status: 'applied', message: '3行を取り込みました。', batch: BATCH }]
    const { operations: queries } = await show()
    await choose()
    await expect.element(page.getByText('18,014,398,509,481,982')).toBeVisible()
    await expect.element(page.getByText('1円', { exact: true }).first()).toBeVisible()
    await expect.element(page.getByText(/2026年6月1日〜2日（2日分）/)).toBeVisible()
    await expectAccessible()
    const lists = () => queries.filter(one => one.name === 'IngestBatches').length
    const before = lists()
    await button('3行を取り込む').click()
    await expect.element(page.getByText(/june.csv: 3行を取り込みました/)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: '取り込みの詳細' }))
      .toHaveAttribute('href', '#/reports/ingest-batches/7')
    expect(operations.map(({ url }) => url.split('/').at(-1))).toEqual(['check', 'publish'])
    expect(operations[1]!.body).toEqual({ dataset: 'summary-daily', quarantine: false, name: 'june.csv' })
    await expect.poll(lists).toBeGreaterThan(before)
  })

  test('wrong rows are named by line and column, and set aside when the person says so', async () => {
    const aside = { ...ACCEPTABLE, badRows: 1, summary: { ...ACCEPTABLE.summary!, badRows: 1 } }
    answers = [REFUSED, aside]
    await show()
    await choose()
    const table = page.getByRole('table', { name: '行ごとの誤り' })
    await expect.element(table.getByRole('row', { name: /2行目.*publisher_id.*登録されていません/ })).toBeVisible()
    await expect.element(page.getByText(/全部で120行あります/)).toBeVisible()
    expect(button(/行を取り込む/).elements()).toEqual([])
    await expectAccessible()
    await page.getByRole('checkbox', { name: '誤りのある行を除いて取り込む' }).click()
    await expect.element(button('2行を取り込む')).toBeVisible()
    expect(operations.at(-1)!.body).toMatchObject({ quarantine: true })
  })

  test('a batch in the way is replaced, and final months are named', async () => {
    answers = [
      { ...REFUSED, code: 'ingest/overlap', badRows: 0, errors: [], otherBatchId: 'june' },
      { ...ACCEPTABLE, replaces: BATCH, finalMonths: [{ mediumId: '1', month: '2026-06' }] },
    ]
    await show()
    await choose()
    await page.getByRole('checkbox', { name: '取り込み済みのバッチ june を置き換える' }).click()
    await expect.element(page.getByText(/2026年6月1日〜2日、40行）の数値はすべて消え/)).toBeVisible()
    await expect.element(page.getByText(/ニュースの2026年6月は確定済みです/)).toBeVisible()
    expect(operations.at(-1)!.body).toMatchObject({ replaces: 'june' })
  })

  test('columns of no dataset: the person says which it is', async () => {
    const message = '列名からデータセットを決められませんでした。'
    upload = { status: 200, body: { ...UPLOAD, dataset: null, message } }
    answers = [{ ...REFUSED, code: 'ingest/header', errors: [], badRows: 0, summary: null }]
    await show()
    await choose()
    await expect.element(page.getByRole('alert')).toMatchTextContent(message)
    await page.getByRole('combobox', { name: 'ファイルのデータセット' }).selectOptions('articles')
    await expect.element(page.getByText('取り込めません', { exact: true })).toBeVisible()
    expect(operations[0]!.body).toMatchObject({ dataset: 'articles' })
  })

  test('the same content again: nothing to publish', async () => {
    const message = '同じ内容がバッチ june として取り込み済みです。'
    answers = [{ ...ACCEPTABLE, status: 'unchanged', summary: null, message, batch: BATCH }]
    await show()
    await choose()
    await expect.element(page.getByRole('status').filter({ hasText: message })).toBeVisible()
    await button('閉じる').click()
    await expect.element(page.getByText('ここにファイルをドロップしてください')).toBeVisible()
    await expect.poll(() => operations.at(-1)!.url).toContain(`${SHA256}/discard`)
  })

  test('a broken network: the same attempt again, without choosing the file again', async () => {
    upload = 'broken'
    await show()
    await choose()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/通信が途切れました/)
    upload = { status: 200, body: UPLOAD }
    answers = ['broken']
    await button('もう一度試す').click()
    await expect.poll(() => operations.length).toBe(1)
    answers = [ACCEPTABLE]
    await button('もう一度試す').click()
    await expect.element(button('3行を取り込む')).toBeVisible()
  })

  test('an upload can be cancelled', async () => {
    upload = 'never'
    await show()
    await choose()
    await expect.element(page.getByText('june.csv を送っています… 40%')).toBeVisible()
    await button('キャンセル').click()
    expect(FakeUpload.last.isAborted).toBe(true)
    await expect.element(page.getByText('ここにファイルをドロップしてください')).toBeVisible()
  })

  test('dropped: one file, not several, none that is empty, none that the server refuses', async () => {
    await show()
    const drop = (...files: File[]) => {
      const data = new DataTransfer()
      for (const file of files) data.items.add(file)
      const zone = page.getByText('ここにファイルをドロップしてください').element().parentElement!
      zone.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
    }
    await expect.element(page.getByText('ここにファイルをドロップしてください')).toBeVisible()
    drop(new File(['a'], 'a.csv'), new File(['b'], 'b.csv'))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/1つずつ/)
    drop(new File([], 'empty.csv'))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/empty.csv.*空です/)
    upload = { status: 415, body: { message: 'CSV で保存してからお送りください。' } }
    drop(new File(['PK'], 'book.xlsx'))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/book.xlsx.*CSV で保存/)
    expect(button('もう一度試す').elements()).toEqual([])
  })
})
