import { BOARD_COLUMNS, type BoardTile, MAX_TILE_ROWS } from '@pc/domain/board/board.ts'
import { expect, test } from 'vitest'
import { moveTile, placeAfterKey, resizeTile, sizeAfterKey } from './tile-arrangement.ts'

const tile = (id: string, shape: BoardTile['shape'] = 'chart') => ({ id, shape, width: 2, height: 2 }) as BoardTile
const TILES = [tile('a'), tile('b'), tile('c')]
const ids = (tiles: readonly BoardTile[]) => tiles.map(({ id }) => id).join('')

test('a tile moves within the board; what moves nothing leaves the same list', () => {
  expect(ids(moveTile(TILES, 'a', 2))).toBe('bca')
  expect(ids(moveTile(TILES, 'c', -5))).toBe('cab')
  expect(ids(moveTile(TILES, 'a', 99))).toBe('bca')
  expect(moveTile(TILES, 'b', 1)).toBe(TILES)
  expect(moveTile(TILES, 'gone', 0)).toBe(TILES)
})

test('a size stays within the board; charts and tables keep two rows, a figure may have one', () => {
  const sizeOf = (shape: BoardTile['shape'], width: number, height: number) => {
    const [resized] = resizeTile([tile('a', shape)], 'a', { width, height })
    return [resized!.width, resized!.height]
  }
  expect(sizeOf('chart', 0, 0)).toEqual([1, 2])
  expect(sizeOf('table', 99, 99)).toEqual([BOARD_COLUMNS, MAX_TILE_ROWS])
  expect(sizeOf('figure', 0, 0)).toEqual([1, 1])
  expect(ids(resizeTile(TILES, 'gone', { width: 1, height: 1 }))).toBe('abc')
})

test('arrow keys move and resize by one; other keys do nothing', () => {
  expect(
    ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'Home', 'End', 'a'].map(key => placeAfterKey(key, 1, 3)),
  ).toEqual([0, 0, 2, 2, 0, 2, undefined])
  expect([placeAfterKey('ArrowLeft', 0, 3), placeAfterKey('ArrowRight', 2, 3)]).toEqual([0, 2])
  expect(sizeAfterKey('ArrowRight', tile('a'))).toEqual({ width: 3, height: 2 })
  expect(sizeAfterKey('ArrowUp', tile('a'))).toEqual({ width: 2, height: 1 })
  expect(sizeAfterKey('Enter', tile('a'))).toBeUndefined()
})
