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
