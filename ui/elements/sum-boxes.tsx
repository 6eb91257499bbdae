import { formatInteger } from '../text/format.ts'
import styles from './sum-boxes.module.css'

export interface SumBox {
  readonly label: string
  readonly amountYen: number
  /** In smaller letters below the amount. */
  readonly note?: string | undefined
  /** Something has to be done about it. */
  readonly isBad?: boolean
}

/** A few sums side by side, each with its name. */
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
