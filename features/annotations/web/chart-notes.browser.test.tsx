import '@pc/ui/theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { day } from '@pc/domain/month/day.ts'
import type { ChartPoint, ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { NotedSeries, ReportSlotsProvider } from '@pc/ui/chart/report-slots.tsx'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { NoteFragment } from './annotations.gen.ts'
import { ChartNotes } from './chart-notes.tsx'
import { noteMarks } from './note-marks.ts'

const POINTS: readonly ChartPoint[] = ['01', '02', '03', '04', '05'].map((date, at) => ({
  key: `2026-11-${date}`,
  tick: `11/${at + 1}`,
  heading: `2026年11月${at + 1}日`,
  state: 'final',
  values: { revenue: 1000 * (at + 1) },
}))
const SERIES: readonly ChartSeries[] = [{ key: 'revenue', label: '収益', unit: '円', shape: 'bar', color: 'blue' }]
const RANGE = { from: day('2026-11-01'), to: day('2026-11-05') }

const NoDialog = () => null

function Chart() {
  return (
    <ReportSlotsProvider slots={{ PinDialog: NoDialog, ChartNotes, HomeParts: NoDialog }}>
      <NotedSeries
        title="収益の推移"
        points={POINTS}
        series={SERIES}
        range={RANGE}
        publisherIds={['7']}
        mediumIds={['1']}
      />
    </ReportSlotsProvider>
  )
}
const route = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => Chart,
})

function note(id: string, text: string, more: Partial<NoteFragment> = {}): NoteFragment {
  return {
    __typename: 'Annotation',
    id,
    text,
    startsOn: '2026-11-03',
    endsOn: '2026-11-03',
    visibility: 'own',
    publisherId: null,
    publisherName: null,
    mediumIds: [],
    isMine: true,
    isByStaff: true,
    writerEmail: null,
    revision: 2,
    ...more,
  } as NoteFragment
}

/** A server that keeps the notes. */
function keeping(...first: NoteFragment[]) {
  let notes = first
  const kept = new Map(first.map(one => [one.id, one]))
  const read = () => ({ annotations: { __typename: 'AnnotationList', total: notes.length, nodes: notes } })
  const save = (variables: Readonly<Record<string, unknown>>) => {
    const input = variables.input as Partial<NoteFragment>
    const saved = {
      ...note(input.id ?? '9', ''),
      ...kept.get(input.id ?? ''),
      ...input,
      id: input.id ?? '9',
    } as NoteFragment
    notes = [...notes.filter(one => one.id !== saved.id), saved]
    return { saveAnnotation: saved }
  }
  const remove = ({ id }: Readonly<Record<string, unknown>>) => {
    notes = notes.filter(one => one.id !== id)
    return { deleteAnnotation: String(id) }
  }
  const restore = ({ id }: Readonly<Record<string, unknown>>) => {
    notes = [...notes, kept.get(String(id))!]
    return { restoreAnnotation: kept.get(String(id))! }
  }
  const media = [
    { __typename: 'Medium', id: '1', name: 'アプリ' },
    { __typename: 'Medium', id: '2', name: 'ウェブ' },
  ]
  const MediumOptions = { availableMedia: { __typename: 'MediumList', nodes: media } }
  return {
    MediumOptions,
    Annotations: read,
    SaveAnnotation: save,
    DeleteAnnotation: remove,
    RestoreAnnotation: restore,
  }
}

const show = (answers: Parameters<typeof showScreen>[0]['answers'], role: Role = 'insight:viewer') =>
  showScreen({ screens: [route], path: '/x', role, answers })
const list = () => page.getByRole('region', { name: '収益の推移のメモ' })

afterEach(() => dismissAllToasts())

