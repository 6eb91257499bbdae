import { formatInteger } from '@pc/ui/text/format.ts'
import styles from './transfers.module.css'

/** The steps from the payments with tax to the amount that leaves the account. */
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
    { label: 'パブリッシャー負担の手数料', yen: sums.feeBorneByPayee, sign: '−' },
    { label: '振込額', yen: sums.transferAmount, sign: '＝' },
  ]
  return (
    <div>
      <dl className={styles.sums} aria-label="振込額の内訳">
        {parts.map(({ label, yen, sign }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {sign && yen !== 0 && <span aria-hidden>{sign}</span>}
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

/** The payee's account; the server has masked its number. */
export function PayeeAccount(props: {
  row: {
    readonly bankName: string
    readonly branchName: string
    readonly accountNumber: string
    readonly holder: string
  }
}) {
  const { bankName, branchName, accountNumber, holder } = props.row
  return (
    <span className={styles.account}>
      {`${bankName} ${branchName} ${accountNumber}`}
      <small>{holder}</small>
    </span>
  )
}

/** What is deducted from the payment: withheld tax and the fee that the payee bears. */
export function Deductions({ row }: { row: { readonly withholding: number; readonly feeBorneByPayee: number } }) {
  const total = row.withholding + row.feeBorneByPayee
  const kinds = [row.withholding > 0 ? '源泉徴収' : '', row.feeBorneByPayee > 0 ? '手数料' : ''].filter(Boolean)
  return (
    <>
      {total === 0 ? '0' : `−${formatInteger(total)}`}
      {kinds.length > 0 && <small className={styles.kinds}>{kinds.join('・')}</small>}
    </>
  )
}
