import { formatDuration, formatInteger, formatTenths, NO_VALUE } from '@pc/ui/text/format.ts'
import type { ChangeUnit } from './change-drawer.gen.ts'

/**
 * Steps per unit of the API's value. A step is the smallest amount that screens show: 1 yen, 1 count, 0.01 points of a
 * rate, 0.1 yen of a yen rate. Differences are counted in whole steps, so that shown parts add up.
 */
const STEPS: Readonly<Record<ChangeUnit, number>> = {
  count: 1,
  yen: 1,
  ratio: 10_000,
  yenPerMille: 10,
  yenPerClick: 10,
  seconds: 1,
  secondsPerWatch: 1,
}

/** An API value in whole steps; integers add up without floating-point errors. */
export function stepsOf(unit: ChangeUnit, value: number): number {
  return Math.round(value * STEPS[unit])
}

/** For example 1,234, 1.55% or 12.3; a dash for null. */
export function valueText(unit: ChangeUnit, value: number | null): string {
  return value === null ? NO_VALUE : levelText(unit, stepsOf(unit, value))
}

const MAX_PRICE_DIGITS = 4

/** 1.4 → 1.5; prices that look equal get the decimals in which they differ: 1.84 → 1.82. */
export function fromToText(unit: ChangeUnit, before: number | null, now: number | null): string {
  const [from, to] = [valueText(unit, before), valueText(unit, now)]
  const isPrice = unit === 'yenPerClick' || unit === 'yenPerMille'
  if (from !== to || !isPrice || before === null || now === null || before === now) return `${from} → ${to}`
  let digits = 2
  while (digits < MAX_PRICE_DIGITS && before.toFixed(digits) === now.toFixed(digits)) digits += 1
  return [before, now].map(price => price.toFixed(digits).replace('-', '−')).join(' → ')
}

export function levelText(unit: ChangeUnit, steps: number): string {
  return `${steps < 0 ? '−' : ''}${sizeText(unit, Math.abs(steps))}${unit === 'ratio' ? '%' : ''}`
}

/** +1,234 · −0.15pt · +1:02 · ±0. */
export function changeText(unit: ChangeUnit, steps: number): string {
  const sign = steps > 0 ? '+' : steps < 0 ? '−' : '±'
  return `${sign}${sizeText(unit, Math.abs(steps))}${unit === 'ratio' ? 'pt' : ''}`
}

function sizeText(unit: ChangeUnit, steps: number): string {
  if (unit === 'count' || unit === 'yen') return formatInteger(steps)
  if (unit === 'seconds' || unit === 'secondsPerWatch') return formatDuration(steps)
  if (unit !== 'ratio') return formatTenths(steps)
  return `${formatInteger(Math.floor(steps / 100))}.${String(steps % 100).padStart(2, '0')}`
}

/** The header of the difference column. */
export function changeHeader(unit: ChangeUnit): string {
  if (unit === 'count') return '増減（回）'
  if (unit === 'seconds' || unit === 'secondsPerWatch') return '増減（時間）'
  return unit === 'ratio' ? '増減（ポイント）' : '増減（円）'
}
