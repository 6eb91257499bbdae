import { formatInteger } from '@pc/ui/format.ts'
import styles from './transfers.module.css'

/** How the amount that leaves the account comes about. */
export function TransferSums({
  sums,
}: {
  sums: {
    readonly paymentIncludingTax: number
    readonly withholding: number
    readonly fee: number
    readonly feeBorneByPayee: number
    readonly transferAmount: number
  }
}) {
  const parts = [
    { label: '支払額（税込）', yen: sums.paymentIncludingTax, sign: '' },
    { label: '源泉徴収税額', yen: sums.withholding, sign: '−' },
    { label: '取引先負担の手数料', yen: sums.feeBorneByPayee, sign: '−' },
    { label: '振込額', yen: sums.transferAmount, sign: '＝' },
  ]
  return (
    <div>
      <dl className={styles.sums} aria-label="振込額の内訳">
        {parts.map(({ label, yen, sign }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {sign && <span aria-hidden>{sign}</span>}
              <b className="num">{formatInteger(yen)}</b>円
            </dd>
          </div>
        ))}
      </dl>
      <p
        className={styles.hint}
      >{`このほか、当社負担の銀行手数料 ${formatInteger(sums.fee - sums.feeBorneByPayee)}円`}</p>
    </div>
  )
}
