import '@pc/ui/theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import type { BoardTile } from '@pc/domain/board/board.ts'
import { addDays } from '@pc/domain/month/day.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { WholeBoardFragment } from './boards.gen.ts'
import { boardsRoute } from './boards-route.ts'

const today = todayInTokyo()

function tile(id: string, title: string, more: Partial<BoardTile> = {}): WholeBoardFragment['tiles'][number] {
  return {
    ...{ __typename: 'BoardTile', id, title, report: 'dashboard', shape: 'figure', figure: 'revenue' },
    ...{ granularity: 'daily', period: 'last7', from: null, to: null, width: 1, height: 1 },
    ...{ compareWith: null, condition: '', groupBy: null },
    ...more,
  } as WholeBoardFragment['tiles'][number]
}

function board(tiles: WholeBoardFragment['tiles'], more: Partial<WholeBoardFragment> = {}): WholeBoardFragment {
  return {
    ...{ __typename: 'Board', id: '5', name: '毎朝の確認', isMine: true, isByStaff: true, ownerEmail: null },
    ...{ sharedRoles: [], updatedAt: '2026-11-01T00:00:00Z', revision: 3, tiles },
    ...more,
  } as WholeBoardFragment
}

const FIGURES = { revenue: 412_345, impressions: 10_000, clicks: 155, ctr: 0.0155, watchCount: 300 }
const BEFORE = { from: addDays(today, -8), to: addDays(today, -8), ...FIGURES, revenue: 400_000 }
const DATED = { date: addDays(today, -1), isComplete: true, hasBeenFinalized: false }
/** As each report's field answers; the figures of all four are named alike. */
const stats = (typename: string, nodes: readonly object[] = [{ ...FIGURES, ...DATED }]) => ({
  stats: {
    __typename: `${typename}List`,
    dataUntil: addDays(today, -1),
    lateMedia: [],
    totals: {
      __typename: typename,
      days: 7,
      daysWithData: 7,
      ...FIGURES,
      ...DATED,
      compared: { __typename: `Compared${typename}`, ...BEFORE },
    },
    nodes: nodes.map(node => ({
      __typename: typename,
      // Of videos, which have a title each; a day has none.
      name: null,
      compared: { __typename: `Compared${typename}`, ...BEFORE },
      ...node,
    })),
  },
})
const NAMED = [
  { ...FIGURES, ...DATED, date: null, name: '朝霧新聞デジタル' },
  { ...FIGURES, ...DATED, date: null, name: 'テックの窓', revenue: 100 },
]
const TILE_ANSWERS = {
  SummaryTile: stats('SummaryStats'),
  RankingTile: stats(
    'PublisherRank',
    NAMED.map((node, at) => ({ ...node, rank: at + 1 })),
  ),
  ArticlesTile: stats('ArticleStats', NAMED),
  VideosTile: stats('VideoStats'),
}

type Answers = Parameters<typeof showScreen>[0]['answers']
const open = (answers: Answers, { path = '/dashboards/board=5', role = 'insight:viewer' as Role } = {}) =>
  showScreen({ screens: [boardsRoute], path, role, answers: { ...TILE_ANSWERS, ...answers } })

const THREE = [
  tile('a', '収益'),
  tile('b', 'クリック数', { figure: 'clicks' }),
  tile('c', '表示回数', { figure: 'impressions' }),
]
const titles = () =>
  page
    .getByRole('heading', { level: 2 })
    .elements()
    .map(one => one.textContent)

beforeAll(async () => {
  await boardsRoute.load()
})
afterEach(() => dismissAllToasts())

describe('the list', () => {
  const LISTED = {
    boards: {
      __typename: 'BoardList',
      total: 2,
      nodes: [
        board(THREE),
        board([], { id: '6', name: '全員へ', isMine: false, isByStaff: true, sharedRoles: ['insight:viewer'] }),
      ],
    },
  }
  test('shows own and shared boards, and begins a new one', async () => {
    const { operations } = await open(
      {
        Boards: LISTED,
        SaveBoard: { saveBoard: board([], { id: '9', name: '月次' }) },
        Board: { board: board([], { id: '9', name: '月次' }) },
      },
      { path: '/dashboards' },
    )
    await expect.element(page.getByRole('link', { name: '毎朝の確認' })).toBeVisible()
    await expect.element(page.getByRole('row', { name: /全員へ.*共有中.*運営/ })).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'ボードを作成' }).click()
    await page.getByRole('button', { name: 'ボードを作成する' }).click()
    await expect.element(page.getByText('ボードの名前を入力してください。')).toBeVisible()
    await page.getByLabelText('名前').fill('月\u202e次')
    await page.getByRole('button', { name: 'ボードを作成する' }).click()
    await expect.element(page.getByLabelText('名前')).toHaveAccessibleDescription(/表示されない文字/)
    await page.getByLabelText('名前').fill('月次')
    await page.getByRole('checkbox', { name: 'パブリッシャーセンター編集者' }).click()
    await expectAccessible()
    await page.getByRole('button', { name: 'ボードを作成する' }).click()
    await expect.element(page.getByRole('heading', { name: '月次' })).toBeVisible()
    await expect.element(page.getByText('タイルはまだありません')).toBeVisible()
    expect(operations.find(one => one.name === 'SaveBoard')?.variables).toMatchObject({
      input: { name: '月次', sharedRoles: ['insight:editor'] },
    })
  })
})

