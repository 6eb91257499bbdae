import { formatDuration, formatInteger, formatTenths, NO_VALUE } from '@pc/ui/text/format.ts'
import type { ChangeUnit } from './change-drawer.gen.ts'

/** Steps of one: 1 yen and 1 count are whole, rates are shown in 0.01 points, yen of a rate in 0.1 yen. */
const STEPS: Readonly<Record<ChangeUnit, number>> = {
  count: 1,
  yen: 1,
  ratio: 10_000,
  yenPerMille: 10,
  yenPerClick: 10,
  seconds: 1,
  secondsPerWatch: 1,
}

/** A value of the API in whole steps, which sum without the error of floating point. */
export function stepsOf(unit: ChangeUnit, value: number): number {
  return Math.round(value * STEPS[unit])
}

/** 1,234 · 1.55% · 12.3; nothing: a dash. */
export function valueText(unit: ChangeUnit, value: number | null): string {
  return value === null ? NO_VALUE : levelText(unit, stepsOf(unit, value))
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

/** Of the column of figures. */
export function changeHeader(unit: ChangeUnit): string {
  if (unit === 'count') return '増減（回）'
  if (unit === 'seconds' || unit === 'secondsPerWatch') return '増減（時間）'
  return unit === 'ratio' ? '増減（ポイント）' : '増減（円）'
}
