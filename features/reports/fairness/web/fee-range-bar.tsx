import styles from './fee-fairness.module.css'

interface Range {
  readonly lowest: number
  readonly firstQuartile: number
  readonly median: number
  readonly thirdQuartile: number
  readonly highest: number
}

/** Draws a value between the lowest and highest fee, with the middle half marked. Hidden from screen readers: other columns say it. */
export function FeeRangeBar({ range, value }: { range: Range; value: number }) {
  const { lowest, highest } = range
  const at = (one: number) => (highest > lowest ? ((one - lowest) / (highest - lowest)) * 100 : 50)
  return (
    <span className={styles.bar} aria-hidden>
      <i
        className={styles.middle}
        style={{ left: `${at(range.firstQuartile)}%`, right: `${100 - at(range.thirdQuartile)}%` }}
      />
      <i className={styles.median} style={{ left: `${at(range.median)}%` }} />
      <i className={styles.value} style={{ left: `${at(value)}%` }} />
    </span>
  )
}
