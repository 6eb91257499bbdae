import type { BoardTile } from '@pc/domain/board/board.ts'
import { COMPARISON_LABELS } from '@pc/domain/report/comparison.ts'
import { ScrollRegion } from '@pc/ui/elements/scroll-region.tsx'
import { formatChange, NO_VALUE } from '@pc/ui/text/format.ts'
import styles from './board.module.css'
import { rowName } from './tile-data.ts'
import type { ShownProps } from './tile-states.tsx'
import { FIGURE_LABELS, FIGURE_UNITS, figureText, type TileFigures } from './tile-words.ts'

export function TileTable({ tile, stats, totals, range, hasTotal }: ShownProps & { hasTotal: boolean }) {
  const { figure } = tile
  const head = FIGURE_LABELS[figure] + (FIGURE_UNITS[figure] === '円' ? '（円）' : '')
  // Periods are reversed to show the latest first; rankings are in order already.
  const rows = tile.report === 'dashboard' ? [...stats.nodes].reverse() : stats.nodes
  return (
    <ScrollRegion className={styles.scroll} aria-label={`「${tile.title}」の表`}>
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
        {hasTotal && (
          <tfoot>
            <tr>
              <th scope="row">合計</th>
              <td className="num">{figureText(totals, figure)}</td>
              {tile.compareWith && <ChangeCell now={totals} before={totals.compared} figure={figure} />}
            </tr>
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}

interface ChangeProps {
  now: TileFigures
  before: TileFigures | null
  figure: BoardTile['figure']
}

/** The change of a row against its compared days; a dash when there are none. */
function ChangeCell({ now, before, figure }: ChangeProps) {
  const earlier = before?.[figure]
  const change = typeof earlier === 'number' ? formatChange(now[figure] ?? 0, earlier) : undefined
  return (
    <td className={`num ${styles.compared}`} data-direction={change?.direction}>
      {change ? change.text : NO_VALUE}
    </td>
  )
}
