import { PAYMENT_STATUS_LABELS } from '@pc/domain/payment/payment-states.ts'
import { formatInteger } from '../text/format.ts'
import { signedInteger } from '../text/signed-integer.ts'
import styles from './effect-table.module.css'

interface EffectAmounts {
  readonly revenue: number
  readonly payment: number
  readonly paymentIncludingTax: number
  readonly carriedOverToNext: number
  readonly outcome: string
}

interface Side {
  readonly label: string
  /** Null or undefined: there is no settlement for this side. */
  readonly amounts: EffectAmounts | null | undefined
}

const ROWS = [
  { name: 'revenue', label: '収益' },
  { name: 'payment', label: '支払額（税抜）' },
  { name: 'paymentIncludingTax', label: '支払額（税込）' },
  { name: 'carriedOverToNext', label: '次月繰越' },
] as const
const OUTCOMES: Readonly<Record<string, string>> = PAYMENT_STATUS_LABELS

/**
 * Compares a month's amounts under earlier and later terms. If both sides are absent, neither terms change the month.
 */
export function EffectTable(props: { caption: string; before: Side; after: Side }) {
  const { before, after } = props
  if (!before.amounts && !after.amounts)
    return <p className={styles.none}>この条件にしても、この月の金額は変わりません。</p>
  const outcome = ({ amounts }: Side) => OUTCOMES[amounts?.outcome ?? ''] ?? '対象外'
  return (
    <table className={styles.effectTable}>
      <caption className="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">金額（円）</th>
          <th scope="col">{before.label}</th>
          <th scope="col">{after.label}</th>
          <th scope="col">差</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ name, label }) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td className="num">{formatInteger(before.amounts?.[name] ?? 0)}</td>
            <td className="num">{formatInteger(after.amounts?.[name] ?? 0)}</td>
            <td className="num">{signedInteger((after.amounts?.[name] ?? 0) - (before.amounts?.[name] ?? 0))}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">状態</th>
          <td>{outcome(before)}</td>
          <td>{outcome(after)}</td>
          <td />
        </tr>
      </tbody>
    </table>
  )
}
