import { roundDown } from '@pc/domain/report/round-down.ts'
import { formatChange, formatDuration, formatInteger, formatTenths, NO_VALUE } from '@pc/ui/text/format.ts'
import type { ColumnUnit } from '../../report-columns.ts'

/**
 * The shown figure as an integer: tenths for units with a decimal, seconds for times. Rounds down, but tolerates the
 * floating-point error of quotients, which may be slightly below their exact value.
 */
function shownNumber(unit: ColumnUnit, value: number): number {
  if (unit === 'percent') return roundDown(value, 1000)
  if (unit === 'yen-tenths') return roundDown(value, 10)
  if (unit === 'seconds') return roundDown(value)
  return value
}

/** For example 1,234, 12.3, 12.3% or 1:02:03; a dash for null. */
export function figureText(unit: ColumnUnit, value: number | null | undefined): string {
  if (value === null || value === undefined) return NO_VALUE
  const shown = shownNumber(unit, value)
  if (unit === 'percent') return `${formatTenths(shown)}%`
  if (unit === 'yen-tenths') return formatTenths(shown)
  return unit === 'seconds' ? formatDuration(shown) : formatInteger(shown)
}

export interface Difference {
  readonly direction: 'up' | 'down' | 'none'
  /** The difference of the shown (rounded) figures: +1,234, −0.3pt, +1:02. */
  readonly text: string
  /** For example +12.4%; undefined when the earlier figure is 0. */
  readonly change: string | undefined
}

/** The difference between a figure and its compared figure; undefined when either is unknown. */
export function differenceOf(
  unit: ColumnUnit,
  now: number | null | undefined,
  before: number | null | undefined,
): Difference | undefined {
  if (now === null || now === undefined || before === null || before === undefined) return undefined
  const difference = shownNumber(unit, now) - shownNumber(unit, before)
  const change = formatChange(now, before)
  // From the rounded difference: an arrow beside ±0 would look wrong.
  const direction = difference > 0 ? 'up' : difference < 0 ? 'down' : 'none'
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±'
  return { direction, text: `${sign}${sizeText(unit, Math.abs(difference))}`, change: change?.text }
}

function sizeText(unit: ColumnUnit, size: number): string {
  if (unit === 'percent') return `${formatTenths(size)}pt`
  if (unit === 'yen-tenths') return formatTenths(size)
  return unit === 'seconds' ? formatDuration(size) : formatInteger(size)
}
