import { useQuery } from '@apollo/client/react'
import {
  BOARD_BOUNDS,
  type BoardTile,
  hasShape,
  TILE_FIGURES,
  TILE_PERIODS,
  TILE_SHAPES,
  type TileFigure,
  type TilePeriod,
  type TileShape,
  tileCondition,
  tileRange,
} from '@pc/domain/board/board.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { ARTICLE_LABEL_NOUNS, type ArticleLabelKind, isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { hiddenCharacterProblem } from '@pc/domain/text/name-refusals.ja.ts'
import type { PinnableView } from '@pc/ui/chart/report-slots.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { PlainPair, PlainSelect, PlainStack, PlainText } from '@pc/ui/form/plain-field.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { useState } from 'react'
import { boardCondition } from '../board-condition.ts'
import { BOARDS_PATH } from '../links.ts'
import { OwnBoardsDocument, PinToBoardDocument } from './pin.gen.ts'
import { FIGURE_LABELS, PERIOD_LABELS, REPORT_LABELS, SHAPE_LABELS, shortRange } from './tile-words.ts'

const NEW_BOARD = 'new'
const SIZES: Readonly<Record<TileShape, { width: number; height: number }>> = {
  chart: { width: 2, height: 2 },
  table: { width: 2, height: 2 },
  figure: { width: 1, height: 1 },
}

/** Pins the report's current view to one of the person's boards, or to a new one. */
export function PinDialog({ view, onClose }: { view: PinnableView; onClose: () => void }) {
  const today = todayInTokyo()
  const { data, loading } = useQuery(OwnBoardsDocument, { fetchPolicy: 'network-only' })
  const boards = (data?.boards.nodes ?? []).filter(board => board.isMine)
  const groupBy = labelKindOf(view)
  const shapes = TILE_SHAPES.filter(one => hasShape(view.report, one, groupBy))
  const [shape, setShape] = useState<TileShape>(groupBy ? 'table' : shapes[0]!)
  const [figure, setFigure] = useState<TileFigure>(view.report === 'videos' ? 'watchCount' : 'revenue')
  const [period, setPeriod] = useState<TilePeriod>(() => nearestPeriod(view.range, today))
  const [typedTitle, setTitle] = useState<string>()
  const [chosen, setBoard] = useState<string>()
  const [boardName, setBoardName] = useState('')
  const [problems, setProblems] = useState<{
    readonly board?: string | undefined
    readonly title?: string | undefined
  }>({})
  const [isSending, setSending] = useState(false)
  // One tile id per dialog, so that sending it twice adds one tile.
  const [tileId] = useState(randomId)
  const send = useSubmission(PinToBoardDocument)
  const board = chosen ?? boards[0]?.id ?? NEW_BOARD
  const title =
    typedTitle ??
    `${FIGURE_LABELS[figure]}（${groupBy ? `${ARTICLE_LABEL_NOUNS[groupBy]}別` : REPORT_LABELS[view.report]}）`
  const pin = async () => {
    if (board === NEW_BOARD && boardName.trim() === '')
      return setProblems({ board: '新しいボードの名前を入力してください。' })
    const hidden = board === NEW_BOARD ? hiddenCharacterProblem(boardName) : undefined
    const hiddenInTitle = hiddenCharacterProblem(title)
    setProblems({ board: hidden, title: hiddenInTitle })
    if (hidden || hiddenInTitle) return
    setSending(true)
    try {
      const place = board === NEW_BOARD ? { boardName: boardName.trim() } : { boardId: board }
      const tile = { ...tileOf(view, { shape, figure, period, title: title.trim() }), id: tileId }
      const { pinToBoard } = await send({ input: { ...place, tile } })
      onClose()
      showToast({
        tone: 'success',
        message: `「${pinToBoard.name}」に追加しました。`,
        action: {
          label: 'ボードを開く',
          run: () => {
            location.hash = addressOf(BOARDS_PATH, boardCondition.format({ board: pinToBoard.id }))
          },
        },
      })
    } catch (error) {
      setProblems({ board: refusalsOf(error)[0]?.message ?? '追加できませんでした。もう一度お試しください。' })
      setSending(false)
    }
  }
  return (
    <Dialog
      title="ボードに追加"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="primary" disabled={isSending || loading} onClick={() => void pin()}>
            ボードに追加する
          </Button>
        </>
      }
    >
      <PlainStack problems={problems}>
        {view.isNarrower && <p>タイトルとフィードの絞り込みは、ボードのタイルには引き継がれません。</p>}
        <PlainPair>
          <PlainSelect
            label="表示形式"
            options={shapes.map(value => ({ value, label: SHAPE_LABELS[value] }))}
            value={shape}
            onChange={setShape}
          />
          <PlainSelect
            label="指標"
            options={TILE_FIGURES.map(value => ({ value, label: FIGURE_LABELS[value] }))}
            value={figure}
            onChange={setFigure}
          />
        </PlainPair>
        <PlainSelect
          label="期間"
          hint={
            period === 'fixed'
              ? '追加したあとも、いま表示している期間のままです。'
              : 'ボードを開いた日を基準に、期間が毎日更新されます。'
          }
          options={TILE_PERIODS.map(value => ({ value, label: periodLabel(value, view.range, today) }))}
          value={period}
          onChange={setPeriod}
        />
        <PlainText
          label="タイルの名前"
          value={title}
          onChange={setTitle}
          maxLength={BOARD_BOUNDS.tileTitle}
          problem={problems.title}
        />
        <PlainSelect
          label="追加先のボード"
          options={[
            ...boards.map(one => ({ value: one.id, label: one.name })),
            { value: NEW_BOARD, label: '新しいボードを作る' },
          ]}
          value={board}
          onChange={setBoard}
          problem={board === NEW_BOARD ? undefined : problems.board}
        />
        {board === NEW_BOARD && (
          <PlainText
            label="新しいボードの名前"
            value={boardName}
            onChange={setBoardName}
            maxLength={BOARD_BOUNDS.name}
            problem={problems.board}
          />
        )}
      </PlainStack>
    </Dialog>
  )
}

