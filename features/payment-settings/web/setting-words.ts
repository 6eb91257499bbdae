import { TRANSFER_DESTINATION_LABELS_JA } from '@pc/domain/transfer/transfer-destination-labels.ja.ts'
import type { PaymentSettingsQuery } from './payment-settings.gen.ts'

export type Settings = NonNullable<PaymentSettingsQuery['paymentSettings']>
export type PayoutLine = Settings['payout'][number]
export type RateLine = Settings['consumptionTax'][number]
export type FeeLine = Settings['transferFees'][number]
export type SourceLine = Settings['transferSources'][number]
export type WithholdingLine = Settings['withholding'][number]
export type JournalLine = Settings['journalAccounts'][number]
export type Section = Settings['revisions'][number]['section']

export const SHIFTS = [
  { value: 'previous', label: '前営業日に支払う' },
  { value: 'next', label: '翌営業日に支払う' },
] as const

export const INPUT_TAX = [
  { value: 'finalising', label: '支払の確定時' },
  { value: 'accrual', label: '収益の計上時（発生月の末日）' },
] as const

export const MONTHS_OF_YEAR = Array.from({ length: 12 }, (_, at) => ({ value: `${at + 1}`, label: `${at + 1}月` }))

export const WEIGHTS = [
  { value: 'article_impression', label: '記事の表示回数' },
  { value: 'article_click', label: '記事のクリック数' },
  { value: 'article_watch', label: '記事の閲覧数' },
  { value: 'video_impression', label: '動画の表示回数' },
  { value: 'video_click', label: '動画のクリック数' },
  { value: 'video_watch', label: '動画の再生数' },
  { value: 'video_watch3s', label: '動画の3秒以上の再生数' },
  { value: 'live_impression', label: 'ライブの表示回数' },
  { value: 'live_click', label: 'ライブのクリック数' },
  { value: 'live_watch', label: 'ライブの再生数' },
] as const

export const DESTINATIONS = [
  { value: 'same_branch', label: TRANSFER_DESTINATION_LABELS_JA.same_branch },
  { value: 'same_bank', label: TRANSFER_DESTINATION_LABELS_JA.same_bank },
  { value: 'other_bank', label: TRANSFER_DESTINATION_LABELS_JA.other_bank },
] as const

export const ACCOUNT_TYPES = [
  { value: 'ordinary', label: '普通' },
  { value: 'current', label: '当座' },
  { value: 'other', label: 'その他' },
] as const

export function labelOf(options: readonly { readonly value: string; readonly label: string }[], value: string): string {
  return options.find(option => option.value === value)?.label ?? value
}

export function revisionOf(settings: Settings, section: Section): number {
  return settings.revisions.find(each => each.section === section)?.revision ?? 1
}

export interface SectionProps {
  settings: Settings
  /** Undefined: read-only. */
  onSaved: (() => void) | undefined
}
