import { formatInteger } from '@pc/ui/text/format.ts'
import styles from './statement-paper.module.css'
import { givenDayText, type StatementDetail } from './statement-words.ts'

const STATES = {
  exported: 'お振込みの手続き中',
  paid: 'お振込み済み',
  returned: '組戻し（口座をご確認ください）',
} as const

/** The transfer that was sent to the bank; before that, a note that the document's amounts are only planned. */
export function TransferNotice({ statement }: { statement: StatementDetail }) {
  const { transfer } = statement
  if (!transfer) {
    if (!statement.isTransferPlanned) return null
    return (
      <p className={styles.clause}>
        （予定）源泉徴収税額と振込手数料は、同じ口座へ同じ期日にお振込みする支払の合計に対して計算します。ほかの支払とまとめてお振込みする場合は金額が変わります。確定した金額は、お振込みの手続き後にこの画面に表示します。
      </p>
    )
  }
  const { state, paidOn, withholding, fee, transferAmount, lineAmount, recordAmounts } = transfer
  const parts = [
    `源泉徴収税額 ${formatInteger(withholding)}円`,
    `振込手数料 ${formatInteger(fee)}円`,
    `この支払の分 ${formatInteger(transferAmount)}円`,
  ]
  return (
    <section className={styles.clause} aria-label="振込明細">
      <b>{`振込明細：${STATES[state]}${paidOn ? `（${givenDayText(paidOn)}）` : ''}`}</b>
      <p>{parts.join('、')}</p>
      {recordAmounts.length > 1 ? (
        <p>{splitText(lineAmount !== transferAmount, recordAmounts, fee)}</p>
      ) : (
        lineAmount !== transferAmount && (
          <p>{`同じ口座へのほかの支払とあわせて、${formatInteger(lineAmount)}円を1回でお振込みします。`}</p>
        )
      )}
    </section>
  )
}

/** How a transfer above the bank's limit arrives: equal full amounts first, the rest last. */
function splitText(isWithOthers: boolean, amounts: readonly number[], fee: number): string {
  const full = amounts.filter(each => each === amounts[0]).length
  const rest = amounts.slice(full).map(each => `${formatInteger(each)}円`)
  const sums = [`${formatInteger(amounts[0] ?? 0)}円${full > 1 ? `×${formatInteger(full)}回` : ''}`, ...rest].join('、')
  const others = isWithOthers ? '同じ口座へのほかの支払とあわせて、' : ''
  const charged = fee > 0 ? '振込手数料のご負担は1回分です。' : ''
  return `${others}${formatInteger(amounts.length)}回に分けてお振込みします（${sums}）。${charged}`
}
