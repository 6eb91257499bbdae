import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { articlesReportRoute } from '../../contents/web/articles-report-route.ts'
import { articleRow } from '../../contents/web/content-rows-fixture.ts'
import { type ShownView, showReport } from './report-screen-fixture.tsx'

const SEGMENT = 'from=2026-11-01&to=2026-11-07'
const stats = (isStaff = false) => ({
  stats: {
    ...{
      __typename: 'ArticleStatsList',
      total: 2,
      dataUntil: '2026-11-06',
      lateMedia: [],
      filterLabels: [],
      totals: articleRow({ title: null }, isStaff),
    },
    nodes: [articleRow({}, isStaff), articleRow({ articleId: '6', title: '冬の便り', click: 0, ctr: 0 }, isStaff)],
  },
})
const show = (more: Partial<Parameters<typeof showReport>[0]> = {}) =>
  showReport({
    screen: articlesReportRoute,
    segment: SEGMENT,
    answers: { ArticlesReport: stats(more.isStaff) },
    ...more,
  })
const headers = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map(cell => cell.textContent)
const button = (name: string | RegExp) => page.getByRole('button', { name })
const view = (more: Partial<ShownView> = {}): ShownView => ({
  ...{ id: '1', name: '週次の確認', condition: 'from=2026-11-01&to=2026-11-07&granularity=weekly', columns: ['CTR'] },
  ...{ sharedWithRole: null, isOwn: true, ownerEmail: 'a@example.jp', revision: 1 },
  ...more,
})

beforeAll(async () => {
  await articlesReportRoute.load()
})
afterEach(() => dismissAllToasts())

describe('columns', () => {
  test('are chosen, ordered by keyboard, kept on the server, and brought back to the default', async () => {
    const { server } = await show()
    await expect.element(page.getByRole('columnheader', { name: 'クリック率' })).toBeVisible()
    await button('表示項目').click()
    const dialog = page.getByRole('dialog', { name: '表示項目' })
    await expectAccessible()
    await dialog.getByRole('checkbox', { name: /^閲覧数/ }).click()
    await dialog.getByRole('checkbox', { name: /^URL/ }).click()
    await dialog.getByRole('checkbox', { name: /^RPM/ }).click()
    await dialog.getByRole('checkbox', { name: /^クリック率/ }).click()
    await dialog.getByRole('checkbox', { name: /^クリック率/ }).click()
    await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
    await expect.element(dialog.getByRole('status')).toHaveTextContent('クリック率を3番目に移動しました')
    await dialog.getByRole('button', { name: '適用する' }).click()
    await vi.waitFor(() =>
      expect(headers()).toEqual(
        ['タイトル', 'パブリッシャー', '公開日', 'クリック率', '表示回数', 'クリック数', '収益（円）', 'URL'].map(
          name => expect.stringContaining(name),
        ),
      ),
    )
    expect(JSON.parse(server.values.get('columns/articles')!)).toEqual([
      'publisher',
      'publishedAt',
      'CTR',
      'IMPRESSION',
      'CLICK',
      'REVENUE',
      'url',
    ])
    await button('表示項目').click()
    await button('初期設定に戻す').click()
    await vi.waitFor(() => expect(headers()).toHaveLength(9))
    expect(server.values.has('columns/articles')).toBe(false)
  })

  test('of the server hold from the first moment; what is not known is left out', async () => {
    await show({ preferences: { 'columns/articles': ['WATCH', 'gone', 'gross'] } })
    await expect.element(page.getByRole('columnheader', { name: '閲覧数' })).toBeVisible()
    expect(headers()).toEqual([expect.stringContaining('タイトル'), expect.stringContaining('閲覧数')])
  })

  test('chosen in another tab are shown here, so that the next choice here does not undo them', async () => {
    await show()
    await expect.element(page.getByRole('columnheader', { name: 'クリック率' })).toBeVisible()
    const other = new BroadcastChannel('publisher-center-settings')
    // The toolbar, which listens, comes after the table.
    await expect.element(button('表示項目')).toBeVisible()
    other.postMessage({ key: 'columns/articles', value: JSON.stringify(['WATCH']) })
    other.close()
    await vi.waitFor(() =>
      expect(headers()).toEqual([expect.stringContaining('タイトル'), expect.stringContaining('閲覧数')]),
    )
    await button('表示項目').click()
    const dialog = page.getByRole('dialog', { name: '表示項目' })
    await expect.element(dialog.getByRole('checkbox', { name: /^閲覧数/ })).toBeChecked()
    await expect.element(dialog.getByRole('checkbox', { name: /^クリック率/ })).not.toBeChecked()
  })

  test('chosen in another tab while the list is open here: both changes hold', async () => {
    const { server } = await show({ preferences: { 'columns/articles': ['CLICK', 'REVENUE'] } })
    await button('表示項目').click()
    const dialog = page.getByRole('dialog', { name: '表示項目' })
    await dialog.getByRole('checkbox', { name: /^閲覧数/ }).click()
    await dialog.getByRole('checkbox', { name: /^クリック数/ }).click()
    const other = new BroadcastChannel('publisher-center-settings')
    const elsewhere = JSON.stringify(['CLICK', 'url', 'REVENUE'])
    server.values.set('columns/articles', elsewhere)
    other.postMessage({ key: 'columns/articles', value: elsewhere })
    other.close()
    await expect.element(dialog.getByRole('alert')).toMatchTextContent(/ほかのタブで表示項目が変わりました。/)
    await dialog.getByRole('button', { name: '適用する' }).click()
    await vi.waitFor(() =>
      expect(JSON.parse(server.values.get('columns/articles')!)).toEqual(['url', 'REVENUE', 'WATCH']),
    )
  })

  test('chosen on another machine meanwhile: they are shown and said, not undone; the next choice goes on from them', async () => {
    const { server } = await show({ preferences: { 'columns/articles': ['CLICK', 'REVENUE'] } })
    const dialog = page.getByRole('dialog', { name: '表示項目' })
    const choose = async () => {
      await button('表示項目').click()
      await dialog.getByRole('checkbox', { name: /^閲覧数/ }).click()
      await dialog.getByRole('button', { name: '適用する' }).click()
    }
    await expect.element(page.getByRole('columnheader', { name: 'クリック数' })).toBeVisible()
    server.values.set('columns/articles', JSON.stringify(['url', 'REVENUE']))
    await choose()
    await expect.element(page.getByText(/設定が変わっていました。/)).toBeVisible()
    const names = (...given: string[]) => given.map(name => expect.stringContaining(name))
    await vi.waitFor(() => expect(headers()).toEqual(names('タイトル', 'URL', '収益')))
    expect(JSON.parse(server.values.get('columns/articles')!)).toEqual(['url', 'REVENUE'])
    await choose()
    await vi.waitFor(() =>
      expect(JSON.parse(server.values.get('columns/articles')!)).toEqual(['url', 'REVENUE', 'WATCH']),
    )
  })

  test('for staff show what the platform earned', async () => {
    await show({ isStaff: true })
    await expect.element(page.getByRole('columnheader', { name: '実効料率' })).toBeVisible()
    await expect.element(page.getByRole('row', { name: /秋の味覚.*9,000.*50\.0%/ })).toBeVisible()
  })
})

