import { type Day, day } from '@pc/domain/month/day.ts'
import { monthDayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'

export const ACCOUNT_TYPES = [
  { value: 'ordinary', label: '普通' },
  { value: 'current', label: '当座' },
  { value: 'savings', label: '貯蓄' },
] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]['value']

export const ACCOUNT_STATES: Readonly<
  Record<'requested' | 'approved' | 'rejected', readonly [label: string, tone: BadgeTone]>
> = {
  requested: ['承認待ち', 'warn'],
  approved: ['承認済み', 'ok'],
  rejected: ['却下', 'bad'],
}

interface AccountUse {
  readonly agreementName: string
  readonly state: 'in_use' | 'later' | 'planned'
  /** YYYYMM. */
  readonly fromMonth: number | null
}

/** What an agreement has to do with the account: paid to it now, from a month on, or once the account can be used. */
export function accountUseText(
  { agreementName, state, fromMonth }: AccountUse,
  account: { usableFrom: Day | string | null },
): string {
  if (state === 'in_use') return agreementName
  if (state === 'later') return `${agreementName}（${monthText(fromMonth as YearMonth)}から）`
  const { usableFrom } = account
  return `${agreementName}（${usableFrom === null ? '承認後' : `${monthDayText(day(usableFrom))}`}に切り替え）`
}
