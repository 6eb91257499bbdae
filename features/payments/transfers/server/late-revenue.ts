import type { Coverage } from '@pc/domain/agreement/law-rule.ts'
import type { LateReason } from '@pc/domain/agreement/payment-law.ts'
import { isProtectedOn } from '@pc/domain/agreement/protected-payee.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { HOLD_TEXTS } from '../../core/server/hold-texts.ja.ts'
import { type LegalDeadline, readLegalDeadlines } from './legal-deadlines.ts'

const LATE_TEXTS: Readonly<Record<LateReason, string>> = {
  'kept-back': '次の締めまで支払われません',
  returned: '組戻しのまま、振り込み直していません',
  'not-closed': '月がまだ確定していません',
  'not-sent': '期限を過ぎても、振り込んでいません',
  'due-late': '支払期日が法定の期限より後です',
  'sent-late': '法定の期限より後の日に振り込みます',
}

/** Why the revenue is late, in Japanese. */
export function lateReasonText({ late, reasonCode }: Pick<LegalDeadline, 'late' | 'reasonCode'>): string {
  return reasonCode === null ? LATE_TEXTS[late] : `${LATE_TEXTS[late]}（${HOLD_TEXTS[reasonCode]}）`
}

/**
 * {@link readLegalDeadlines} as breaches of agreements, one for each month and reason, and reductions of revenue.
 * Tested by `scenarios/transfers.test.ts`.
 */
export async function lateRevenueBreaches(tx: Transaction, today: Day) {
  const late = (await readLegalDeadlines(tx, today)).map(({ agreementId, oldestMonth, lastLegalDay, ...rest }) => {
    const month = formatYearMonth(oldestMonth)
    const passes = lastLegalDay < today ? '過ぎました' : '過ぎる見込みです'
    const text = `${month}分の収益が法定の期限（${dayText(lastLegalDay)}）を${passes}。${lateReasonText(rest)}。`
    return { agreementId, id: `late/${month}/${rest.late}`, text }
  })
  return [...late, ...(await reductions(tx, today))]
}

/** Months that are examined. More than one, because a month can be closed on the very day on which it was reduced. */
const REDUCED_MONTHS = 2

/** Recent months in which the revenue of a protected payee was reduced. */
async function reductions(tx: Transaction, today: Day) {
  const rows = await tx
    .selectFrom('monthlyPayments as p')
    .innerJoin('agreements as a', 'a.id', 'p.agreementId')
    .select(['p.agreementId', 'p.month', 'p.dueOn', 'a.smallSupplierCoverage', 'a.freelanceCoverage'])
    .where('p.month', '>=', addMonths(monthOfDay(today), -REDUCED_MONTHS))
    .where(eb => eb.or([eb('p.manualAdjustmentRevenueYen', '<', 0n), eb('p.hasDiscardedRows', '=', true)]))
    .orderBy('p.month')
    .orderBy('p.agreementId')
    .execute()
  const covered = rows.filter(row =>
    isProtectedOn(
      {
        smallSupplierCoverage: row.smallSupplierCoverage as Coverage,
        freelanceCoverage: row.freelanceCoverage as Coverage,
      },
      row.dueOn as Day,
    ),
  )
  return covered.map(({ agreementId, month }) => {
    const text = `${formatYearMonth(month as YearMonth)}分の収益に、減額や取り消しがあります。相手方の責任によらない減額は禁じられています。理由を確認してください。`
    return { agreementId, id: `reduced/${formatYearMonth(month as YearMonth)}`, text }
  })
}
