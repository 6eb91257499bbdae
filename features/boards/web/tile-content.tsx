import type { BoardTile } from '@pc/domain/board/board.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { COMPARISON_LABELS } from '@pc/domain/report/comparison.ts'
import { Sparkline } from '@pc/ui/chart/sparkline.tsx'
import { formatChange, NO_VALUE } from '@pc/ui/format.ts'
import { later } from '@pc/ui/later.tsx'
import { Skeleton } from '@pc/ui/screen-states.tsx'
import type { Viewer } from '@pc/ui/viewer.tsx'
import { IconArrowDown, IconArrowUp, IconDatabaseOff, IconLock, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import styles from './board.module.css'
import {
  COMPARED_KEY,
  RESOURCES,
  rowName,
  type TileAnswer,
  type TileTotals,
  tilePoints,
  useTileData,
} from './tile-data.ts'
import { FIGURE_LABELS, FIGURE_UNITS, figureText, type TileFigures } from './tile-words.ts'

const TimeSeries = later(async () => (await import('@pc/ui/chart/time-series.tsx')).TimeSeries)

interface ContentProps {
  tile: BoardTile
  today: Day
}

/** What a tile shows to this reader: its figures, or calmly why there are none. */
export function TileContent({ tile, today, viewer }: ContentProps & { viewer: Viewer }) {
  if (!viewer.can('read:list', RESOURCES[tile.report])) {
    return (
      <Calm icon={<IconLock size={20} aria-hidden />}>
        このタイルを表示する権限がありません。ほかのタイルはそのままご覧いただけます。
      </Calm>
    )
  }
  return <AllowedContent tile={tile} today={today} />
}

function AllowedContent({ tile, today }: ContentProps) {
  // On its way together with its figures.
  if (tile.shape === 'chart') TimeSeries.load()
  const { range, data, error, isLoading, retry } = useTileData(tile, today)
  const stats = data?.stats
  if (!stats && isLoading) {
    return (
      <div role="status" aria-label={`「${tile.title}」を読み込み中`}>
        <Skeleton height={tile.height === 1 ? 64 : 200} />
      </div>
    )
  }
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
  const shown = { tile, stats, totals: stats.totals, range }
  if (tile.shape === 'chart') return <TileChart {...shown} />
  return tile.shape === 'table' ? <TileTable {...shown} /> : <TileFigure {...shown} />
}

function Calm({ icon, children, action }: { icon?: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.calm}>
      {icon}
      <p>{children}</p>
      {action}
    </div>
  )
}

interface ShownProps {
  tile: BoardTile
  stats: TileAnswer['stats']
  totals: TileTotals
  range: ReturnType<typeof useTileData>['range']
}

/** Height of a chart by the rows of its tile: what the heading leaves of them. */
const CHART_HEIGHTS = [0, 132, 246, 408] as const

function TileChart({ tile, stats, range }: ShownProps) {
  const { figure } = tile
  const height = CHART_HEIGHTS[tile.height] ?? CHART_HEIGHTS[2]
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

function TileTable({ tile, stats, totals, range }: ShownProps) {
  const { figure } = tile
  const head = FIGURE_LABELS[figure] + (FIGURE_UNITS[figure] === '円' ? '（円）' : '')
  // The latest period first; a ranking comes in its order.
  const rows = tile.report === 'dashboard' ? [...stats.nodes].reverse() : stats.nodes
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section className={styles.scroll} tabIndex={0} aria-label={`「${tile.title}」の表`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{tile.report === 'dashboard' ? '期間' : '名称'}</th>
            <th scope="col">{head}</th>
            {tile.compareWith && <th scope="col">{`${COMPARISON_LABELS[tile.compareWith]}比`}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            const name = rowName(row, tile.granularity, range)
            return (
              <tr key={`${row.date ?? ''}${row.name ?? ''}${row.rank ?? at}`}>
                <th scope="row" title={name}>
                  {row.rank !== undefined && <span className={styles.rank}>{row.rank}</span>}
                  {name}
                </th>
                <td className="num">{figureText(row, figure)}</td>
                {tile.compareWith && <ChangeCell now={row} before={row.compared} figure={figure} />}
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">合計</th>
            <td className="num">{figureText(totals, figure)}</td>
            {tile.compareWith && <ChangeCell now={totals} before={totals.compared} figure={figure} />}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

interface ChangeProps {
  now: TileFigures
  before: TileFigures | null
  figure: BoardTile['figure']
}

/** How a row differs from its compared days; nothing to compare with: a dash. */
function ChangeCell({ now, before, figure }: ChangeProps) {
  const earlier = before?.[figure]
  const change = typeof earlier === 'number' ? formatChange(now[figure] ?? 0, earlier) : undefined
  return (
    <td className={`num ${styles.compared}`} data-direction={change?.direction}>
      {change ? change.text : NO_VALUE}
    </td>
  )
}

function TileFigure({ tile, stats, totals, range }: ShownProps) {
  const { figure } = tile
  const before = totals.compared?.[figure]
  // Only whole ranges are compared: a missing day would look like a loss.
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
