/** What people type into number fields, and what becomes of it (specification, section 5). Pure. */

/** Keys that would make something other than a positive integer of it, in half and full width. */
const BLOCKED_IN_INTEGERS = new Set([...'eE-+.', ...'ｅＥ－＋．−ー。'])
const BLOCKED: Readonly<Record<NumberKind, ReadonlySet<string>>> = {
  integer: BLOCKED_IN_INTEGERS,
  signed: new Set([...'eE+.', ...'ｅＥ＋．。']),
  rate: new Set([...'eE-+', ...'ｅＥ－＋−ー']),
}

/** `integer`: positive only. `signed`: an integer that may be negative. `rate`: per cent with two decimals. */
export type NumberKind = 'integer' | 'signed' | 'rate'

export function isBlockedKey(key: string, kind: NumberKind): boolean {
  return BLOCKED[kind].has(key)
}

/** 15 digits: every such integer is exact. */
const MOST_DIGITS = 15

/** The digits of what was typed or pasted, full width included: １，２３４円 → 1234. */
export function tidyNumberText(text: string, kind: NumberKind): string {
  const plain = text.normalize('NFKC').replace(kind === 'rate' ? /[^\d.。]/g : /\D/g, '')
  if (kind === 'integer') return plain.slice(0, MOST_DIGITS)
  if (kind === 'signed') return (/^\s*[-−ー]/.test(text.normalize('NFKC')) ? '-' : '') + plain.slice(0, MOST_DIGITS)
  const [whole = '', ...parts] = plain.replaceAll('。', '.').split('.')
  return parts.length === 0 ? whole.slice(0, 3) : `${whole.slice(0, 3)}.${parts.join('').slice(0, 2)}`
}

/** Undefined for an empty or non-numeric text. A rate is given in per cent and becomes units: 70.5 → 7050. */
export function readNumberText(text: string, kind: NumberKind): number | undefined {
  const tidy = tidyNumberText(text, kind)
  if (!/\d/.test(tidy)) return undefined
  if (kind !== 'rate') return Number(tidy)
  const [whole = '', part = ''] = tidy.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** What stands in the field while it is edited. */
export function plainNumberText(value: number | null | undefined, kind: NumberKind): string {
  if (value === null || value === undefined) return ''
  if (kind !== 'rate') return String(value)
  const part = String(value % 100).padStart(2, '0')
  return `${Math.floor(value / 100)}${value % 100 === 0 ? '' : `.${part.replace(/0$/, '')}`}`
}

const grouped = new Intl.NumberFormat('ja-JP', { maximumFractionDigits: 0 })

/** What stands there otherwise: with thousands separators. */
export function groupedNumberText(value: number | null | undefined, kind: NumberKind): string {
  if (value === null || value === undefined) return ''
  return kind === 'rate' ? plainNumberText(value, kind) : grouped.format(value)
}
