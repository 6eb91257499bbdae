/** Reads what people type into number fields. */
import { truncate } from '@pc/domain/text/truncate.ts'

/** Keys that no positive integer contains, in half and full width. */
const BLOCKED_IN_INTEGERS = new Set([...'eE-+.', ...'ｅＥ－＋．−ー。'])
const BLOCKED: Readonly<Record<NumberKind, ReadonlySet<string>>> = {
  integer: BLOCKED_IN_INTEGERS,
  signed: new Set([...'eE+.', ...'ｅＥ＋．。']),
  rate: new Set([...'eE-+', ...'ｅＥ－＋−ー']),
}

/** `integer`: positive only. `signed`: may be negative. `rate`: per cent with two decimals. */
export type NumberKind = 'integer' | 'signed' | 'rate'

/** Whether a field of this kind ignores the key. */
export function isBlockedKey(key: string, kind: NumberKind): boolean {
  return BLOCKED[kind].has(key)
}

/** Integers of up to 15 digits are exact as numbers. */
const MAX_DIGITS = 15

/** Negative numbers as tables and account books write them: −1,000, △1,000, (1,000). */
const BELOW_ZERO = /^[^\d]*(?:[-−‐‑–—ー▲△]\s*[¥\\]?\s*\d|\([^)]*\d)/
/** Numbers with an exponent, such as 1e5. */
const WITH_EXPONENT = /\d\s*e\s*[-+]?\s*\d/i

/**
 * The digits of what was typed or pasted, full width included: １，２３４円 → 1234. Undefined for a text that means another
 * number than its digits (-5 or 1.5 pasted into a field of positive integers), so that 1.5 never becomes 15.
 */
export function tidyNumberText(text: string, kind: NumberKind): string | undefined {
  const plain = text.normalize('NFKC').replaceAll('。', '.')
  const isBelowZero = BELOW_ZERO.test(plain)
  if ((isBelowZero && kind !== 'signed') || WITH_EXPONENT.test(plain)) return undefined
  if (kind === 'rate') {
    const [whole = '', ...parts] = plain.replace(/[^\d.]/g, '').split('.')
    return parts.length === 0 ? whole.slice(0, 3) : `${whole.slice(0, 3)}.${parts.join('').slice(0, 2)}`
  }
  const [whole = '', ...parts] = plain.replace(/[^\d.]/g, '').split('.')
  // Spreadsheets write 1200 as 1200.00.
  if (parts.length > 1 || /[1-9]/.test(parts[0] ?? '')) return undefined
  if (kind === 'integer') return whole.slice(0, MAX_DIGITS)
  return (isBelowZero || /^\s*[-−ー]/.test(plain) ? '-' : '') + whole.slice(0, MAX_DIGITS)
}

/** The message for a text that was not accepted. */
export function notTakenText(text: string, kind: NumberKind): string {
  const wanted = { integer: '0以上の整数', signed: '整数', rate: '0以上の数' }[kind]
  return `「${truncate(text.trim(), 20)}」は入力できません。${wanted}で入力してください。`
}

/** Undefined for an empty or non-numeric text. A rate in per cent becomes units: 70.5 → 7050. */
export function readNumberText(text: string, kind: NumberKind): number | undefined {
  const tidy = tidyNumberText(text, kind)
  if (tidy === undefined || !/\d/.test(tidy)) return undefined
  if (kind !== 'rate') return Number(tidy)
  const [whole = '', part = ''] = tidy.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** The text while the field is edited. */
export function plainNumberText(value: number | null | undefined, kind: NumberKind): string {
  if (value === null || value === undefined) return ''
  if (kind !== 'rate') return String(value)
  const part = String(value % 100).padStart(2, '0')
  return `${Math.floor(value / 100)}${value % 100 === 0 ? '' : `.${part.replace(/0$/, '')}`}`
}

const grouped = new Intl.NumberFormat('ja-JP', { maximumFractionDigits: 0 })

/** The text while the field is not edited, with thousands separators. */
export function groupedNumberText(value: number | null | undefined, kind: NumberKind): string {
  if (value === null || value === undefined) return ''
  return kind === 'rate' ? plainNumberText(value, kind) : grouped.format(value)
}