describe('a board', () => {
  test('every tile has a query of its own, for its own days, and says itself when it has nothing or fails', async () => {
    let fails = true
    const videosAnswer = () => (fails ? new Error('gone') : TILE_ANSWERS.VideosTile)
    const tiles = [
      tile('a', '数値'),
      tile('b', '推移', { shape: 'chart', width: 2, height: 2 }),
      tile('c', 'ランキング', { report: 'ranking', shape: 'table', width: 2, height: 2 }),
      tile('d', '記事', { report: 'articles', shape: 'table', period: 'lastMonth' }),
      tile('e', '動画', { report: 'videos', shape: 'figure' }),
    ]
    const { operations } = await open({
      Board: { board: board(tiles) },
      ArticlesTile: { stats: { ...TILE_ANSWERS.ArticlesTile.stats, totals: null, nodes: [] } },
      VideosTile: videosAnswer,
    })
    await expect.element(page.getByRole('region', { name: '数値' }).getByText('412,345円')).toBeVisible()
    await expect.element(page.getByRole('region', { name: '数値' }).getByText('+3.0%')).toBeVisible()
    await expect.element(page.getByRole('slider', { name: /^推移/ })).toBeVisible()
    await expect.element(page.getByRole('row', { name: '2 テックの窓 100' })).toBeVisible()
    await expect
      .element(page.getByRole('region', { name: '記事' }).getByText(/表示できるデータはありません/))
      .toBeVisible()
    const videos = page.getByRole('region', { name: '動画' })
    await expect.element(videos.getByText('データを読み込めませんでした。')).toBeVisible()
    await expectAccessible()
    fails = false
    await videos.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect.element(videos.getByText('412,345円')).toBeVisible()
    const asks = operations.find(one => one.name === 'SummaryTile')?.variables
    expect(asks).toEqual({
      param: { from: addDays(today, -7), to: addDays(today, -1), compareWith: 'previous_period', granularity: 'daily' },
    })
    await expect
      .element(page.getByRole('link', { name: 'ランキング' }))
      .toHaveAttribute('href', expect.stringContaining('#/reports/publisher-ranking/'))
  })

  test('a pinned comparison is drawn in every form, queried, and kept on the way to the report', async () => {
    const compared = { compareWith: 'same_weekdays' } as const
    const tiles = [
      tile('a', '数値', compared),
      tile('b', '推移', { ...compared, shape: 'chart', width: 2, height: 2 }),
      tile('c', '順位', { ...compared, report: 'ranking', shape: 'table', width: 2, height: 2 }),
    ]
    const { operations } = await open({ Board: { board: board(tiles) } })
    const figure = page.getByRole('region', { name: '数値', exact: true })
    await expect.element(figure.getByText('前の同じ曜日比')).toBeVisible()
    await expect.element(figure.getByText(/前の同じ曜日と比較/)).toBeVisible()
    const chart = page.getByRole('slider', { name: /^推移/ })
    await expect.element(chart).toHaveAttribute('aria-valuetext', expect.stringMatching(/収益.*円、前の同じ曜日 .*円/))
    // +3.0 %: 412,345 against 400,000.
    await expect.element(page.getByRole('row', { name: /朝霧新聞デジタル 412,345 \+3\.0%/ })).toBeVisible()
    await expect.element(page.getByRole('row', { name: /テックの窓 100 −99\.9%/ })).toBeVisible()
    await expect.element(page.getByRole('row', { name: /合計 412,345 \+3\.0%/ })).toBeVisible()
    for (const name of ['SummaryTile', 'RankingTile'])
      expect(operations.find(one => one.name === name)?.variables).toMatchObject({ param: compared })
    const address = page.getByRole('link', { name: '順位' }).element().getAttribute('href')
    expect(address).toContain('compareWith=same_weekdays')
    await expectAccessible()
  })

  test('articles by section and author: with a total where rows add up, as bars, and back to the report', async () => {
    const of = { groupBy: 'section', report: 'articles', condition: 'sectionId=40', width: 2, height: 2 } as const
    const tiles = [
      tile('a', '分野', { ...of, shape: 'table' }),
      tile('b', '書き手', { ...of, groupBy: 'author', shape: 'table' }),
      tile('c', '棒', { ...of, groupBy: 'author', shape: 'chart' }),
    ]
    const label = (id: string, name: string | null) => ({ __typename: 'ArticleLabel', id, name })
    const row = { ...FIGURES, ...DATED, date: null }
    const nodes = [
      { ...row, label: label('40', '経済'), publisherName: 'あさひ出版' },
      { ...row, label: label('41', '経済'), publisherName: 'みなと新聞', revenue: 100 },
      { ...row, label: label('0', null), publisherName: null, revenue: 50 },
    ]
    const { operations } = await open({ Board: { board: board(tiles) }, LabelTile: stats('ArticleStats', nodes) })
    const sections = page.getByRole('region', { name: '分野', exact: true })
    await expect.element(sections.getByRole('row', { name: '経済（みなと新聞） 100' })).toBeVisible()
    await expect.element(sections.getByRole('row', { name: '未設定 50' })).toBeVisible()
    await expect.element(sections.getByRole('row', { name: /^合計 412,345/ })).toBeVisible()
    await expect.element(sections.getByText(/セクション別・セクション1件で絞り込み/)).toBeVisible()
    const authors = page.getByRole('region', { name: '書き手', exact: true })
    await expect.element(authors.getByRole('row', { name: '経済（あさひ出版） 412,345' })).toBeVisible()
    expect(authors.getByRole('row', { name: /^合計/ }).elements()).toHaveLength(0)
    await expect.element(page.getByRole('listitem').filter({ hasText: '経済（あさひ出版）412,345' })).toBeVisible()
    const params = operations.filter(one => one.name === 'LabelTile').map(one => one.variables)
    expect(params[0]).toMatchObject({ limit: 20, orderBy: 'REVENUE_DESC' })
    expect(params[0]).toMatchObject({ param: { groupBy: 'section', sectionIds: ['40'] } })
    expect(params[1]).toMatchObject({ param: { groupBy: 'author' } })
    const address = page.getByRole('link', { name: '書き手' }).element().getAttribute('href')
    expect(address).toMatch(/^#\/reports\/articles\/.*sectionId=40.*groupBy=author/)
    await expectAccessible()
  })

  test('a tile that the reader may not see says so calmly, and is not queried', async () => {
    const { operations } = await open(
      {
        Board: {
          board: board([tile('a', '自社の収益'), tile('b', '全体順位', { report: 'ranking', shape: 'table' })], {
            isMine: false,
          }),
        },
      },
      { role: 'insight:publisher_admin' },
    )
    await expect.element(page.getByText(/このタイルを表示する権限がありません/)).toBeVisible()
    await expect.element(page.getByRole('region', { name: '自社の収益' }).getByText('412,345円')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'タイルを並べ替える' })).not.toBeInTheDocument()
    expect(operations.map(one => one.name)).not.toContain('RankingTile')
    await expectAccessible()
  })

  test('one that does not exist, or is not shared with the reader', async () => {
    await open({ Board: { board: null } })
    await expect.element(page.getByText('見つかりません')).toBeVisible()
  })

  test('a deletion can be undone', async () => {
    const { operations } = await open({
      Board: { board: board(THREE) },
      Boards: { boards: { __typename: 'BoardList', total: 0, nodes: [] } },
      DeleteBoard: { deleteBoard: '5' },
      RestoreBoard: { restoreBoard: board(THREE) },
    })
    await page.getByRole('button', { name: '削除' }).click()
    await expect.element(page.getByText('「毎朝の確認」を削除しました。')).toBeVisible()
    await page.getByRole('button', { name: '元に戻す' }).click()
    await expect.element(page.getByText('「毎朝の確認」を元に戻しました。')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: '毎朝の確認' })).toBeVisible()
    expect(operations.map(one => one.name)).toContain('RestoreBoard')
  })
})

