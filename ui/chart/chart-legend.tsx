import type { ChartSeries } from './chart-points.ts'
import styles from './time-series.module.css'

/** What is drawn how; a press hides a measure or shows it again. */
export function Legend(props: {
  series: readonly ChartSeries[]
  hidden: readonly string[]
  hasProvisional: boolean
  onToggle: (key: string) => void
}) {
  return (
    <fieldset className={styles.legend}>
      <legend className="visually-hidden">表示する指標</legend>
      {props.series.map(one => (
        <button
          key={one.key}
          type="button"
          aria-pressed={!props.hidden.includes(one.key)}
          onClick={() => props.onToggle(one.key)}
        >
          <i data-shape={one.shape} style={{ background: one.color }} />
          {one.label}
        </button>
      ))}
      {props.series.map(
        one =>
          one.against && (
            <span key={one.against.key} className={styles.againstLabel}>
              <i aria-hidden />
              {one.against.label}
            </span>
          ),
      )}
      {props.hasProvisional && (
        <span className={styles.provisional}>
          <i aria-hidden />
          速報・集計中
        </span>
      )}
    </fieldset>
  )
}
