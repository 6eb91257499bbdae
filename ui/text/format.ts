import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { changeSign, changeTenths } from '@pc/domain/report/change.ts'
import { todayInTokyo } from './clock-day.ts'

/** Texts of figures and dates. A missing value is an em dash, never 0. */
export const NO_VALUE = '—'

/**
 * 1234567 → 1,234,567. Written by hand, because creating browser formatters takes a slow device tens of milliseconds
 * before the first figure appears.
 */
function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** 12345 tenths → 1,234.5, with the same minus sign as whole numbers. */
export function formatTenths(tenths: number): string {
  const digits = String(Math.round(Math.abs(tenths))).padStart(2, '0')
  return `${tenths < 0 ? '−' : ''}${grouped(Number(digits.slice(0, -1)))}.${digits.slice(-1)}`
}

/** Thousands separators, for counts and yen alike; the unit is shown beside the figure. */
export function formatInteger(value: number | null | undefined): string {
  return value === null || value === undefined ? NO_VALUE : grouped(value).replace('-', '−')
}

/** A change with its sign: +1,234, −5, 0. */
export function formatSigned(value: number): string {
  return value > 0 ? `+${formatInteger(value)}` : formatInteger(value)
}

/** A rate in 1/100 % as a percentage with one decimal, rounded down: 1234 → 12.3%. */
export function formatRateUnits(units: number): string {
  return `${formatTenths(Math.floor(units / 10))}%`
}

/**
 * The share of a count in another as a percentage with one decimal, rounded down. Exact, because integers are divided
 * once.
 */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return NO_VALUE
  return `${formatTenths(Number((BigInt(part) * 1000n) / BigInt(whole)))}%`
}

export interface Change {
  readonly direction: 'up' | 'down' | 'none'
  /** With its sign: `+12.4%`. */
  readonly text: string
}

/** The change from `before` to `now`, rounded towards zero; undefined when there is nothing to compare with. */
export function formatChange(now: number, before: number): Change | undefined {
  const tenths = changeTenths(now, before)
  if (tenths === undefined) return undefined
  const direction = tenths > 0 ? 'up' : tenths < 0 ? 'down' : 'none'
  return { direction, text: `${changeSign(tenths)}${formatTenths(Math.abs(tenths))}%` }
}

/** Axis labels: 25万, 1.5億. Tooltip and table have the exact value. */
export function formatCompact(value: number): string {
  const scaled = (unit: number, name: string) => `${formatTenths((value / unit) * 10).replace(/\.0$/, '')}${name}`
  if (value < 0) return `−${formatCompact(-value)}`
  if (value >= 1e12) return scaled(1e12, '兆')
  if (value >= 1e8) return scaled(1e8, '億')
  return value >= 1e4 ? scaled(1e4, '万') : grouped(value)
}

/** 11/08: MM/DD. */
export function formatShortDay(value: Day): string {
  return value.slice(5).replace('-', '/')
}

const MINUTES = {
  timeZone: 'Asia/Tokyo',
  ...({ year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
} as const
let minutes: Intl.DateTimeFormat | undefined
let seconds: Intl.DateTimeFormat | undefined

/**
 * 2026年11月8日 09:30 in Tokyo time.
 * @param value ISO 8601
 */
export function formatInstant(value: string): string {
  minutes ??= new Intl.DateTimeFormat('ja-JP', MINUTES)
  return minutes.format(new Date(value))
}

/**
 * 2026年11月8日 09:30:05 in Tokyo time, for logs.
 * @param value ISO 8601
 */
export function formatInstantWithSeconds(value: string): string {
  seconds ??= new Intl.DateTimeFormat('ja-JP', { ...MINUTES, second: '2-digit' })
  return seconds.format(new Date(value))
}

/**
 * 2026年11月8日 in Tokyo time.
 * @param value ISO 8601
 */
export function formatInstantDay(value: string): string {
  return dayText(todayInTokyo(new Date(value)))
}

/** mm:ss below an hour, otherwise h:mm:ss. */
export function formatDuration(lengthSeconds: number): string {
  const whole = Math.max(0, Math.floor(lengthSeconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return whole < 3600 ? rest : `${Math.floor(whole / 3600)}:${rest}`
}
