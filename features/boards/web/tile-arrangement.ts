import { BOARD_COLUMNS, type BoardTile, MAX_TILE_ROWS } from '@pc/domain/board/board.ts'

type Tiles = readonly BoardTile[]

/** Moves a tile to another position in the reading order. */
export function moveTile(tiles: Tiles, id: string, to: number): Tiles {
  const from = tiles.findIndex(tile => tile.id === id)
  const target = Math.min(tiles.length - 1, Math.max(0, to))
  if (from < 0 || from === target) return tiles
  const rest = tiles.filter(tile => tile.id !== id)
  return [...rest.slice(0, target), tiles[from]!, ...rest.slice(target)]
}

/** Charts and tables are unreadable in a tile of one row. */
function leastRows(tile: BoardTile): number {
  return tile.shape === 'figure' ? 1 : 2
}

export function resizeTile(tiles: Tiles, id: string, size: { width: number; height: number }): Tiles {
  const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
  return tiles.map(tile => {
    if (tile.id !== id) return tile
    const width = clamp(size.width, 1, BOARD_COLUMNS)
    const height = clamp(size.height, leastRows(tile), MAX_TILE_ROWS)
    return width === tile.width && height === tile.height ? tile : { ...tile, width, height }
  })
}

/** The tile's position after a key press; undefined when the key does nothing. */
export function placeAfterKey(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  return step === undefined ? undefined : Math.min(count - 1, Math.max(0, at + step))
}

/** The tile's size after a key press, not yet clamped; undefined when the key does nothing. */
export function sizeAfterKey(key: string, { width, height }: BoardTile): { width: number; height: number } | undefined {
  if (key === 'ArrowLeft') return { width: width - 1, height }
  if (key === 'ArrowRight') return { width: width + 1, height }
  if (key === 'ArrowUp') return { width, height: height - 1 }
  return key === 'ArrowDown' ? { width, height: height + 1 } : undefined
}
