import { useViewer } from '@pc/ui/session/viewer.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { statementsAddress } from '../../../statements/links.ts'
import styles from '../../core/web/payments.module.css'

export interface Total {
  readonly label: string
  readonly amountYen: number | undefined
  /** Explains the amount in small print below it. */
  readonly note?: string
}

/** Sums over the whole filter, whatever page is shown. */
export function PaymentTotals({ totals }: { totals: readonly Total[] }) {
  const viewer = useViewer()
  return (
    <>
      {viewer.can('read:list', 'insight:statement.') && (
        <p className={styles.onward}>
          <a href={statementsAddress()}>支払通知書を見る（確認・照会・検索）</a>
        </p>
      )}
      <dl className={styles.totals} aria-label="絞り込んだ全件の合計">
        {totals.map(({ label, amountYen, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b className="num">{formatInteger(amountYen)}</b>
              <span>円</span>
              {note && <small className="num">{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
