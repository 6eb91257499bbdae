import { roundDown } from '@pc/domain/report/round-down.ts'
import { formatChange, formatDuration, formatInteger, formatTenths, NO_VALUE } from '@pc/ui/text/format.ts'
import type { ColumnUnit } from '../../report-columns.ts'

/**
 * A figure as the screen shows it, as a whole number: of tenths where it has a decimal, of seconds where it is a time.
 * Rounded down; the quotients of the API may lie a hair below the number that they are.
 */
function shownNumber(unit: ColumnUnit, value: number): number {
  if (unit === 'percent') return roundDown(value, 1000)
  if (unit === 'yen-tenths') return roundDown(value, 10)
  if (unit === 'seconds') return roundDown(value)
  return value
}

/** 1,234 · 12.3 · 12.3% · 1:02:03; nothing: a dash. */
export function figureText(unit: ColumnUnit, value: number | null | undefined): string {
  if (value === null || value === undefined) return NO_VALUE
  const shown = shownNumber(unit, value)
  if (unit === 'percent') return `${formatTenths(shown)}%`
  if (unit === 'yen-tenths') return formatTenths(shown)
  return unit === 'seconds' ? formatDuration(shown) : formatInteger(shown)
}

export interface Difference {
  readonly direction: 'up' | 'down' | 'none'
  /** Between what is shown: +1,234 · −0.3pt · +1:02. */
  readonly text: string
  /** +12.4%; undefined when there is nothing to divide by. */
  readonly change: string | undefined
}

/** What lies between a figure and the one that it is compared with; undefined when either is not known. */
export function differenceOf(
  unit: ColumnUnit,
  now: number | null | undefined,
  before: number | null | undefined,
): Difference | undefined {
  if (now === null || now === undefined || before === null || before === undefined) return undefined
  const difference = shownNumber(unit, now) - shownNumber(unit, before)
  const change = formatChange(now, before)
  // Of what is shown: an arrow beside a zero would contradict it.
  const direction = difference > 0 ? 'up' : difference < 0 ? 'down' : 'none'
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±'
  return { direction, text: `${sign}${sizeText(unit, Math.abs(difference))}`, change: change?.text }
}

function sizeText(unit: ColumnUnit, size: number): string {
  if (unit === 'percent') return `${formatTenths(size)}pt`
  if (unit === 'yen-tenths') return formatTenths(size)
  return unit === 'seconds' ? formatDuration(size) : formatInteger(size)
}
