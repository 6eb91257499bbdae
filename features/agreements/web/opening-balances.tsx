import { monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import styles from './agreement.module.css'
import type { AgreementEditQuery } from './agreement-edit.gen.ts'

type Balance = NonNullable<NonNullable<AgreementEditQuery['agreement']>['openingBalances']>[number]

/** Balances that are listed. The total counts all of them. */
const MAX_SHOWN = 50

/** The opening balances from the previous system, by publisher and month; draws nothing when there are none. */
export function OpeningBalances({ balances }: { balances: readonly Balance[] }) {
  if (balances.length === 0) return null
  const total = balances.reduce((sum, balance) => sum + balance.amount, 0)
  return (
    <Card title="期首残高">
      <p>{`以前のシステムから引き継いだ未払残高です。合計 ${formatInteger(total)}円（税抜、${balances.length}件）`}</p>
      <ol className={styles.terms}>
        {balances.slice(0, MAX_SHOWN).map(balance => (
          <li key={balance.id}>
            <p>{`${balance.publisherName} ${monthText(balance.originMonth as YearMonth)}分`}</p>
            <dl>
              <dt>金額</dt>
              <dd>{`${formatInteger(balance.amount)}円`}</dd>
              <dt>適格</dt>
              <dd>{balance.isQualified ? 'はい' : 'いいえ'}</dd>
              <dt>引継月</dt>
              <dd>{monthText(balance.bookedMonth as YearMonth)}</dd>
            </dl>
          </li>
        ))}
      </ol>
      {balances.length > MAX_SHOWN && <p>{`ほか${balances.length - MAX_SHOWN}件`}</p>}
    </Card>
  )
}