test('notes stand on their days, are read with the figures, and are listed with their readers and writers', async () => {
  const { operations } = await show(
    keeping(
      note('1', 'キャンペーン', {
        startsOn: '2026-10-30',
        endsOn: '2026-11-02',
        visibility: 'staff',
        isMine: false,
        writerEmail: 'a@example.jp',
        mediumIds: ['1', '2'],
      }),
      note('2', '計測の障害'),
    ),
  )
  await expect.element(list().getByText('メモ 2件')).toBeVisible()
  await expect
    .poll(() => list().getByRole('listitem').nth(0).element().textContent)
    .toMatch(/キャンペーン.*2026年10月30日〜11月2日.*運営のみ.*媒体：アプリ、ウェブ.*a@example.jp/)
  await expect
    .poll(() => list().getByRole('listitem').nth(1).element().textContent)
    .toMatch(/計測の障害.*2026年11月3日.*自分だけ.*自分/)
  await expect.element(page.getByRole('button', { name: 'メモ1を編集' })).not.toBeInTheDocument()
  expect(operations.find(one => one.name === 'Annotations')?.variables).toEqual({
    param: { ...RANGE, publisherIds: ['7'], mediumIds: ['1'] },
  })
  const chart = page.getByRole('slider', { name: /^収益の推移/ })
  chart.element().focus()
  await userEvent.keyboard('{Home}')
  await expect.element(chart).toHaveAttribute('aria-valuetext', '2026年11月1日、収益 1,000円、メモ1：キャンペーン')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(chart).toHaveAttribute('aria-valuetext', '2026年11月3日、収益 3,000円、メモ2：計測の障害')
  await expectAccessible()
})

test('Enter on a day begins a note there; what is missing is said before it is sent', async () => {
  const { operations } = await show(keeping())
  await expect.element(list().getByText('メモはありません')).toBeVisible()
  page
    .getByRole('slider', { name: /^収益の推移/ })
    .element()
    .focus()
  await userEvent.keyboard('{Home}{ArrowRight}{Enter}')
  await expect.element(page.getByLabelText('開始日')).toHaveValue('2026/11/02')
  await expect.element(page.getByLabelText('メモ', { exact: true })).toHaveFocus()
  await page.getByRole('button', { name: 'メモを保存する' }).click()
  await expect.element(page.getByText('メモの内容を入力してください。')).toBeVisible()
  await userEvent.fill(page.getByLabelText('メモ', { exact: true }), 'サイト改修')
  await userEvent.fill(page.getByLabelText('終了日'), '2026-11-04')
  await page.getByLabelText('公開範囲').selectOptions('staff')
  await expectAccessible()
  await page.getByRole('button', { name: 'メモを保存する' }).click()
  await expect.element(page.getByText('メモを追加しました')).toBeVisible()
  await expect.element(list().getByText('サイト改修')).toBeVisible()
  expect(operations.find(one => one.name === 'SaveAnnotation')?.variables.input).toEqual({
    ...{ startsOn: '2026-11-02', endsOn: '2026-11-04', text: 'サイト改修', visibility: 'staff', mediumIds: ['1'] },
  })
})

test('a note begins with the media of the chart, says who reads it, and a medium of others is refused at its field', async () => {
  const { operations } = await show({
    ...keeping(),
    SaveAnnotation: refusedWith('annotation/medium-unknown', '選べない媒体が含まれています。', ['input', 'mediumIds']),
  })
  await page.getByRole('button', { name: 'メモを追加' }).click()
  const dialog = page.getByRole('dialog', { name: 'メモを追加' })
  const media = dialog.getByRole('button', { name: /^媒体 ?: ?アプリ$/ })
  await expect.element(media).toBeVisible()
  await dialog.getByLabelText('公開範囲').selectOptions('publisher')
  await expect.element(dialog.getByText('選んだ媒体をすべて担当している人だけが読めます。')).toBeVisible()
  await dialog.getByLabelText('公開範囲').selectOptions('own')
  await media.click()
  await page.getByRole('checkbox', { name: 'ウェブ' }).click()
  await page.getByRole('button', { name: '適用' }).click()
  await userEvent.fill(dialog.getByLabelText('メモ', { exact: true }), '改修')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'メモを保存する' }).click()
  await expect.element(dialog.getByRole('alert').getByText('選べない媒体が含まれています。')).toBeVisible()
  expect(operations.find(one => one.name === 'SaveAnnotation')?.variables.input).toMatchObject({
    mediumIds: ['1', '2'],
  })
})

