import { rolesOf } from '../access/role-duties.ts'
import type { DayRange } from '../condition/default-range.ts'
import type { FilterCondition } from '../condition/entity-filter.ts'
import { FILTER_CONDITIONS } from '../condition/filter-conversions.ts'
import { addDays, type Day } from '../month/day.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { ArticleLabelKind } from '../report/article-label.ts'
import type { Comparison } from '../report/comparison.ts'
import type { Granularity } from '../report/granularity.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'

/** The reports whose views can be pinned as tiles. */
export const TILE_REPORTS = ['dashboard', 'ranking', 'articles', 'videos'] as const
export type TileReport = (typeof TILE_REPORTS)[number]

export const TILE_SHAPES = ['chart', 'table', 'figure'] as const
export type TileShape = (typeof TILE_SHAPES)[number]

export const TILE_FIGURES = ['revenue', 'impressions', 'clicks', 'ctr', 'watchCount'] as const
export type TileFigure = (typeof TILE_FIGURES)[number]

/** Periods relative to the day on which the board is read, so that it stays current; `fixed` keeps its two days. */
export const TILE_PERIODS = ['last7', 'last28', 'thisMonth', 'lastMonth', 'fixed'] as const
export type TilePeriod = (typeof TILE_PERIODS)[number]

/** Columns of a board on a wide screen, and the most rows of one tile. */
export const BOARD_COLUMNS = 4
export const MAX_TILE_ROWS = 3

/** Characters of names and titles, tiles of a board, boards of a person. */
export const BOARD_BOUNDS = { name: 60, tiles: 24, boards: 50, tileTitle: 60 } as const

/** One pinned view. Its figures are read with the rights of the person who reads the board. */
export interface BoardTile {
  /** Unique within the board. */
  readonly id: string
  readonly title: string
  readonly report: TileReport
  readonly shape: TileShape
  readonly figure: TileFigure
  readonly granularity: Granularity
  readonly period: TilePeriod
  /** Set only when the period is `fixed`. */
  readonly from: Day | null
  readonly to: Day | null
  /**
   * What the figures are compared with. Null: a single figure is compared with the preceding days, anything else with
   * nothing.
   */
  readonly compareWith: Comparison | null
  /** The filter of the pinned view, as written in an address; empty: no filter. */
  readonly condition: string
  /** How articles are grouped; null: by article or by period. */
  readonly groupBy: ArticleLabelKind | null
  /** Columns, 1 … {@link BOARD_COLUMNS}. */
  readonly width: number
  /** Rows, 1 … {@link MAX_TILE_ROWS}. */
  readonly height: number
}

/** The filter of a tile's report. */
export function tileFilter({ report, condition }: Pick<BoardTile, 'report' | 'condition'>): FilterCondition {
  return FILTER_CONDITIONS[report].parse(condition)
}

/** The text of a tile's filter, without parameters that its report does not have. */
export function tileCondition(report: TileReport, filter: FilterCondition): string {
  return FILTER_CONDITIONS[report].format({ ...FILTER_CONDITIONS.articles.defaults, ...filter }) ?? ''
}

/** The days of a tile read on `today`. Relative periods end yesterday, the last day that can have data. */
export function tileRange(tile: Pick<BoardTile, 'period' | 'from' | 'to'>, today: Day): DayRange {
  const yesterday = addDays(today, -1)
  const month = monthOfDay(today)
  switch (tile.period) {
    case 'last7':
      return { from: addDays(yesterday, -6), to: yesterday }
    case 'last28':
      return { from: addDays(yesterday, -27), to: yesterday }
    case 'thisMonth':
      return { from: firstDayOf(month), to: yesterday < firstDayOf(month) ? today : yesterday }
    case 'lastMonth':
      return { from: firstDayOf(addMonths(month, -1)), to: lastDayOf(addMonths(month, -1)) }
    case 'fixed':
      return { from: tile.from ?? yesterday, to: tile.to ?? tile.from ?? yesterday }
  }
}

/**
 * Whether a report can be shown in this shape. A ranking has no course over time, and a grouping by author, section or
 * tag has no single figure.
 */
export function hasShape(report: TileReport, shape: TileShape, groupBy: ArticleLabelKind | null): boolean {
  if (groupBy !== null) return report === 'articles' && shape !== 'figure'
  return report !== 'ranking' || shape !== 'chart'
}

/**
 * Roles with which a board can be shared: staff share with every role of the console, a publisher's people with their
 * own.
 */
export const PUBLISHER_SHARE_ROLES = rolesOf('publisher', 'reads')
export const STAFF_SHARE_ROLES = [...rolesOf('staff', 'reads'), ...PUBLISHER_SHARE_ROLES]

export interface BoardDraft {
  readonly name: string
  readonly sharedRoles: readonly string[]
  readonly tiles: readonly BoardTile[]
}

type BoardRefusal = Refusal<
  | 'board/name-missing'
  | 'board/name-too-long'
  | 'board/too-many-tiles'
  | 'board/tile-wrong'
  | 'board/tile-title-wrong'
  | 'board/role-wrong'
  | 'name/hidden-characters'
>

/**
 * What is wrong with a board, with the path of each field.
 * Tested by `features/boards/server/boards.test.ts`.
 */
export function checkBoard(draft: BoardDraft, allowedRoles: readonly string[]): readonly BoardRefusal[] {
  const { name, tiles } = BOARD_BOUNDS
  const refusals: BoardRefusal[] = []
  if (draft.name === '') refusals.push(refusal('board/name-missing', ['input', 'name']))
  if ([...draft.name].length > name) refusals.push(refusal('board/name-too-long', ['input', 'name'], { max: name }))
  if (hasHiddenCharacter(draft.name)) refusals.push(refusal('name/hidden-characters', ['input', 'name']))
  if (draft.sharedRoles.some(role => !allowedRoles.includes(role)))
    refusals.push(refusal('board/role-wrong', ['input', 'sharedRoles']))
  if (draft.tiles.length > tiles) refusals.push(refusal('board/too-many-tiles', ['input', 'tiles'], { max: tiles }))
  if (new Set(draft.tiles.map(tile => tile.id)).size < draft.tiles.length)
    refusals.push(refusal('board/tile-wrong', ['input', 'tiles']))
  return [...refusals, ...draft.tiles.flatMap(checkTile)]
}

function checkTile(tile: BoardTile): BoardRefusal[] {
  const length = [...tile.title].length
  const titleWrong = length < 1 || length > BOARD_BOUNDS.tileTitle
  const isHidden = hasHiddenCharacter(tile.title)
  const isFixed = tile.period === 'fixed'
  const days = isFixed
    ? tile.from !== null && tile.to !== null && tile.from <= tile.to
    : tile.from === null && tile.to === null
  const isSized = isWithin(tile.width, BOARD_COLUMNS) && isWithin(tile.height, MAX_TILE_ROWS)
  // The text changes when it is parsed and written again if it names an unknown parameter or too many values.
  const isFilter = tileCondition(tile.report, tileFilter(tile)) === tile.condition
  const isShown = hasShape(tile.report, tile.shape, tile.groupBy) && isFilter
  const isRight = days && isSized && isShown && /^[a-z0-9]{1,32}$/.test(tile.id)
  return [
    ...(titleWrong ? [refusal('board/tile-title-wrong', ['input', 'tiles'], { max: BOARD_BOUNDS.tileTitle })] : []),
    ...(isHidden ? [refusal('name/hidden-characters', ['input', 'tiles'])] : []),
    ...(isRight ? [] : [refusal('board/tile-wrong', ['input', 'tiles'])]),
  ]
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}
