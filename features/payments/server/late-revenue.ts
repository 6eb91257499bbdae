import type { LateReason } from '@pc/domain/agreement/payment-law.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type LegalDeadline, readLegalDeadlines } from './legal-deadlines.ts'
import { HOLD_TEXTS } from './transfer-fields.ts'

const LATE_TEXTS: Readonly<Record<LateReason, string>> = {
  'kept-back': '次の締めまで支払われません',
  returned: '組戻しのまま、振り込み直していません',
  'not-closed': '月がまだ確定していません',
  'not-sent': '期限を過ぎても、振込データに含まれていません',
  'due-late': '支払期日が法定の期限より後です',
  'sent-late': '法定の期限より後の日に振り込みます',
}

/** Japanese: why it is late. */
export function lateReasonText({ late, reasonCode }: Pick<LegalDeadline, 'late' | 'reasonCode'>): string {
  return reasonCode === null ? LATE_TEXTS[late] : `${LATE_TEXTS[late]}（${HOLD_TEXTS[reasonCode]}）`
}

/** {@link readLegalDeadlines} as breaches of agreements, one for each month and reason. */
export async function lateRevenueBreaches(tx: Transaction, today: Day) {
  return (await readLegalDeadlines(tx, today)).map(({ agreementId, oldestMonth, lastLegalDay, ...rest }) => {
    const month = formatYearMonth(oldestMonth)
    const passes = lastLegalDay < today ? '過ぎました' : '過ぎる見込みです'
    const text = `${month}分の収益が法定の期限（${dayText(lastLegalDay)}）を${passes}。${lateReasonText(rest)}。`
    return { agreementId, id: `late/${month}/${rest.late}`, text }
  })
}
