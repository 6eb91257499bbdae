import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { GraphQLError, GraphQLScalarType } from 'graphql'

const MAX_LONG = 2n ** 63n - 1n

/** Integers beyond 2^53 are written digit by digit (`JSON.rawJSON`), so that no digit is rounded. */
export const LONG = new GraphQLScalarType<bigint, unknown>({
  name: 'Long',
  description: 'A 64-bit integer as a JSON number (counts, yen).',
  coerceOutputValue(value) {
    if (typeof value !== 'bigint') throw new TypeError('Long: the server answers bigint only')
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : rawJson(value)
  },
  coerceInputValue(value) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrongInput('Long', '整数')
    return BigInt(value)
  },
  coerceInputLiteral(node) {
    const value = node.kind === 'IntValue' ? BigInt(node.value) : undefined
    if (value === undefined || value > MAX_LONG || value < -MAX_LONG) throw wrongInput('Long', '整数')
    return value
  },
})

export const DATE = new GraphQLScalarType<Day, Day>({
  name: 'Date',
  description: 'A calendar day in Asia/Tokyo, YYYY-MM-DD.',
  coerceOutputValue: value => value as Day,
  coerceInputValue(value) {
    const day = typeof value === 'string' ? parseDay(value) : undefined
    if (day === undefined) throw wrongInput('Date', '暦にある日（YYYY-MM-DD）')
    return day
  },
})

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** Years 1 to 9999 in Tokyo time; an offset could otherwise move an instant out of the range of calendar days. */
const FIRST_INSTANT = new Date('0001-01-01T00:00:00+09:00')
const LAST_INSTANT = new Date('9999-12-31T23:59:59.999+09:00')

export const DATE_TIME = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'An instant, ISO 8601 with offset.',
  coerceOutputValue(value) {
    if (!(value instanceof Date)) throw new TypeError('DateTime: the server answers Date only')
    return value.toISOString()
  },
  coerceInputValue(value) {
    const match = typeof value === 'string' ? INSTANT.exec(value) : null
    const instant = match && parseDay(match[1] ?? '') !== undefined ? new Date(match[0]) : undefined
    if (!instant || instant < FIRST_INSTANT || instant > LAST_INSTANT)
      throw wrongInput('DateTime', '時差付きの日時（ISO 8601、例：2026-11-21T09:00:00+09:00）')
    return instant
  },
})

function wrongInput(scalar: string, expected: string): GraphQLError {
  return new GraphQLError(`${scalar} には${expected}を指定してください。`)
}

function rawJson(value: bigint): unknown {
  return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(value.toString())
}
