import '@pc/ui/theme/styles.ts'
import type { BoardTile } from '@pc/domain/board/board.ts'
import { defaultRange } from '@pc/domain/condition/default-range.ts'
import { PinDialog as PinDialogOfReports, ReportSlotsProvider } from '@pc/ui/chart/report-slots.tsx'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { PinDialog } from './pin-dialog.tsx'

const PINNED = {
  pinToBoard: {
    __typename: 'Board',
    id: '5',
    name: '毎朝の確認',
    revision: 3,
    updatedAt: '2026-11-01T00:00:00Z',
    tiles: [],
  },
}

const VIEW = {
  report: 'articles' as const,
  range: defaultRange(todayInTokyo()),
  granularity: 'weekly' as const,
  compareWith: 'same_month_last_year' as const,
  ...{ mediumId: ['1'], organizationId: [], publisherId: ['7', '8'] },
}

let pinned: Parameters<typeof PinDialogOfReports>[0]['view'] = VIEW
afterEach(() => {
  pinned = VIEW
  dismissAllToasts()
})

function PinScreen() {
  const [isPinning, setPinning] = useState(false)
  return (
    <ReportSlotsProvider slots={{ PinDialog, ChartNotes: NoNotes, HomeParts: NoNotes }}>
      <button type="button" onClick={() => setPinning(true)}>
        ピン留め
      </button>
      {isPinning && <PinDialogOfReports view={pinned} onClose={() => setPinning(false)} />}
    </ReportSlotsProvider>
  )
}
const NoNotes = () => null

const pinRoute = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:article_stats.' },
  view: async () => PinScreen,
})

type Answers = Parameters<typeof showScreen>[0]['answers']
const own = (id: string, name: string, isMine = true) => ({ __typename: 'Board', id, name, isMine })
const begin = async (answers: Answers) => {
  const shown = await showScreen({ screens: [pinRoute], path: '/x', role: 'insight:viewer', answers })
  await page.getByRole('button', { name: 'ピン留め' }).click()
  return shown
}

test('the view with its filter, as a table of a relative period, on an own board', async () => {
  const { operations } = await begin({
    OwnBoards: { boards: { __typename: 'BoardList', nodes: [own('5', '毎朝の確認'), own('6', 'ほかの人の', false)] } },
    PinToBoard: PINNED,
  })
  await expect.element(page.getByLabelText('追加先のボード')).toHaveValue('5')
  await expect.element(page.getByRole('option', { name: 'ほかの人の' })).not.toBeInTheDocument()
  // The range that a report begins with becomes the last seven days.
  await expect.element(page.getByLabelText('期間')).toHaveValue('last7')
  await page.getByLabelText('表示形式').selectOptions('table')
  await page.getByLabelText('指標').selectOptions('clicks')
  await page.getByLabelText('期間').selectOptions('thisMonth')
  await expectAccessible()
  await page.getByRole('button', { name: 'ボードに追加する' }).click()
  await expect.element(page.getByText('「毎朝の確認」に追加しました。')).toBeVisible()
  const { input } = operations.find(one => one.name === 'PinToBoard')!.variables as { input: { tile: BoardTile } }
  expect(input).toMatchObject({ boardId: '5' })
  expect(input.tile).toMatchObject({
    ...{ title: 'クリック数（記事レポート）', report: 'articles', shape: 'table', figure: 'clicks' },
    ...{
      period: 'thisMonth',
      from: null,
      to: null,
      compareWith: 'same_month_last_year',
      granularity: 'weekly',
      width: 2,
      height: 2,
    },
    condition: 'mediumId=1&publisherId=7,8',
  })
})

test('by author: as bars or as a table, with what it is narrowed to, and what a tile cannot keep is said', async () => {
  pinned = { ...VIEW, groupBy: 'author', sectionId: ['40'], isNarrower: true }
  const { operations } = await begin({
    OwnBoards: { boards: { __typename: 'BoardList', nodes: [own('5', '毎朝の確認')] } },
    PinToBoard: PINNED,
  })
  await expect.element(page.getByLabelText('表示形式')).toHaveValue('table')
  expect(page.getByRole('option', { name: '数値' }).elements()).toHaveLength(0)
  await expect.element(page.getByText(/タイトルとフィードの絞り込みは/)).toBeVisible()
  await page.getByLabelText('表示形式').selectOptions('chart')
  await page.getByRole('button', { name: 'ボードに追加する' }).click()
  await expect.element(page.getByText('「毎朝の確認」に追加しました。')).toBeVisible()
  const { input } = operations.find(one => one.name === 'PinToBoard')!.variables as { input: { tile: BoardTile } }
  expect(input.tile).toMatchObject({
    ...{ title: '収益（著者別）', shape: 'chart', groupBy: 'author', compareWith: null },
    condition: 'mediumId=1&publisherId=7,8&sectionId=40',
  })
})

test('without a board a new one is named, and a fixed period keeps its days', async () => {
  const { operations } = await begin({
    OwnBoards: { boards: { __typename: 'BoardList', nodes: [] } },
    PinToBoard: PINNED,
  })
  await page.getByLabelText('期間').selectOptions('fixed')
  await expect.element(page.getByRole('button', { name: 'ボードに追加する' })).toBeEnabled()
  await page.getByRole('button', { name: 'ボードに追加する' }).click()
  await expect.element(page.getByText('新しいボードの名前を入力してください。')).toBeVisible()
  await page.getByLabelText('新しいボードの名前').fill('朝\u2060会')
  await page.getByLabelText('タイルの名前').fill('売上\u200f')
  await page.getByRole('button', { name: 'ボードに追加する' }).click()
  for (const label of ['新しいボードの名前', 'タイルの名前'])
    await expect.element(page.getByLabelText(label)).toHaveAccessibleDescription(/表示されない文字/)
  expect(operations.some(one => one.name === 'PinToBoard')).toBe(false)
  await page.getByLabelText('タイルの名前').fill('売上')
  await page.getByLabelText('新しいボードの名前').fill('朝会')
  await page.getByRole('button', { name: 'ボードに追加する' }).click()
  await expect.element(page.getByText(/に追加しました/)).toBeVisible()
  expect(operations.find(one => one.name === 'PinToBoard')?.variables).toMatchObject({
    input: { boardName: '朝会', tile: { period: 'fixed', ...VIEW.range } },
  })
})

test('what the server refuses is in the dialog', async () => {
  await begin({
    OwnBoards: { boards: { __typename: 'BoardList', nodes: [own('5', '毎朝の確認')] } },
    PinToBoard: refusedWith('board/too-many-tiles', '1つのボードに置けるタイルは24枚までです。', ['input', 'tiles']),
  })
  await page.getByRole('button', { name: 'ボードに追加する' }).click()
  await expect.element(page.getByRole('alert').getByText(/24枚まで/)).toBeVisible()
})
