import type { ColumnUnit } from '../../report-columns.ts'
import type { ExplainRows } from './explanation.tsx'
import { figureText } from './figure-text.ts'
import styles from './report-figures.module.css'
import { DifferenceText } from './report-figures.tsx'

export interface Tile {
  /** The id of the table column with the same figure. */
  readonly id: string
  readonly label: string
  readonly unit: ColumnUnit
  /** 回, 円. */
  readonly suffix?: string
  readonly now: number | null | undefined
  readonly before: number | null | undefined
}

/** Key figures above a report, with their change when days are compared. */
export function Tiles(props: {
  tiles: readonly Tile[]
  isCompared: boolean
  explain: ExplainRows<never>
  /** Shows placeholders while the figures load. */
  isWaiting?: boolean
}) {
  const { tiles, isCompared, explain, isWaiting = false } = props
  return (
    <dl className={styles.tiles} aria-busy={isWaiting}>
      {tiles.map(({ id, label, unit, suffix, now, before }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {isWaiting ? '\u00a0' : figureText(unit, now)}
            {suffix && !isWaiting && <small>{suffix}</small>}
          </dd>
          {isCompared && (
            <dd className={styles.tileChange}>
              {isWaiting ? (
                '\u00a0'
              ) : (
                <DifferenceText unit={unit} now={now} before={before} why={explain.why(id, undefined, true)} />
              )}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
