import type { HoldReason } from '@pc/domain/settlement/settlement-result.ts'

interface HoldRow {
  /** A {@link HoldReason}'s, as the settlement wrote it; null: something is paid. */
  readonly reasonCode: string | null
  readonly reasonThresholdYen: bigint | null
}

const REASON_TEXTS: Readonly<Record<HoldReason['code'], (row: HoldRow) => string>> = {
  NON_POSITIVE_BALANCE: () => '残高が0円以下のため、次月に繰り越します。',
  NON_POSITIVE_TOTAL: () => '返還する消費税を含めた合計が0円以下のため、次月に繰り越します。',
  PAYMENT_DISABLED: () => '支払が停止されているため、保留しています。',
  NO_BANK_ACCOUNT: () => '使用する口座が登録されていないため、保留しています。',
  BELOW_THRESHOLD: row =>
    `支払下限額（${Number(row.reasonThresholdYen ?? 0n).toLocaleString('ja-JP')}円）に満たないため、次月に繰り越します。`,
}
export const HOLD_REASONS = Object.keys(REASON_TEXTS) as HoldReason['code'][]

/** Why nothing is paid, as the payee reads it; null when something is. */
export function reasonText(row: HoldRow): string | null {
  return row.reasonCode === null ? null : REASON_TEXTS[row.reasonCode as HoldReason['code']](row)
}

/** Why a balance is carried on, in a few words for staff. */
export const HOLD_TEXTS: Readonly<Record<HoldReason['code'], string>> = {
  NON_POSITIVE_BALANCE: '残高が0円以下',
  NON_POSITIVE_TOTAL: '消費税を含めた合計が0円以下',
  PAYMENT_DISABLED: '支払停止中',
  NO_BANK_ACCOUNT: '使用する口座が未登録',
  BELOW_THRESHOLD: '支払下限額に満たない',
}
