import type { ChartSeries } from './chart-points.ts'
import styles from './time-series.module.css'

/** The legend. Pressing a measure hides it or shows it again. */
export function Legend(props: {
  series: readonly ChartSeries[]
  hidden: readonly string[]
  hasProvisional: boolean
  /** Whether provisional points are told apart from final ones by hatching. */
  hasFinal: boolean
  onToggle: (key: string) => void
}) {
  const compared = props.series.filter(one => one.against && !props.hidden.includes(one.key))
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
      {[...new Set(compared.map(one => one.against?.label))].map(label => (
        <span key={label} className={styles.againstLabel}>
          <i
            aria-hidden
            className={styles.againstSample}
            style={{ color: compared.length === 1 ? compared[0]?.color : undefined }}
          />
          {label}
        </span>
      ))}
      {props.hasProvisional && (
        <span className={styles.provisional}>
          {props.hasFinal && <i aria-hidden />}
          速報・集計中
        </span>
      )}
    </fieldset>
  )
}
