import type { BoardTile } from '@pc/domain/board/board.ts'
import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useLeaveGuard } from '@pc/ui/form/use-leave-guard.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import { Message } from '@pc/ui/routing/screen-states.tsx'
import { IconArrowLeft, IconLayoutDashboard, IconLayoutGrid, IconSettings, IconTrash } from '@tabler/icons-react'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { DASHBOARD_PATH } from '../../reports/links.ts'
import { boardCondition } from '../board-condition.ts'
import { BOARDS_PATH } from '../links.ts'
import styles from './board.module.css'
import { type BoardsProps, ownerText, sharingText } from './board-words.ts'
import {
  BoardDocument,
  DeleteBoardDocument,
  RestoreBoardDocument,
  SaveBoardDocument,
  type WholeBoardFragment,
} from './boards.gen.ts'
import { TileGrid } from './tile-grid.tsx'

const BoardDialog = lazyPart(async () => (await import('./board-dialog.tsx')).BoardDialog)

/** One board. Its owner can rename, share and arrange it; others read it. */
export function OpenBoard(props: BoardsProps & { id: string }) {
  const result = useOwnQuery(BoardDocument, { variables: { id: props.id } })
  const board = (result.data ?? result.previousData)?.board ?? undefined
  return (
    <RecordScreen
      title={board?.name ?? 'ボード'}
      listAddress={addressOf(BOARDS_PATH)}
      record={board}
      name={() => ''}
      isLoading={result.loading}
      error={result.error}
      retry={() => void result.refetch()}
      actions={() => (
        <a className={styles.back} href={addressOf(BOARDS_PATH)}>
          <IconArrowLeft size={16} aria-hidden />
          ボードの一覧
        </a>
      )}
    >
      {one => <ShownBoard {...props} board={one} reload={() => result.refetch()} />}
    </RecordScreen>
  )
}

interface OpenProps extends BoardsProps {
  board: WholeBoardFragment
  reload: () => Promise<unknown>
}

function ShownBoard(props: OpenProps) {
  const { board, viewer, today } = props
  const [draft, setDraft] = useState<readonly BoardTile[]>()
  const [isSetting, setSetting] = useState(false)
  const tiles = draft ?? (board.tiles as readonly BoardTile[])
  useLeaveGuard(draft !== undefined && draft !== board.tiles)
  const bar = useRef<HTMLDivElement>(null)
  useFocusOfMode(bar, draft !== undefined)
  return (
    <>
      <div className={styles.bar} ref={bar}>
        <p className={styles.about}>
          {board.isMine ? sharingText(board.sharedRoles) : `${ownerText(board)}が共有`}
          <span>数値はご自身の権限の範囲で表示しています</span>
        </p>
        {draft ? (
          <Arranging {...props} draft={draft} onEnd={() => setDraft(undefined)} />
        ) : (
          board.isMine && (
            <div className={styles.buttons}>
              <Button
                icon={<IconLayoutGrid size={16} aria-hidden />}
                disabled={tiles.length === 0}
                title={tiles.length === 0 ? '並べるタイルがありません' : undefined}
                onClick={() => setDraft(board.tiles as readonly BoardTile[])}
              >
                タイルを並べ替える
              </Button>
              <Button icon={<IconSettings size={16} aria-hidden />} onClick={() => setSetting(true)}>
                名前と共有
              </Button>
              <DeleteButton {...props} />
            </div>
          )
        )}
      </div>
      {tiles.length === 0 ? (
        <Empty isMine={board.isMine} />
      ) : (
        <TileGrid tiles={tiles} today={today} viewer={viewer} onChange={draft && setDraft} />
      )}
      {isSetting && (
        <Suspense>
          <BoardDialog viewer={viewer} board={board} onClose={() => setSetting(false)} onSaved={() => {}} />
        </Suspense>
      )}
    </>
  )
}

