import { formatInteger } from '../text/format.ts'
import styles from './sum-boxes.module.css'

export interface SumBox {
  readonly label: string
  readonly amountYen: number
  /** Small text below the amount. */
  readonly note?: string | undefined
  /** The amount needs attention. */
  readonly isBad?: boolean
}

/** A few sums side by side with their labels. */
export function SumBoxes({ sums }: { sums: readonly SumBox[] }) {
  return (
    <dl className={styles.sums}>
      {sums.map(({ label, amountYen, note, isBad }) => (
        <div key={label} data-tone={isBad ? 'bad' : undefined}>
          <dt>{label}</dt>
          <dd>
            <b className="num">{formatInteger(amountYen)}</b>円{note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
