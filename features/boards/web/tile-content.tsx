import type { BoardTile } from '@pc/domain/board/board.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { COMPARISON_LABELS } from '@pc/domain/report/comparison.ts'
import { Sparkline } from '@pc/ui/chart/sparkline.tsx'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { formatChange } from '@pc/ui/text/format.ts'
import { IconArrowDown, IconArrowUp, IconLock } from '@tabler/icons-react'
import { Suspense } from 'react'
import styles from './board.module.css'
import { COMPARED_KEY, RESOURCES, tilePoints, useTileData } from './tile-data.ts'
import { Calm, type ShownProps, TileStates, TileWaiting } from './tile-states.tsx'
import { TileTable } from './tile-table.tsx'
import { FIGURE_LABELS, FIGURE_UNITS, figureText } from './tile-words.ts'

const LabelTile = lazyPart(async () => (await import('./label-tile.tsx')).LabelTile)
const TimeSeries = lazyPart(async () => (await import('@pc/ui/chart/time-series.tsx')).TimeSeries)

interface ContentProps {
  tile: BoardTile
  today: Day
}

/** The tile's figures, or a note when the reader lacks the right or there are none. */
export function TileContent({ tile, today, viewer }: ContentProps & { viewer: Viewer }) {
  if (!viewer.can('read:list', RESOURCES[tile.report])) {
    return (
      <Calm icon={<IconLock size={20} aria-hidden />}>
        このタイルを表示する権限がありません。ほかのタイルはそのままご覧いただけます。
      </Calm>
    )
  }
  if (tile.groupBy === null) return <AllowedContent tile={tile} today={today} />
  return (
    <Suspense fallback={<TileWaiting tile={tile} />}>
      <LabelTile tile={tile} today={today} />
    </Suspense>
  )
}

function AllowedContent({ tile, today }: ContentProps) {
  // Loads the chart's code in parallel with the figures.
  if (tile.shape === 'chart') TimeSeries.load()
  const answer = useTileData(tile, today)
  return (
    <TileStates tile={tile} answer={answer}>
      {shown =>
        tile.shape === 'chart' ? (
          <TileChart {...shown} />
        ) : tile.shape === 'table' ? (
          <TileTable {...shown} hasTotal />
        ) : (
          <TileFigure {...shown} />
        )
      }
    </TileStates>
  )
}

/** Chart heights in pixels, by the tile's number of rows, without the heading. */
const CHART_HEIGHTS = [0, 132, 246, 408] as const
/** In pixels: the line about a late medium. */
const NOTE_HEIGHT = 20

function TileChart({ tile, stats, range, isNoted }: ShownProps) {
  const { figure } = tile
  const height = (CHART_HEIGHTS[tile.height] ?? CHART_HEIGHTS[2]) - (isNoted ? NOTE_HEIGHT : 0)
  const series = [
    {
      key: figure,
      label: FIGURE_LABELS[figure],
      unit: figure === 'ctr' ? '%' : FIGURE_UNITS[figure],
      shape: figure === 'ctr' ? 'line' : 'bar',
      color: COLORS[figure],
      ...(tile.compareWith ? { against: { key: COMPARED_KEY, label: COMPARISON_LABELS[tile.compareWith] } } : {}),
    } as const,
  ]
  return (
    <Suspense fallback={<Skeleton height={height} />}>
      <TimeSeries
        title={tile.title}
        points={tilePoints(stats.nodes, tile, range, stats.dataUntil)}
        series={series}
        height={height}
        isPlain
      />
    </Suspense>
  )
}

const COLORS = {
  revenue: 'var(--series-1)',
  impressions: 'var(--series-3)',
  clicks: 'var(--series-2)',
  ctr: 'var(--series-4)',
  watchCount: 'var(--series-4)',
} as const

function TileFigure({ tile, stats, totals, range }: ShownProps) {
  const { figure } = tile
  const before = totals.compared?.[figure]
  // Only complete ranges are compared: a missing day would look like a loss.
  const isWhole = totals.daysWithData === totals.days
  const change = isWhole && typeof before === 'number' ? formatChange(totals[figure] ?? 0, before) : undefined
  const hasTrend = tile.report !== 'ranking'
  return (
    <div className={styles.figure}>
      <p className={`num ${styles.value}`}>
        {figureText(totals, figure)}
        {FIGURE_UNITS[figure] && <small>{FIGURE_UNITS[figure]}</small>}
      </p>
      {change && (
        <p className={styles.change} data-direction={change.direction}>
          {change.direction === 'up' && <IconArrowUp size={14} aria-hidden />}
          {change.direction === 'down' && <IconArrowDown size={14} aria-hidden />}
          <span className="num">{change.text}</span>
          <span>{tile.compareWith ? `${COMPARISON_LABELS[tile.compareWith]}比` : '前期間比'}</span>
        </p>
      )}
      {hasTrend && (
        <span className={styles.trend}>
          <Sparkline
            values={tilePoints(stats.nodes, tile, range, stats.dataUntil).map(point => point.values[figure] ?? null)}
            color={COLORS[figure]}
          />
        </span>
      )}
    </div>
  )
}
