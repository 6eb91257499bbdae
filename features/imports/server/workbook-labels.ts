import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { Coverage } from '@pc/domain/agreement/law-rule.ts'
import type { MinimumRevenueType } from '@pc/domain/agreement/minimum-revenue.ts'
import type { PaymentTiming } from '@pc/domain/month/due-date.ts'
import type { Residence } from '@pc/domain/transfer/withholding.ts'

/**
 * Short words for an agreement's values in workbooks. The form has its own, longer ones
 * (`features/agreements/web/agreement-words.ts`). Do not change them: people upload files that they kept.
 * Tested by `scenarios/books-from-workbooks.test.ts`.
 */
export const PAYMENT_TIMINGS = {
  a_month_later: '翌月末',
  two_months_later: '翌々月末',
} as const satisfies Record<PaymentTiming, string>
export const FEE_PAYERS = { product: '当社', publisher: 'パブリッシャー' } as const satisfies Record<FeePayer, string>
export const MINIMUM_REVENUE_TYPES = {
  none: 'なし',
  by_agreement: '契約ごと',
  by_publisher: 'パブリッシャーごと',
} as const satisfies Record<MinimumRevenueType, string>
export const PAYEE_KINDS = { company: '法人', individual: '個人' } as const
export const RESIDENCES = {
  resident: '居住者・内国法人',
  non_resident: '非居住者・外国法人',
} as const satisfies Record<Residence, string>
export const CONFIRMATIONS = { confirmed: '確認済み', unknown: '未確認' } as const
export const COVERAGES = { unknown: '未確認', covered: '対象', not_covered: '対象外' } as const satisfies Record<
  Coverage,
  string
>
export const YES_NO = { true: 'はい', false: 'いいえ' } as const

export function yesNo(is: boolean): string {
  return YES_NO[is ? 'true' : 'false']
}