/** The pressed button disappears when the mode changes, so the focus moves to the first tile's handle, and back afterwards. */
function useFocusOfMode(bar: RefObject<HTMLDivElement | null>, isArranging: boolean): void {
  const was = useRef(isArranging)
  useEffect(() => {
    if (was.current === isArranging) return
    was.current = isArranging
    const place = isArranging ? bar.current?.nextElementSibling : bar.current
    place?.querySelector('button')?.focus()
  }, [bar, isArranging])
}

function Arranging(props: OpenProps & { draft: readonly BoardTile[]; onEnd: () => void }) {
  const { board, draft, onEnd } = props
  const [problem, setProblem] = useState<{ text: string; isStale: boolean }>()
  const [isSending, setSending] = useState(false)
  const send = useSubmission(SaveBoardDocument)
  const save = async (expectedRevision: number | undefined) => {
    setSending(true)
    try {
      const { hiddenCharacterProblem } = await import('@pc/domain/text/name-refusals.ja.ts')
      const hidden = draft.map(tile => hiddenCharacterProblem(tile.title)).find(text => text !== undefined)
      if (hidden) {
        setSending(false)
        return setProblem({ text: `タイルの名前に、${hidden}`, isStale: false })
      }
      const known = { id: board.id, ...(expectedRevision === undefined ? {} : { expectedRevision }) }
      await send({ input: { ...known, tiles: draft.map(plain) } })
      showToast({ tone: 'success', message: 'ボードの配置を保存しました。' })
      onEnd()
    } catch (error) {
      const refusal = refusalsOf(error)[0]
      const isStale = refusal?.code === 'record/edited-by-other'
      setProblem({ text: refusal?.message ?? '保存できませんでした。もう一度お試しください。', isStale })
      setSending(false)
    }
  }
  return (
    <div className={styles.buttons}>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem.isStale ? 'このボードは別の画面で変更されています。' : problem.text}
        </p>
      )}
      {problem?.isStale ? (
        <>
          <Button onClick={() => void props.reload().then(onEnd)}>最新のボードを読み込む</Button>
          <Button tone="primary" aria-disabled={isSending} onClick={() => void save(undefined)}>
            この配置で上書きする
          </Button>
        </>
      ) : (
        <>
          <Button onClick={onEnd}>取り消す</Button>
          <Button tone="primary" aria-disabled={isSending} onClick={() => void save(board.revision)}>
            配置を保存する
          </Button>
        </>
      )}
    </div>
  )
}

/** The tile as API input, without Apollo's `__typename`. */
function plain(tile: BoardTile) {
  const { __typename, ...plainTile } = tile as BoardTile & { readonly __typename?: string }
  return plainTile
}

function DeleteButton({ board, setCondition }: OpenProps) {
  const send = useSubmission(DeleteBoardDocument)
  const restore = useSubmission(RestoreBoardDocument)
  const remove = async () => {
    await send({ id: board.id })
    setCondition({ board: undefined })
    showToast({
      tone: 'success',
      message: `「${board.name}」を削除しました。`,
      action: {
        label: '元に戻す',
        run: () =>
          void restore({ id: board.id }).then(() => {
            location.hash = addressOf(BOARDS_PATH, boardCondition.format({ board: board.id }))
            showToast({ tone: 'success', message: `「${board.name}」を元に戻しました。` })
          }, NOTHING),
      },
    })
  }
  return (
    // The client's error handling shows a failure; the board stays.
    <Button icon={<IconTrash size={16} aria-hidden />} onClick={() => void remove().catch(NOTHING)}>
      削除
    </Button>
  )
}

const NOTHING = () => {}

function Empty({ isMine }: { isMine: boolean }) {
  return (
    <Message
      icon={<IconLayoutDashboard size={28} stroke={1.6} aria-hidden />}
      title="タイルはまだありません"
      action={isMine && <a href={addressOf(DASHBOARD_PATH)}>ダッシュボードを開く</a>}
    >
      {isMine
        ? 'ダッシュボード、ランキング、記事・動画レポートの「…」にある「ボードに追加」で、見たいグラフや表を追加してください。'
        : '作成者がタイルを追加すると、ここに表示されます。'}
    </Message>
  )
}
