import type { BoardTile } from '@pc/domain/board/board.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { NO_LABEL } from '@pc/domain/report/article-label.ts'
import { ScrollRegion } from '@pc/ui/elements/scroll-region.tsx'
import { LabelTileDocument } from './label-tile.gen.ts'
import styles from './label-tile.module.css'
import { type TileRow, useTileData } from './tile-data.ts'
import { type ShownProps, TileStates } from './tile-states.tsx'
import { TileTable } from './tile-table.tsx'
import { FIGURE_LABELS, FIGURE_UNITS, figureText } from './tile-words.ts'

interface LabelRow extends TileRow {
  readonly label: { readonly id: string; readonly name: string | null } | null
  readonly publisherName: string | null
}

/** A tile with articles by author, section or tag. */
export function LabelTile({ tile, today }: { tile: BoardTile; today: Day }) {
  const answer = useTileData(tile, today, LabelTileDocument)
  return (
    <TileStates tile={tile} answer={answer}>
      {shown => {
        const stats = { ...shown.stats, nodes: named(shown.stats.nodes as readonly LabelRow[]) }
        return tile.shape === 'chart' ? (
          <LabelBars {...shown} stats={stats} />
        ) : (
          // An article counts for each of its authors and tags, so only sections have a total.
          <TileTable {...shown} stats={stats} hasTotal={tile.groupBy === 'section'} />
        )
      }}
    </TileStates>
  )
}

/** Adds the publisher to labels when there are several publishers, because names can be equal. */
function named(rows: readonly LabelRow[]): TileRow[] {
  const publishers = new Set(rows.flatMap(row => row.publisherName ?? []))
  return rows.map(row => {
    const { label, publisherName } = row
    if (!label || label.id === '0') return { ...row, name: NO_LABEL }
    const own = label.name ?? `ID ${label.id}`
    return { ...row, name: publishers.size > 1 && publisherName ? `${own}（${publisherName}）` : own }
  })
}

/** Bars with the greatest first; lengths are relative to the greatest. */
function LabelBars({ tile, stats }: ShownProps) {
  const { figure } = tile
  const most = Math.max(0, ...stats.nodes.map(row => row[figure] ?? 0))
  return (
    <ScrollRegion className={styles.scroll} data-tall={tile.height === 3} aria-label={`「${tile.title}」のグラフ`}>
      <p
        className={styles.unit}
      >{`${FIGURE_LABELS[figure]}${FIGURE_UNITS[figure] ? `（${FIGURE_UNITS[figure]}）` : ''}`}</p>
      <ol className={styles.bars}>
        {stats.nodes.map(row => (
          <li key={row.name}>
            <span className={styles.name} title={row.name ?? undefined}>
              {row.name}
            </span>
            <span className="num">{figureText(row, figure)}</span>
            <span
              aria-hidden
              className={styles.bar}
              style={{ width: `${most > 0 ? Math.max(0, ((row[figure] ?? 0) / most) * 100) : 0}%` }}
            />
          </li>
        ))}
      </ol>
    </ScrollRegion>
  )
}
