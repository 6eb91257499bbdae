import type { BoardTile } from '@pc/domain/board/board.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { type PointerEvent as ReactPointerEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './board.module.css'
import { moveTile, placeAfterKey, resizeTile, sizeAfterKey } from './tile-arrangement.ts'
import { TileCard } from './tile-card.tsx'

interface GridProps {
  tiles: readonly BoardTile[]
  today: Day
  viewer: Viewer
  /** Set only while the board is being arranged. */
  onChange: ((tiles: readonly BoardTile[]) => void) | undefined
}

/** Height of a grid row with its gap, in pixels, as in the style sheet. */
const ROW_STEP = 164

const BACKWARD: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowUp', 'Home'])

/** The tiles in reading order, which is also the tab order. Tiles can be arranged by pointer or keyboard. */
export function TileGrid({ tiles, today, viewer, onChange }: GridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const current = useRef(tiles)
  const [said, setSaid] = useState('')
  const [held, setHeld] = useState<string>()
  const helpId = useId()
  const refocus = useRef<string>(undefined)
  current.current = tiles

  // Restores the focus, which a control loses when React moves it in the DOM.
  useLayoutEffect(() => {
    const id = refocus.current
    refocus.current = undefined
    if (id) document.getElementById(id)?.focus()
  })

  const apply = (next: readonly BoardTile[], id: string, kind: 'place' | 'size') => {
    if (next === current.current) return
    current.current = next
    onChange?.(next)
    const at = next.findIndex(tile => tile.id === id)
    const tile = next[at]
    if (!tile) return
    setSaid(
      kind === 'place'
        ? `「${tile.title}」を${at + 1}番目に移動しました（全${next.length}枚）`
        : `「${tile.title}」の大きさを幅${tile.width}列・高さ${tile.height}段にしました`,
    )
  }
  const moveByKey = (key: string, id: string, control: string): boolean => {
    const at = tiles.findIndex(tile => tile.id === id)
    const to = placeAfterKey(key, at, tiles.length)
    if (to === undefined) return false
    refocus.current = control
    if (to === at) setSaid(BACKWARD.has(key) ? 'これ以上前へは移動できません' : 'これ以上後ろへは移動できません')
    else apply(moveTile(tiles, id, to), id, 'place')
    return true
  }
  const resizeByKey = (key: string, id: string): boolean => {
    const tile = tiles.find(one => one.id === id)
    const size = tile && sizeAfterKey(key, tile)
    if (!size) return false
    const next = resizeTile(tiles, id, size)
    if (next.every((one, at) => one === tiles[at])) setSaid('これ以上大きさを変えられません')
    else apply(next, id, 'size')
    return true
  }
  const dragPlace = (id: string) => (event: ReactPointerEvent) => {
    let over = id
    follow(event, setHeld, id, moved => {
      const under = document
        .elementsFromPoint(moved.clientX, moved.clientY)
        .map(element => element.closest<HTMLElement>('[data-tile]')?.dataset.tile)
        .find(found => found !== undefined && grid.current?.querySelector(`[data-tile="${found}"]`))
      if (under === undefined || under === over) return
      over = under
      if (under === id) return
      const to = current.current.findIndex(tile => tile.id === under)
      apply(moveTile(current.current, id, to), id, 'place')
    })
  }
  const dragSize = (id: string) => (event: ReactPointerEvent) => {
    const began = current.current.find(tile => tile.id === id)
    const columns = getComputedStyle(grid.current!).gridTemplateColumns.split(' ').length
    const columnStep = grid.current!.clientWidth / columns
    const { clientX, clientY } = event
    follow(event, setHeld, id, moved => {
      const width = began!.width + Math.round((moved.clientX - clientX) / columnStep)
      const height = began!.height + Math.round((moved.clientY - clientY) / ROW_STEP)
      const next = resizeTile(current.current, id, { width, height })
      if (next.some((tile, at) => tile !== current.current[at])) apply(next, id, 'size')
    })
  }

  return (
    <div className={styles.place}>
      <p id={helpId} className="visually-hidden">
        矢印キーで動かします。ドラッグでも操作できます。
      </p>
      <p className="visually-hidden" role="status" aria-live="polite">
        {said}
      </p>
      <div ref={grid} className={styles.grid} data-arranging={onChange ? true : undefined}>
        {tiles.map((tile, at) => (
          <TileCard
            key={tile.id}
            tile={tile}
            today={today}
            viewer={viewer}
            isHeld={held === tile.id}
            editing={
              onChange && {
                helpId,
                place: `${at + 1}番目、全${tiles.length}枚`,
                onMoveKey: (key, control) => moveByKey(key, tile.id, control),
                onSizeKey: key => resizeByKey(key, tile.id),
                onMovePress: dragPlace(tile.id),
                onSizePress: dragSize(tile.id),
                onRename: title => onChange(tiles.map(one => (one.id === tile.id ? { ...one, title } : one))),
                onRemove: () => {
                  onChange(tiles.filter(one => one.id !== tile.id))
                  setSaid(`「${tile.title}」を外しました`)
                },
              }
            }
          />
        ))}
      </div>
    </div>
  )
}

/** Tracks the pointer on the window until it is released, because the pressed control may move in the DOM meanwhile. */
function follow(
  event: ReactPointerEvent,
  setHeld: (id: string | undefined) => void,
  id: string,
  onMove: (event: PointerEvent) => void,
): void {
  if (event.button !== 0) return
  const end = new AbortController()
  const { signal } = end
  const stop = () => {
    end.abort()
    setHeld(undefined)
  }
  setHeld(id)
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', stop, { signal })
  window.addEventListener('pointercancel', stop, { signal })
}
