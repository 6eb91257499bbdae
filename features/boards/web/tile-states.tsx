import type { BoardTile } from '@pc/domain/board/board.ts'
import { monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { lateMediaText } from '@pc/domain/report/late-media.ja.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { IconDatabaseOff, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './board.module.css'
import type { TileAnswer, TileTotals, useTileData } from './tile-data.ts'

type Answered = ReturnType<typeof useTileData>

export interface ShownProps {
  tile: BoardTile
  stats: TileAnswer['stats']
  totals: TileTotals
  range: Answered['range']
  /** Whether a note about a late medium is shown above, which takes some height. */
  isNoted: boolean
}

interface StatesProps {
  tile: BoardTile
  answer: Answered
  children: (shown: ShownProps) => ReactNode
}

/** Renders a tile's figures, or the state instead: loading, failed, or no data. */
export function TileStates({ tile, answer, children }: StatesProps) {
  const { range, data, error, isLoading, retry } = answer
  const stats = data?.stats
  if (!stats && isLoading) return <TileWaiting tile={tile} />
  if (!stats || (error && !isLoading)) {
    return (
      <Calm
        action={
          <button type="button" className={styles.retry} onClick={retry}>
            <IconRefresh size={16} aria-hidden />
            もう一度読み込む
          </button>
        }
      >
        データを読み込めませんでした。
      </Calm>
    )
  }
  if (!stats.totals || (tile.shape === 'table' && stats.nodes.length === 0)) {
    return (
      <Calm icon={<IconDatabaseOff size={20} aria-hidden />}>
        この条件で表示できるデータはありません。「データなし」は0回・0円とは異なります。
      </Calm>
    )
  }
  const late = lateMediaText(stats.lateMedia, monthDayText)
  const content = children({ tile, stats, totals: stats.totals, range, isNoted: late !== undefined })
  if (late === undefined) return content
  return (
    <div className={styles.noted}>
      <p title={late}>{late}</p>
      <div>{content}</div>
    </div>
  )
}

export function TileWaiting({ tile }: { tile: BoardTile }) {
  return (
    <div role="status" aria-label={`「${tile.title}」を読み込み中`}>
      <Skeleton height={tile.height === 1 ? 64 : 200} />
    </div>
  )
}

export function Calm({ icon, children, action }: { icon?: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.calm}>
      {icon}
      <p>{children}</p>
      {action}
    </div>
  )
}