describe('arranging', () => {
  const begin = async (answers: Answers = {}) => {
    const shown = await open({
      Board: { board: board(THREE) },
      SaveBoard: variables => {
        const { tiles } = variables.input as { tiles: WholeBoardFragment['tiles'] }
        return {
          saveBoard: board(
            tiles.map(one => ({ __typename: 'BoardTile', ...one })),
            { revision: 4 },
          ),
        }
      },
      ...answers,
    })
    await page.getByRole('button', { name: 'タイルを並べ替える' }).click()
    return shown
  }

  test('by key: moves and sizes are announced, the focus stays, and one save keeps it all', async () => {
    const { operations } = await begin()
    const grip = page.getByRole('button', { name: /^「収益」を移動/ })
    // What was pressed is gone: the first tile is what comes next.
    await expect.element(grip).toHaveFocus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(page.getByText('「収益」を2番目に移動しました（全3枚）')).toBeInTheDocument()
    expect(document.activeElement).toBe(grip.element())
    await userEvent.keyboard('{End}')
    await expect.element(page.getByText('「収益」を3番目に移動しました（全3枚）')).toBeInTheDocument()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(page.getByText('これ以上後ろへは移動できません')).toBeInTheDocument()
    expect(titles()).toEqual(['クリック数', '表示回数', '収益'])
    page
      .getByRole('button', { name: /^「収益」の大きさを変更/ })
      .element()
      .focus()
    await userEvent.keyboard('{ArrowRight}{ArrowDown}')
    await expect.element(page.getByText('「収益」の大きさを幅2列・高さ2段にしました')).toBeInTheDocument()
    await page.getByRole('button', { name: '「クリック数」を外す' }).click()
    await page.getByLabelText('「表示回数」の名前').fill('朝の表示回数')
    await userEvent.tab()
    await expectAccessible()
    await page.getByRole('button', { name: '配置を保存する' }).click()
    await expect.element(page.getByText('ボードの配置を保存しました。')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'タイルを並べ替える' })).toHaveFocus()
    expect(titles()).toEqual(['朝の表示回数', '収益'])
    const sent = operations.find(one => one.name === 'SaveBoard')?.variables as { input: { tiles: BoardTile[] } }
    expect(sent.input).toMatchObject({ id: '5', expectedRevision: 3 })
    expect(sent.input.tiles.map(({ id, title, width, height }) => [id, title, width, height])).toEqual([
      ['c', '朝の表示回数', 1, 1],
      ['a', '収益', 2, 2],
    ])
  })

  test('by pointer', async () => {
    await page.viewport(1200, 800)
    await begin()
    await userEvent.dragAndDrop(
      page.getByRole('button', { name: /^「収益」を移動/ }),
      page.getByRole('region', { name: '表示回数' }),
    )
    await expect.poll(titles).toEqual(['クリック数', '表示回数', '収益'])
    await userEvent.dragAndDrop(
      page.getByRole('button', { name: /^「クリック数」の大きさを変更/ }),
      page.getByRole('button', { name: /^「表示回数」の大きさを変更/ }),
    )
    await expect
      .element(page.getByRole('button', { name: /「クリック数」の大きさを変更（幅2列・高さ1段）/ }))
      .toBeInTheDocument()
    await page.getByRole('button', { name: '取り消す' }).click()
    await expect.poll(titles).toEqual(['収益', 'クリック数', '表示回数'])
  })

  test('a board that was changed elsewhere meanwhile: nothing is lost without a word', async () => {
    let isStale = true
    const saved = () =>
      isStale
        ? refusedWith('record/edited-by-other', 'ほかの人が変更しました', ['expectedRevision'])
        : { saveBoard: board(THREE, { revision: 8 }) }
    const { operations } = await begin({
      SaveBoard: saved,
    })
    page
      .getByRole('button', { name: /^「収益」を移動/ })
      .element()
      .focus()
    await userEvent.keyboard('{ArrowRight}')
    await page.getByRole('button', { name: '配置を保存する' }).click()
    await expect.element(page.getByText('このボードは別の画面で変更されています。')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '最新のボードを読み込む' })).toBeVisible()
    isStale = false
    await page.getByRole('button', { name: 'この配置で上書きする' }).click()
    await expect.element(page.getByText('ボードの配置を保存しました。')).toBeVisible()
    const saves = operations.filter(one => one.name === 'SaveBoard').map(one => one.variables.input as object)
    expect(saves[1]).not.toHaveProperty('expectedRevision')
  })

  test('has one column on a phone', async () => {
    await page.viewport(390, 800)
    await open({ Board: { board: board([tile('a', '収益', { width: 4 }), tile('b', 'クリック数')]) } })
    await expect.element(page.getByRole('region', { name: 'クリック数' }).getByText('412,345円')).toBeVisible()
    const [first, second] = page
      .getByRole('region')
      .elements()
      .filter(one => one.matches('[data-tile]'))
    expect(first!.getBoundingClientRect().width).toBeCloseTo(second!.getBoundingClientRect().width, 1)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await page.viewport(1200, 800)
  })
})