test('an own note is changed with its revision, and a deletion undone', async () => {
  const { operations } = await show(keeping(note('2', '計測の障害')))
  await page.getByRole('button', { name: 'メモ1を編集' }).click()
  await userEvent.fill(page.getByLabelText('メモ', { exact: true }), '計測の障害（復旧済み）')
  await page.getByRole('button', { name: 'メモを保存する' }).click()
  await expect.element(list().getByText('計測の障害（復旧済み）')).toBeVisible()
  expect(operations.find(one => one.name === 'SaveAnnotation')?.variables.input).toMatchObject({
    id: '2',
    expectedRevision: 2,
  })
  await page.getByRole('button', { name: 'メモ1を削除' }).click()
  await expect.element(list().getByText('メモはありません')).toBeVisible()
  await page.getByRole('button', { name: '元に戻す' }).click()
  await expect.element(list().getByText('メモ 1件')).toBeVisible()
})

test("a publisher's people are not offered staff as readers; a refusal stands at its field", async () => {
  await show(
    {
      ...keeping(),
      SaveAnnotation: refusedWith('annotation/text-too-long', 'メモは200文字以内で入力してください。', [
        'input',
        'text',
      ]),
    },
    'insight:publisher_editor',
  )
  await page.getByRole('button', { name: 'メモを追加' }).click()
  await expect.element(page.getByRole('option', { name: '運営のみ' })).not.toBeInTheDocument()
  await userEvent.fill(page.getByLabelText('メモ', { exact: true }), 'あ')
  await page.getByLabelText('公開範囲').selectOptions('publisher')
  await page.getByRole('button', { name: 'メモを保存する' }).click()
  await expect.element(page.getByText('共有するパブリッシャーを選んでください。')).toBeVisible()
  await page.getByLabelText('公開範囲').selectOptions('own')
  await page.getByRole('button', { name: 'メモを保存する' }).click()
  await expect.element(page.getByRole('alert').getByText('メモは200文字以内で入力してください。')).toBeVisible()
})

test('many notes begin with three, and a failure offers another try', async () => {
  let fails = true
  const all = keeping(...['1', '2', '3', '4', '5'].map(id => note(id, `メモの${id}`)))
  const read = () => (fails ? new Error('gone') : all.Annotations())
  await show({ ...all, Annotations: read })
  await expect.element(list().getByText('メモを読み込めませんでした')).toBeVisible()
  fails = false
  await list().getByRole('button', { name: 'もう一度読み込む' }).click()
  await expect.element(list().getByText('メモ 5件')).toBeVisible()
  expect(list().getByRole('listitem').elements()).toHaveLength(3)
  await list().getByRole('button', { name: '残り2件のメモを表示' }).click()
  await expect.poll(() => list().getByRole('listitem').elements()).toHaveLength(5)
})

test('a note that was just written is seen, also behind three others', async () => {
  await show(keeping(...['1', '2', '3', '4'].map(id => note(id, `メモの${id}`))))
  await expect.element(list().getByRole('button', { name: '残り1件のメモを表示' })).toBeVisible()
  await page.getByRole('button', { name: 'メモを追加' }).click()
  await userEvent.fill(page.getByLabelText('メモ', { exact: true }), '書いたばかり')
  await page.getByRole('button', { name: 'メモを保存する' }).click()
  await expect.element(list().getByText('書いたばかり')).toBeVisible()
})

test('on weeks and months a note stands on the period of its day, cut at the ends of the chart', () => {
  const weeks = [{ key: '2026-11-01' }, { key: '2026-11-08' }, { key: '2026-11-15' }]
  const place = (startsOn: string, endsOn: string) => {
    const [mark] = noteMarks([{ id: '1', startsOn, endsOn, text: '' }], weeks)
    return [mark?.from, mark?.to]
  }
  expect(place('2026-11-07', '2026-11-07')).toEqual([0, 0])
  expect(place('2026-11-08', '2026-11-30')).toEqual([1, 2])
  expect(place('2026-10-01', '2026-11-14')).toEqual([0, 1])
  expect(noteMarks([{ id: '1', startsOn: '2026-11-01', endsOn: '2026-11-01', text: '' }], [])).toEqual([])
})
