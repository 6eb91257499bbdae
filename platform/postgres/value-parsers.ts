import pg from 'pg'

/**
 * How PostgreSQL values arrive in TypeScript: int8 as bigint (never rounded), date as the string `YYYY-MM-DD` (a Date
 * would shift with the time zone), numeric as string, timestamptz as Date.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.DATE, text => text],
  [pg.types.builtins.TIMESTAMPTZ, instant],
  [1016 /* int8[] */, text => arrayItems(text).map(item => (item === null ? null : BigInt(item)))],
  [1182 /* date[] */, arrayItems],
])

export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const anyInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** Parses `2026-11-01 09:30:00.123456+09`, the form in our transactions, about thirty times as fast as the driver. */
function instant(text: string): unknown {
  // `Date.UTC` maps years below 100 to 19xx, so such dates go to the driver's parser.
  const isUsual = text[0] !== '0' && text[4] === '-' && text[10] === ' ' && text.endsWith('+09')
  if (!isUsual) return anyInstant(text)
  const number = (from: number, to: number) => {
    let value = 0
    for (let at = from; at < to; at += 1) value = value * 10 + text.charCodeAt(at) - ZERO
    return value
  }
  const end = text.length - 3
  const ms = end > 20 ? Math.floor(number(20, Math.min(end, 23)) * 10 ** (3 - Math.min(end - 20, 3))) : 0
  return new Date(
    Date.UTC(number(0, 4), number(5, 7) - 1, number(8, 10), number(11, 13) - 9, number(14, 16), number(17, 19), ms),
  )
}
const ZERO = 0x30

/** Items of a one-dimensional array of values that need no quotes, such as `{1,NULL,3}`. */
function arrayItems(text: string): (string | null)[] {
  const inner = text.slice(1, -1)
  return inner === '' ? [] : inner.split(',').map(item => (item === 'NULL' ? null : item))
}