test('a header says what it means when it has the focus', async () => {
  await show()
  const header = button('クリック率')
  await expect.element(header).toHaveAccessibleDescription(/表示された回数のうち.*計算：クリック数 ÷ 表示回数/s)
  ;(header.element() as HTMLElement).focus()
  await expect.element(page.getByRole('tooltip').getByText(/計算：クリック数 ÷ 表示回数/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => page.getByRole('tooltip').elements()).toHaveLength(0)
})

test('boards and paper are in the menu, by keyboard too', async () => {
  await show()
  const more = button('その他の操作')
  await expect.element(more).toBeEnabled()
  ;(more.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  const menu = page.getByRole('dialog', { name: 'その他の操作' })
  await expect.element(menu.getByRole('button', { name: '印刷' })).toBeVisible()
  await expect.element(menu.getByRole('button', { name: 'ボードに追加' })).toBeVisible()
  await expectAccessible()
  await userEvent.keyboard('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(more).toHaveFocus()
})

describe('saved views', () => {
  test('are saved with condition and columns, and are in the address', async () => {
    const { segments, server } = await show({ segment: `${SEGMENT}&order=CLICK_DESC` })
    await button('保存した表示').click()
    await expect.element(page.getByText(/よく使う期間/)).toBeVisible()
    await expectAccessible()
    await page.getByLabelText('表示の名前').fill('クリック\u200b順')
    await button('保存する').click()
    await expect.element(page.getByLabelText('表示の名前')).toHaveAccessibleDescription(/表示されない文字/)
    expect(server.views).toEqual([])
    await expectAccessible()
    await page.getByLabelText('表示の名前').fill('クリック順')
    await button('保存する').click()
    await expect.element(page.getByText('表示「クリック順」を保存しました。')).toBeVisible()
    expect(server.views).toMatchObject([{ name: 'クリック順', condition: `${SEGMENT}&order=CLICK_DESC` }])
    await vi.waitFor(() => expect(segments.at(-1)).toContain('view=1'))
    await expect
      .element(page.getByRole('dialog').getByRole('button', { name: 'クリック順', exact: true }))
      .toBeVisible()
  })

  test('a double press saves one, and the focus stays in the form', async () => {
    const { server } = await show({ segment: SEGMENT })
    await button('保存した表示').click()
    await page.getByLabelText('表示の名前').fill('二度押し')
    await button('保存する').dblClick()
    await expect.element(page.getByText('表示「二度押し」を保存しました。')).toBeVisible()
    expect(server.views).toHaveLength(1)
    await page.getByLabelText('表示の名前').fill('一度押し')
    await button('保存する').click()
    await vi.waitFor(() => expect(server.views).toHaveLength(2))
    await expect.element(page.getByLabelText('表示の名前')).toHaveFocus()
  })

  test('open with their columns, are renamed, deleted, and brought back', async () => {
    const { segments, server } = await show({ views: [view()] })
    await button('保存した表示').click()
    await button('週次の確認').first().click()
    await expect.poll(() => segments.at(-1)).toBe('from=2026-11-01&to=2026-11-07&granularity=weekly&view=1')
    await vi.waitFor(() => expect(headers()).toHaveLength(2))
    await button('週次の確認').click()
    await button('週次の確認の名前を変更する').click()
    await page.getByLabelText('新しい名前').fill('月曜の\u202e確認')
    await button('変更').click()
    await expect.element(page.getByLabelText('新しい名前')).toHaveAccessibleDescription(/表示されない文字/)
    await page.getByLabelText('新しい名前').fill('月曜の確認')
    await button('変更').click()
    await expect.element(button('月曜の確認を削除する')).toBeVisible()
    await button('月曜の確認を削除する').click()
    await expect.element(page.getByText('表示「月曜の確認」を削除しました。')).toBeVisible()
    expect(server.views[0]?.isDeleted).toBe(true)
    await button('元に戻す').click()
    await vi.waitFor(() => expect(server.views[0]?.isDeleted).toBe(false))
  })

  test('shared ones can be used and made the default, not changed', async () => {
    const { server } = await show({
      views: [view({ isOwn: false, ownerEmail: '', sharedWithRole: 'insight:publisher_admin' })],
    })
    await button('保存した表示').click()
    await expect.element(page.getByRole('heading', { name: '共有された表示' })).toBeVisible()
    expect(button(/削除する/).elements()).toHaveLength(0)
    expect(page.getByRole('combobox', { name: /共有先/ }).elements()).toHaveLength(0)
    await button('週次の確認を最初に開く表示にする').click()
    await vi.waitFor(() => expect(server.values.get('default-view/articles')).toBe('"1"'))
  })

  test('staff may share; the plain address opens the default view', async () => {
    const { segments } = await show({
      isStaff: true,
      segment: '',
      views: [view()],
      preferences: { 'default-view/articles': '1' },
    })
    await vi.waitFor(() => expect(segments).toEqual(['from=2026-11-01&to=2026-11-07&granularity=weekly&view=1']))
    await expect.element(button('週次の確認')).toHaveAttribute('data-active', 'true')
    await button('週次の確認').click()
    await expect.element(page.getByRole('combobox', { name: /共有先/ })).toBeVisible()
  })

  test('an address that says something is not replaced by the default view', async () => {
    const { segments } = await show({ views: [view()], preferences: { 'default-view/articles': '1' } })
    await expect.element(page.getByRole('columnheader', { name: 'クリック率' })).toBeVisible()
    expect(segments).toEqual([])
  })
})

describe('files', () => {
  test('have the condition and the columns of the screen', async () => {
    const { ordered } = await show({ preferences: { 'columns/articles': ['CTR'] } })
    await button('書き出し').click()
    await expectAccessible()
    await page.getByRole('radio', { name: /Excel/ }).click()
    await button('2件を書き出す').click()
    await expect.element(page.getByText('3件を書き出しました。')).toBeVisible()
    expect(ordered).toEqual([
      {
        path: '/exports/report',
        body: { report: 'articles', condition: SEGMENT, columns: ['title', 'CTR'], format: 'xlsx' },
      },
    ])
  })

  test('say how far they are, and can be cancelled', async () => {
    await show({
      exports: (_order, onProgress, signal) =>
        new Promise((_resolve, reject) => {
          onProgress({ rows: 50_000, total: 200_000 })
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    await expect.element(button('書き出し')).toBeEnabled()
    const { width } = button('書き出し').element().getBoundingClientRect()
    await button('書き出し').click()
    await button('2件を書き出す').click()
    await expect.element(button('書き出し中 25%')).toBeVisible()
    // Otherwise the buttons beside it, and with them the whole screen, would jump. The browser measures in 64ths of a pixel.
    expect(button('書き出し中 25%').element().getBoundingClientRect().width).toBeCloseTo(width, 1)
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '50000')
    await expectAccessible()
    await button('書き出しを中止する').click()
    await expect.element(page.getByText('書き出しを中止しました。')).toBeVisible()
  })
})
