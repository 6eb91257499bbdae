/** What the values of an agreement are called, as in its form. */
export const PAYMENT_TIMINGS = { a_month_later: '翌月末', two_months_later: '翌々月末' } as const
export const FEE_PAYERS = { product: '当社', publisher: 'パブリッシャー' } as const
export const MINIMUM_REVENUE_TYPES = {
  none: 'なし',
  by_agreement: '契約ごと',
  by_publisher: 'パブリッシャーごと',
} as const
export const PAYEE_KINDS = { company: '法人', individual: '個人' } as const
export const RESIDENCES = { resident: '居住者・内国法人', non_resident: '非居住者・外国法人' } as const
export const CONFIRMATIONS = { confirmed: '確認済み', unknown: '未確認' } as const
export const COVERAGES = { unknown: '未確認', covered: '対象', not_covered: '対象外' } as const
export const YES_NO = { true: 'はい', false: 'いいえ' } as const

export function yesNo(is: boolean): string {
  return YES_NO[is ? 'true' : 'false']
}
