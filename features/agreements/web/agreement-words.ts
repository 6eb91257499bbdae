import type { Coverage } from '@pc/domain/agreement/law-rule.ts'
import { isWaiting } from '@pc/domain/bank/pending-bank-account.ts'
import { type Day, day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import type { Option } from '@pc/ui/filter/option.ts'
import type { AccountNameFragment } from './agreement-edit.gen.ts'

/** Japanese labels of the values of an agreement, with hints for the form. */
export const PAYMENT_TIMINGS = [
  { value: 'a_month_later', label: '翌月末', hint: '当月分を翌月の末日に支払います' },
  { value: 'two_months_later', label: '翌々月末', hint: '当月分を翌々月の末日に支払います' },
] as const
export const FEE_PAYERS = [
  { value: 'product', label: '当社', hint: '振込手数料を差し引きません' },
  { value: 'publisher', label: 'パブリッシャー', hint: '支払額から振込手数料を差し引きます' },
] as const
export const MINIMUM_REVENUE_TYPES = [
  { value: 'none', label: 'なし', hint: '最低保証を適用しません' },
  { value: 'by_agreement', label: '契約ごと', hint: '契約全体の収益と比べます' },
  { value: 'by_publisher', label: 'パブリッシャーごと', hint: 'パブリッシャーごとの収益と比べます' },
] as const
export const PAYEE_KINDS = [
  { value: 'company', label: '法人' },
  { value: 'individual', label: '個人' },
] as const
export const RESIDENCES = [
  { value: 'resident', label: '居住者・内国法人（国内）' },
  { value: 'non_resident', label: '非居住者・外国法人' },
] as const
export const COVERAGES: readonly (Option & { readonly value: Coverage })[] = [
  { value: 'unknown', label: '未確認' },
  { value: 'covered', label: '対象' },
  { value: 'not_covered', label: '対象外' },
]
const ACCOUNT_TYPES: Readonly<Record<string, string>> = { ordinary: '普通', current: '当座', savings: '貯蓄' }

export function labelIn(options: readonly Option[], value: unknown): string {
  return options.find(option => option.value === value)?.label ?? String(value)
}

/** みずほ銀行 丸の内支店 普通 ****567 ｶ)ﾄｳﾄ */
export function accountName(account: AccountNameFragment): string {
  const parts = [account.bank?.name, account.bankBranch?.name, ACCOUNT_TYPES[account.typeName], account.number]
  return parts.filter(part => part).join(' ')
}

/** {@link accountName}, and the day from which the account can be used while its waiting period is not over. */
export function accountChoice(account: AccountNameFragment, today: Day): string {
  const from = account.usableFrom === null ? null : day(account.usableFrom)
  return from !== null && isWaiting(from, today)
    ? `${accountName(account)}（${dayText(from)}から設定可）`
    : accountName(account)
}
