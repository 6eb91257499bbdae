import { BOARD_BOUNDS, type BoardTile, tileRange } from '@pc/domain/board/board.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { ARTICLE_LABEL_NOUNS } from '@pc/domain/report/article-label.ts'
import { COMPARISON_LABELS } from '@pc/domain/report/comparison.ts'
import { GRANULARITY_LABELS } from '@pc/domain/report/granularity.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { IconArrowsDiagonal2, IconGripVertical, IconX } from '@tabler/icons-react'
import { type PointerEvent, useId } from 'react'
import styles from './board.module.css'
import { reportAddress } from './report-address.ts'
import { TileContent } from './tile-content.tsx'
import { RESOURCES } from './tile-data.ts'
import { filterText, PERIOD_LABELS, REPORT_LABELS, shortRange } from './tile-words.ts'

interface Editing {
  readonly helpId: string
  /** The tile's position for screen readers, for example 2番目、全5枚. */
  readonly place: string
  onMoveKey(key: string, controlId: string): boolean
  onSizeKey(key: string): boolean
  onMovePress(event: PointerEvent): void
  onSizePress(event: PointerEvent): void
  onRename(title: string): void
  onRemove(): void
}

interface CardProps {
  tile: BoardTile
  today: Day
  viewer: Viewer
  isHeld: boolean
  editing: Editing | undefined
}

/** A tile with its frame. The heading links to the tile's report. */
export function TileCard({ tile, today, viewer, isHeld, editing }: CardProps) {
  const headingId = useId()
  return (
    <section
      className={styles.tile}
      data-tile={tile.id}
      data-width={tile.width}
      data-height={tile.height}
      data-held={isHeld || undefined}
      aria-labelledby={headingId}
    >
      <header className={styles.head}>
        {editing ? (
          <>
            <h2 id={headingId} className="visually-hidden">
              {tile.title}
            </h2>
            <EditedHead tile={tile} editing={editing} />
          </>
        ) : (
          <>
            <h2 id={headingId}>
              {viewer.can('read:list', RESOURCES[tile.report]) ? (
                <a href={reportAddress(tile, today)} title={`${REPORT_LABELS[tile.report]}を開く`}>
                  {tile.title}
                </a>
              ) : (
                tile.title
              )}
            </h2>
            <p className={styles.period}>{periodText(tile, today)}</p>
          </>
        )}
      </header>
      <div className={styles.content} inert={editing !== undefined}>
        <TileContent tile={tile} today={today} viewer={viewer} />
      </div>
      {editing && (
        <button
          type="button"
          className={styles.size}
          aria-label={`「${tile.title}」の大きさを変更（幅${tile.width}列・高さ${tile.height}段）`}
          aria-describedby={editing.helpId}
          onPointerDown={editing.onSizePress}
          onKeyDown={event => {
            if (editing.onSizeKey(event.key)) event.preventDefault()
          }}
        >
          <IconArrowsDiagonal2 size={16} aria-hidden />
        </button>
      )}
    </section>
  )
}

function EditedHead({ tile, editing }: { tile: BoardTile; editing: Editing }) {
  const id = useId()
  return (
    <>
      <button
        id={id}
        type="button"
        className={styles.grip}
        aria-label={`「${tile.title}」を移動（${editing.place}）`}
        aria-describedby={editing.helpId}
        onPointerDown={editing.onMovePress}
        onKeyDown={event => {
          if (editing.onMoveKey(event.key, id)) event.preventDefault()
        }}
      >
        <IconGripVertical size={18} aria-hidden />
      </button>
      <input
        className={styles.title}
        aria-label={`「${tile.title}」の名前`}
        defaultValue={tile.title}
        maxLength={BOARD_BOUNDS.tileTitle}
        onBlur={event => {
          const title = event.target.value.trim()
          if (title === '') event.target.value = tile.title
          else if (title !== tile.title) editing.onRename(title)
        }}
      />
      <button type="button" className={styles.grip} aria-label={`「${tile.title}」を外す`} onClick={editing.onRemove}>
        <IconX size={18} aria-hidden />
      </button>
    </>
  )
}

/** 直近7日（11月13日〜19日）・日別・媒体1件で絞り込み */
function periodText(tile: BoardTile, today: Day): string {
  const range = shortRange(tileRange(tile, today), today.slice(0, 4))
  const period = tile.period === 'fixed' ? range : `${PERIOD_LABELS[tile.period]}（${range}）`
  const isByDate = tile.shape === 'chart' || (tile.shape === 'table' && tile.report === 'dashboard')
  const rows = tile.groupBy
    ? `${ARTICLE_LABEL_NOUNS[tile.groupBy]}別`
    : isByDate
      ? GRANULARITY_LABELS[tile.granularity]
      : ''
  const compared = tile.compareWith === null ? '' : `${COMPARISON_LABELS[tile.compareWith]}と比較`
  return [period, rows, compared, filterText(tile)].filter(text => text !== '').join('・')
}
