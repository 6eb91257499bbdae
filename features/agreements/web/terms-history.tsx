import type { Day } from '@pc/domain/month/day.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import styles from './agreement.module.css'
import type { AgreementEditQuery } from './agreement-edit.gen.ts'
import { FEE_PAYERS, labelIn, MINIMUM_REVENUE_TYPES, PAYMENT_TIMINGS } from './agreement-words.ts'

type Version = NonNullable<NonNullable<AgreementEditQuery['agreement']>['termsHistory']>[number]

/** The terms by the month from which they hold, latest first, with the version of this month marked. */
export function TermsHistory({ versions, today }: { versions: readonly Version[]; today: Day }) {
  const month = monthOfDay(today)
  const inForce = versions.findLast(version => version.validFromMonth <= month)
  return (
    <Card title="支払条件の履歴">
      <ol className={styles.terms} reversed>
        {versions.toReversed().map(version => (
          <li key={version.validFromMonth}>
            <p>
              {monthText(version.validFromMonth as YearMonth)}から
              {version === inForce && <Badge tone="ok">適用中</Badge>}
              {version.validFromMonth > month && <Badge tone="warn">予定</Badge>}
            </p>
            <dl>
              <dt>支払期日</dt>
              <dd>{labelIn(PAYMENT_TIMINGS, version.paymentTiming)}</dd>
              <dt>手数料負担</dt>
              <dd>{labelIn(FEE_PAYERS, version.feePaidBy)}</dd>
              <dt>最低保証</dt>
              <dd>
                {labelIn(MINIMUM_REVENUE_TYPES, version.minimumRevenueType)}
                {version.minimumRevenue > 0 && `（${formatInteger(version.minimumRevenue)}円）`}
              </dd>
              <dt>固定額</dt>
              <dd>{formatInteger(version.fixedRevenue)}円</dd>
            </dl>
          </li>
        ))}
      </ol>
    </Card>
  )
}
