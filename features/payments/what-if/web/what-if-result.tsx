import { PAYMENT_STATUS_LABELS } from '@pc/domain/payment/payment-states.ts'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { signedInteger } from '@pc/ui/text/signed-integer.ts'
import styles from './what-if.module.css'
import type { WhatIfMonthQuery } from './what-if-month.gen.ts'

export type WhatIfAnswer = NonNullable<WhatIfMonthQuery['whatIfMonth']>
type Payee = WhatIfAnswer['payees'][number]

const OUTCOMES: Readonly<Record<string, string>> = PAYMENT_STATUS_LABELS

export const SUM_ROWS = [
  { name: 'paymentIncludingTax', label: '支払額（税込・円）' },
  { name: 'payment', label: '支払額（税抜・円）' },
  { name: 'revenue', label: '収益（円）' },
  { name: 'carriedOverToNext', label: '次月繰越（円）' },
  { name: 'retained', label: '当社留保分（円）' },
  { name: 'paid', label: '支払う契約（件）' },
] as const

/** The result of a scenario beside the current month: sums, new warnings, and each payee that changes. */
export function WhatIfResult({ answer }: { answer: WhatIfAnswer }) {
  return (
    <>
      <Card title="試算の結果" note={`変わる契約 ${formatInteger(answer.payees.length)}件`}>
        <table className={styles.sums}>
          <caption className="visually-hidden">合計の比較</caption>
          <thead>
            <tr>
              <th scope="col">合計</th>
              <th scope="col">現在</th>
              <th scope="col">試算</th>
              <th scope="col">差</th>
            </tr>
          </thead>
          <tbody>
            {SUM_ROWS.map(({ name, label }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td className="num">{formatInteger(answer.before[name])}</td>
                <td className="num">{formatInteger(answer.after[name])}</td>
                <td className="num">{signedInteger(answer.after[name] - answer.before[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {answer.checks.length > 0 && (
          <ul className={styles.checks} aria-label="試算で新しく出る確認項目">
            {answer.checks.map(check => (
              <li key={`${check.label}${check.detail}`}>
                <Badge tone={check.state === 'red' ? 'bad' : 'warn'}>{check.state === 'red' ? '要対応' : '注意'}</Badge>
                <b>{check.label}</b>
                <span>{check.detail}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="契約ごとの差" note="支払額の差が大きい順" flush>
        <DataTable
          caption="契約ごとの差"
          columns={COLUMNS}
          rows={answer.payees}
          rowKey={row => row.agreementId}
          empty={{ title: '変わる契約はありません', hint: '条件を変えて、もう一度試算してください。' }}
        />
      </Card>
    </>
  )
}

const COLUMNS: readonly Column<Payee>[] = [
  {
    id: 'payee',
    header: '支払先',
    isHeading: true,
    cell: row => (
      <>
        {row.partnerName}
        <small className={styles.note}>{`契約 ${row.agreementId}`}</small>
      </>
    ),
  },
  { id: 'before', header: '現在の支払額（円）', isFigure: true, cell: row => formatInteger(row.before?.payment) },
  { id: 'after', header: '試算の支払額（円）', isFigure: true, cell: row => formatInteger(row.after?.payment) },
  { id: 'change', header: '支払額の差（円）', isFigure: true, cell: row => <b>{signedInteger(row.paymentChange)}</b> },
  { id: 'revenue', header: '収益の差（円）', isFigure: true, cell: row => signedInteger(row.revenueChange) },
  {
    id: 'outcome',
    header: '状態',
    cell: row => {
      const [before, after] = [row.before?.outcome, row.after?.outcome].map(each => OUTCOMES[each ?? ''] ?? NO_VALUE)
      return before === after ? after : `${before} → ${after}`
    },
  },
]
