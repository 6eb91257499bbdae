import { type Day, day } from '@pc/domain/month/day.ts'
import { describe, expect, test } from 'vitest'
import { clickHouseDialect } from './clickhouse-dialect.ts'
import { duckDbDialect, duckDbQuestion } from './duckdb-dialect.ts'
import { countOf, ident, intDiv, render, type Sql, sql, sumInt, table } from './sql.ts'

const DUCKDB = duckDbDialect(name => `stats.main.${name}`)
const CLICKHOUSE = clickHouseDialect(name => `stats.${name}`)

describe('one text for both engines', () => {
  const statement = sql`
    select ${sumInt(ident('click'))} as clicks, ${intDiv(sumInt(sql`watch + ${2n}`), sql`${3}`)} as third
    from ${table('publisher_day')} where date >= ${day('2026-02-28')} and medium_id in ${[1n, 2n]}`

  test('DuckDB', () => {
    const { text, params } = render(statement, DUCKDB)
    expect(text.replace(/\s+/g, ' ')).toBe(
      'select sum(click) as clicks, ((sum(watch + $1)) // ($2)) as third ' +
        'from stats.main.publisher_day where date >= $3 and medium_id in (select unnest($4))',
    )
    expect(params).toEqual([2n, 3, '2026-02-28', [1n, 2n]])
  })

  test('ClickHouse', () => {
    expect(render(statement, CLICKHOUSE).text.replace(/\s+/g, ' ')).toBe(
      'select sum(cast(click as Int128)) as clicks, intDiv(sum(cast(watch + {p1:Int64} as Int128)), {p2:Int64}) as third ' +
        'from stats.publisher_day where date >= {p3:Date} and medium_id in {p4:Array(Int64)}',
    )
  })
})

describe('values in the text, as DuckDB gets them', () => {
  const requested = (statement: Sql) => duckDbQuestion(statement, DUCKDB)

  test('numbers, days and short lists have the types that parameters have', () => {
    const { text, params } = requested(
      sql`select ${-(2n ** 63n)}, ${3} where date >= ${day('2026-02-28')} and medium_id in ${[1n, -2n]} or click in ${[]}`,
    )
    expect(text).toBe(
      "select cast(-9223372036854775808 as bigint), cast(3 as bigint) where date >= date '2026-02-28' " +
        'and medium_id in (select unnest(cast([1,-2] as bigint[]))) or click in (select unnest(cast([] as bigint[])))',
    )
    expect(params).toEqual([])
  })

  test('long lists stay parameters, counted one by one', () => {
    const long = Array.from({ length: 201 }, (_, index) => BigInt(index))
    expect(
      requested(sql`select 1 where click = ${7n} and click in ${long} and watch = ${8n} and watch in ${long}`),
    ).toEqual({
      text: 'select 1 where click = cast(7 as bigint) and click in (select unnest($1)) and watch = cast(8 as bigint) and watch in (select unnest($2))',
      params: [long, long],
    })
  })

  test('nothing but digits and days gets into the text', () => {
    expect(() => requested(sql`select ${['1) or (1 = 1' as unknown as bigint]}`)).toThrow(SyntaxError)
    expect(() => requested(sql`select ${[{ toString: () => '1) or (1 = 1' } as unknown as bigint]}`)).toThrow(
      SyntaxError,
    )
    expect(() => requested(sql`select ${"2026-02-28' or '1' = '1" as Day}`)).toThrow(TypeError)
  })
})

test('the total is counted as each engine does it once', () => {
  const page = sql`with items as (select 1) select ${countOf(ident('items'))} as total from items limit ${1}`
  expect(render(page, DUCKDB).text).toContain('select ((select count(*) from items)) as total from items')
  expect(render(page, CLICKHOUSE).text).toContain('select count(*) over () as total from items')
  const both = sql`select ${countOf(ident('items'), sql`others where click = ${2}`)} as total`
  expect(render(both, DUCKDB)).toEqual({
    text: 'select ((select count(*) from items) + (select count(*) from others where click = $1)) as total',
    params: [2],
  })
  expect(render(both, CLICKHOUSE).text).toBe('select count(*) over () as total')
})

describe('refused spellings', () => {
  const cases: readonly (readonly [string, () => Sql])[] = [
    ['// is a comment in ClickHouse', () => sql`select 7 // 2`],
    ['comment', () => sql`select 7 -- 2`],
    ['sum wraps', () => sql`select sum(click) from t`],
    ['sum with a space, upper case', () => sql`select SUM (click) from t`],
    ['avg', () => sql`select avg(click) from t`],
    ['round', () => sql`select round(click) from t`],
    ['lag', () => sql`select lag(click) over () from t`],
    ['cast operator', () => sql`select click::date`],
    ['interval', () => sql`select date + interval 1 day`],
    ['union without all', () => sql`select 1 union select 2`],
    ['not in', () => sql`select 1 where click not in ${[1n]}`],
    ['decimal literal', () => sql`select click * 0.5`],
    ['second statement', () => sql`select 1; drop table t`],
    ['raw parameter', () => sql`select $1`],
    ['raw parameter', () => sql`select {p1:Int64}`],
    ['alias that repeats a column', () => sql`select click + 1 as click from t`],
    ['alias through ident', () => sql`select click + 1 as ${ident('click')} from t`],
    ['spelling put together from parts', () => sql`select ${ident('sum')}(click)`],
  ]
  test.each(cases)('%s', (_, build) => {
    expect(build).toThrow(SyntaxError)
  })

  test('a date cast and union all are not refused', () => {
    expect(() => sql`select cast(date_trunc('month', date) as date) as bucket union all select date`).not.toThrow()
  })
})

describe('parameters never become text', () => {
  test.each([0.5, Number.NaN, 2 ** 53])('the number %s is refused', value => {
    expect(() => sql`select ${value}`).toThrow(TypeError)
  })
  test.each(['2026-02-30', '2026-2-3', "2026-01-01' or 1=1", '1969-12-31', '2149-06-07', ''])(
    'the text %j is not a day',
    text => {
      expect(() => sql`select ${text as never}`).toThrow(/not a day/)
    },
  )
  test.each(['x; drop', 'Click', '1a', '', 'a b', 'a"'])('%j is not an identifier', name => {
    expect(() => ident(name)).toThrow(/identifier/)
  })
})
