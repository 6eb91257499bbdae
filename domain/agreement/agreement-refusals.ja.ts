import { monthText } from '../month/day-text.ja.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { Refusal } from '../refusal.ts'
import type { AgreementTermsRefusal } from './agreement-terms.ts'
import type { RevenueShareRefusal } from './revenue-share.ts'
import type { TermsHistoryRefusal } from './terms-history.ts'

type Code = (AgreementTermsRefusal | RevenueShareRefusal | TermsHistoryRefusal)['code']

/** Japanese texts of the refusals of terms, rates and their history. The type demands a text for every code. */
export const AGREEMENT_REFUSALS_JA = {
  'agreement/amount-negative': () => '金額には0以上の整数を入力してください。',
  'agreement/amount-too-large': () => '金額が大きすぎます。1兆円以下で、桁を確認してください。',
  'agreement/rate-out-of-range': () => '支払率は0%から100%までの範囲で、0.01%単位で入力してください。',
  'agreement/valid-from-finalized': data =>
    `確定済みの月の条件は変更できません。適用開始月を${monthText(Number(data.firstOpenMonth) as YearMonth)}以降にするか、調整として登録してください。`,
} as const satisfies Record<Code, (data: Refusal['data']) => string>