function tileOf(
  view: PinnableView,
  { period, shape, ...rest }: Pick<BoardTile, 'shape' | 'figure' | 'period' | 'title'>,
) {
  const days = period === 'fixed' ? view.range : { from: null, to: null }
  const groupBy = labelKindOf(view)
  // Bars of labels cannot show a comparison.
  const isCompared = view.compareWith !== undefined && view.compareWith !== 'none' && !(groupBy && shape === 'chart')
  return {
    ...{ ...rest, report: view.report, shape, period, ...days, ...SIZES[shape] },
    granularity: view.granularity ?? 'daily',
    compareWith: isCompared ? view.compareWith : null,
    condition: tileCondition(view.report, view),
    groupBy,
  }
}

function labelKindOf({ groupBy = '' }: PinnableView): ArticleLabelKind | null {
  return isArticleLabelKind(groupBy) ? groupBy : null
}

/** The relative period that equals the report's range, or is as long; `fixed` for other ranges. */
function nearestPeriod(range: DayRange, today: Day): TilePeriod {
  const relative = TILE_PERIODS.filter(period => period !== 'fixed')
  const same = relative.find(period => {
    const { from, to } = tileRange({ period, from: null, to: null }, today)
    return from === range.from && to === range.to
  })
  if (same) return same
  const isDefault = isLastWeek(range, today)
  return isDefault ? 'last7' : 'fixed'
}

/** Whether the range is seven days that end at most two days before `last7` does, like the reports' default range. */
function isLastWeek({ from, to }: DayRange, today: Day): boolean {
  const { from: first, to: last } = tileRange({ period: 'last7', from: null, to: null }, today)
  const late = (Date.parse(last) - Date.parse(to)) / 86_400_000
  return late >= 0 && late <= 2 && Date.parse(first) - Date.parse(from) === late * 86_400_000
}

function periodLabel(period: TilePeriod, range: DayRange, today: Day): string {
  const days = period === 'fixed' ? range : tileRange({ period, from: null, to: null }, today)
  return `${PERIOD_LABELS[period]}（${shortRange(days, today.slice(0, 4))}）`
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, '0')).join('')
}
