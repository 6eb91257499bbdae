import pg from 'pg'

/**
 * How PostgreSQL values arrive in TypeScript: int8 as bigint (never rounded), date as its text `YYYY-MM-DD` (never a
 * Date, which would shift with the time zone), numeric as text, timestamptz as Date.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.DATE, text => text],
  [1016 /* int8[] */, text => arrayItems(text).map(item => (item === null ? null : BigInt(item)))],
  [1182 /* date[] */, arrayItems],
])

export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Items of a one-dimensional array of values that need no quotes, such as `{1,NULL,3}`. */
function arrayItems(text: string): (string | null)[] {
  const inner = text.slice(1, -1)
  return inner === '' ? [] : inner.split(',').map(item => (item === 'NULL' ? null : item))
}
