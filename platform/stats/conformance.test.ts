import { type Day, day, startOfWeek } from '@pc/domain/month/day.ts'
import { firstDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import {
  type FactRow,
  type Facts,
  importFacts,
  inColumnOrder,
  randomFrom,
  randomPublisherFacts,
} from '@pc/testing/statistics/stats-rows.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ImportRun, Row, StatsStore } from './port.ts'
import { ident, intDiv, joined, type Sql, sql, sumInt, table } from './sql.ts'
import {
  FACT_TABLES,
  type FactTable,
  LIFETIMES,
  type LifeTable,
  ROLL_UP_TABLES,
  ROLL_UPS,
  type RollUpTable,
  TABLES,
  type TableName,
} from './tables.ts'

/** The port's promises, checked on every engine that is there, against a model in plain TypeScript. */

const rowTexts = (rows: readonly Row[]) =>
  rows.map(row => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)))

const KEPT = { ...TABLES, ...LIFETIMES }

/** Every row of a table; the column names are prefixed, because an alias never repeats a column. */
async function contents(store: StatsStore, name: TableName | LifeTable): Promise<FactRow[]> {
  const columns = KEPT[name].columns.map(([column]) => column)
  const selected = columns.map(column => sql`${ident(column)} as ${ident(`c_${column}`)}`)
  const rows = await store.query(sql`select ${joined(selected, sql`, `)} from ${table(name)}`)
  return rows.map(row =>
    Object.fromEntries(columns.map(column => [column, row[`c_${column}`] as bigint | string | null])),
  )
}
const sorted = (name: TableName | LifeTable, rows: readonly FactRow[]) =>
  rows.map(row => KEPT[name].columns.map(([column]) => String(row[column])).join(' ')).sort()

const ARTICLE_DAY = {
  medium_id: 1n,
  publisher_id: 5n,
  impression: 10n,
  click: 2n,
  watch: 0n,
  ads_revenue_micro_yen: 7n,
  publisher_revenue_micro_yen: 3n,
  engaged_time_ms: 90_000n,
  engaged_time_watch: 4n,
  completion: 1n,
  completion_watch: 3n,
}
const articleDay = (date: string, batchNo: bigint, articleId: bigint, click = 2n): FactRow => ({
  ...ARTICLE_DAY,
  date,
  batch_no: batchNo,
  article_id: articleId,
  click,
})
const JANUARY = 202601 as YearMonth
const FEBRUARY = 202602 as YearMonth

describe.each(STATS_ENGINES)('%s', { timeout: 120_000 }, engine => {
  let opened: StatsEngine
  let store: StatsStore
  beforeAll(async () => {
    opened = await openTestStats(engine)
    store = opened.store
  })
  afterAll(() => opened?.drop())

  const begun: Promise<ImportRun>[] = []
  /** Ends with the test, else an import that failed would keep those of the next tests waiting. */
  function beginImport(batchNo: bigint, months: readonly YearMonth[] = [JANUARY]): Promise<ImportRun> {
    const run = store.beginImport({ batchNo, replacesBatchNos: [], months })
    begun.push(run)
    return run
  }
  afterEach(async () => {
    for (const run of begun.splice(0)) await (await run).discard()
  })

  const articles = async () =>
    (await contents(store, 'article_day')).map(row => `${row.date} ${row.article_id} ${row.click}`).sort()

  test('an empty store answers: no rows, null sums', async () => {
    expect(
      await store.query(sql`select count(*) as n, ${sumInt(ident('click'))} as clicks from ${table('article_day')}`),
    ).toEqual([{ n: 0n, clicks: null }])
    expect(await store.publishedBatches()).toEqual(new Map())
    expect(await store.damagedBatches()).toEqual([])
  })

  test('staged rows are seen by their import only, and by everybody after publish', async () => {
    const run = await beginImport(1n, [JANUARY, FEBRUARY])
    await run.append(
      'article_day',
      inColumnOrder('article_day', [articleDay('2026-01-31', 1n, 10n), articleDay('2026-02-01', 1n, 11n)]),
    )
    expect(await run.query(sql`select count(*) as n from ${table('article_day')}`)).toEqual([{ n: 2n }])
    expect(await articles()).toEqual([])
    await run.publish()
    expect(await articles()).toEqual(['2026-01-31 10 2', '2026-02-01 11 2'])
    await run.discard()
    await run.discard()
    expect(await store.publishedBatches()).toEqual(new Map([[1n, 2n]]))
    expect((await contents(store, 'article_month')).map(row => row.date).sort()).toEqual(['2026-01-01', '2026-02-01'])
  })

  test('the same publication again changes nothing', async () => {
    await importFacts(store, 1n, {
      article_day: [articleDay('2026-01-31', 1n, 10n), articleDay('2026-02-01', 1n, 11n)],
    })
    expect(await articles()).toEqual(['2026-01-31 10 2', '2026-02-01 11 2'])
  })

  test('a correction replaces its predecessor exactly, and leaves other batches alone', async () => {
    await importFacts(store, 2n, { article_day: [articleDay('2026-02-01', 2n, 12n)] })
    await importFacts(store, 3n, { article_day: [articleDay('2026-01-30', 3n, 13n, 9n)] }, [1n], [JANUARY, FEBRUARY])
    expect(await articles()).toEqual(['2026-01-30 13 9', '2026-02-01 12 2'])
    expect(await store.publishedBatches()).toEqual(
      new Map([
        [2n, 1n],
        [3n, 1n],
      ]),
    )
    expect(await store.damagedBatches()).toEqual([])
  })

  test('a correction without rows empties the months', async () => {
    await importFacts(store, 4n, {}, [2n, 3n], [JANUARY, FEBRUARY])
    expect(await articles()).toEqual([])
    expect(await contents(store, 'article_month')).toEqual([])
    expect(await store.publishedBatches()).toEqual(new Map())
  })

  test('a discarded import leaves nothing, and its rows are not staged again', async () => {
    const first = await beginImport(5n)
    await first.append('article_day', inColumnOrder('article_day', [articleDay('2026-01-05', 5n, 1n)]))
    await first.discard()
    await expect(first.publish()).rejects.toThrow(/ended/)
    const second = await beginImport(6n)
    expect(await second.query(sql`select count(*) as n from ${table('article_day')}`)).toEqual([{ n: 0n }])
    await second.discard()
    expect(await articles()).toEqual([])
  })

  test('a second import waits for the first', async () => {
    const first = await beginImport(7n)
    const order: string[] = []
    const second = beginImport(8n).then(run => {
      order.push('second begins')
      return run
    })
    await first.query(sql`select count(*) as n from ${table('article_day')}`)
    order.push('first ends')
    await first.discard()
    await (await second).discard()
    expect(order).toEqual(['first ends', 'second begins'])
  })

  test.each([
    ['a day outside of the months', articleDay('2026-03-01', 9n, 1n)],
    ['another batch', articleDay('2026-01-01', 10n, 1n)],
    ['a negative figure', articleDay('2026-01-01', 9n, 1n, -1n)],
  ])('rows with %s are not published', async (_, row) => {
    const run = await beginImport(9n)
    await run.append('article_day', inColumnOrder('article_day', [row]))
    await expect(run.publish()).rejects.toThrow(RangeError)
    await run.discard()
    expect(await articles()).toEqual([])
  })

  test.each([
    ['no value', { click: null }],
    ['a day that is none', { date: '2026-02-30' }],
    ['2^63', { click: 2n ** 63n }],
    ['a text instead of a number', { click: '7' }],
  ])('%s is refused when it is staged', async (_, wrong) => {
    const run = await beginImport(11n)
    await expect(
      run.append('article_day', inColumnOrder('article_day', [{ ...articleDay('2026-01-01', 11n, 1n), ...wrong }])),
    ).rejects.toThrow()
  })

  test('the edges of Int64 and sums beyond them are exact', async () => {
    const extremes = [2n ** 63n - 1n, 2n ** 63n - 1n, -(2n ** 63n)].map((click, index) =>
      articleDay('2026-01-01', 12n, BigInt(index), click),
    )
    const run = await beginImport(12n)
    await run.append('article_day', inColumnOrder('article_day', extremes))
    expect(
      await run.query(
        sql`select article_id, click as c, ${sumInt(ident('click'))} over (order by article_id rows between unbounded preceding and current row) as running from ${table('article_day')} order by article_id`,
      ),
    ).toEqual([
      { article_id: 0n, c: 2n ** 63n - 1n, running: 2n ** 63n - 1n },
      { article_id: 1n, c: 2n ** 63n - 1n, running: 2n ** 64n - 2n },
      { article_id: 2n, c: -(2n ** 63n), running: 2n ** 63n - 2n },
    ])
  })

  test('a wrong statement rejects and the next one answers', async () => {
    await expect(store.query(sql`select nowhere from ${table('article_day')}`)).rejects.toThrow()
    expect(await store.query(sql`select count(*) as n from ${table('article_day')}`)).toEqual([{ n: 0n }])
  })

  test('a caller that gives up stops its statement', async () => {
    const gone = AbortSignal.abort(new Error('the caller went away'))
    await expect(store.query(sql`select 1 as one`, { signal: gone })).rejects.toThrow('the caller went away')
  })

  test('random imports and corrections: the store holds what a model holds', async () => {
    const random = randomFrom(20260110)
    const published = new Map<bigint, Facts>()
    for (let batchNo = 100n; batchNo < 112n; batchNo += 1n) {
      const live = [...published.keys()]
      const replaced = live.length > 2 && random.chance(0.5) ? [random.pick(live)] : []
      const facts = random.chance(0.1)
        ? {}
        : randomPublisherFacts(random, {
            from: day(`2026-0${1 + random.below(3)}-2${random.below(9)}`),
            days: 1 + random.below(20),
            publisherIds: [1n, 2n, 3n],
            mediumIds: [1n, 4n],
            batchNo,
            gaps: 0.3,
          })
      const replacedMonths = replaced
        .flatMap(each => Object.values(published.get(each) ?? {}).flat())
        .map(row => monthOfDay(row.date as Day))
      await importFacts(store, batchNo, facts, replaced, replacedMonths)
      for (const each of replaced) published.delete(each)
      published.set(batchNo, facts)
    }
    const model = (name: FactTable) => [...published.values()].flatMap(facts => facts[name] ?? [])
    for (const name of FACT_TABLES)
      expect(sorted(name, await contents(store, name)), name).toEqual(sorted(name, model(name)))
    for (const name of ROLL_UP_TABLES)
      expect(sorted(name, await contents(store, name)), name).toEqual(
        sorted(name, rolledUp(name, model(ROLL_UPS[name].of), engine)),
      )
    const counts = [...published].map(
      ([batchNo, facts]) => [batchNo, BigInt(Object.values(facts).flat().length)] as const,
    )
    expect(new Map([...(await store.publishedBatches())].sort())).toEqual(
      new Map(counts.filter(([, count]) => count > 0n)),
    )
    expect(await store.damagedBatches()).toEqual([])
  })

  test('lifetime totals and only rows of contents stay true whatever comes and goes', async () => {
    const own = await openTestStats(engine)
    const random = randomFrom(20261121)
    const published = new Map<bigint, readonly FactRow[]>()
    const imports = engine === 'duckdb' ? 25n : 5n
    for (let batchNo = 1n; batchNo <= imports; batchNo += 1n) {
      const live = [...published.keys()]
      const replaced = live.length > 3 && random.chance(0.6) ? [random.pick(live)] : []
      const rows = Array.from({ length: random.below(7) }, () => ({
        ...articleDay(`2026-0${1 + random.below(4)}-1${random.below(9)}`, batchNo, BigInt(1 + random.below(20))),
        medium_id: random.chance(0.2) ? 4n : 1n,
        publisher_id: random.chance(0.1) ? 6n : 5n,
      }))
      const months = replaced.flatMap(each => published.get(each)!).map(row => monthOfDay(row.date as Day))
      await importFacts(own.store, batchNo, { article_day: rows }, replaced, months)
      for (const each of replaced) published.delete(each)
      published.set(batchNo, rows)
      const model = [...published.values()].flat()
      expect(sorted('article_month', await contents(own.store, 'article_month'))).toEqual(
        sorted('article_month', rolledUp('article_month', model, engine)),
      )
      expect(sorted('article_life', await contents(own.store, 'article_life'))).toEqual(
        sorted('article_life', engine === 'duckdb' ? lifetimes(model) : []),
      )
    }
    for (const name of ['article_month', 'article_life'] as const) {
      const rows = await contents(own.store, name)
      expect(new Set(rows.map(row => row.is_lone)).size).toBe(
        engine === 'duckdb' ? 2 : name === 'article_month' ? 1 : 0,
      )
    }
    await own.drop()
  })

  test('weeks start on Sunday, also across years', async () => {
    const rows = await store.query(sql`
      select date as on_day, cast(date_trunc('week', date + 1) as date) - 1 as week from ${table('publisher_day')} group by date order by date`)
    expect(rows.length).toBeGreaterThan(30)
    for (const row of rows) expect(row.week).toBe(startOfWeek(row.on_day as Day))
  })

  test('putting months in order changes no answer, and is done once', async () => {
    const own = await openTestStats(engine)
    const { store } = own
    const random = randomFrom(77)
    const rows: FactRow[] = []
    for (let batch = 1n; batch <= 5n; batch += 1n) {
      const day = (index: number) => `2026-01-${String(Number(batch) * 5 + index).padStart(2, '0')}`
      const facts = Array.from({ length: 40 }, (_, index) =>
        articleDay(day(index % 5), batch, BigInt(random.below(9)), BigInt(random.below(100))),
      )
      rows.push(...facts)
      await importFacts(store, batch, { article_day: facts })
    }
    await importFacts(store, 6n, { article_day: [articleDay('2026-02-01', 6n, 1n)] })
    const state = async () =>
      Object.fromEntries(
        await Promise.all(
          [...FACT_TABLES, ...ROLL_UP_TABLES].map(async table => [table, sorted(table, await contents(store, table))]),
        ),
      )
    const [before, batches] = [await state(), await store.publishedBatches()]
    expect(await store.compact(FEBRUARY)).toEqual([JANUARY])
    expect(await state()).toEqual(before)
    expect(await store.publishedBatches()).toEqual(batches)
    expect(await store.damagedBatches()).toEqual([])
    expect(await store.compact(FEBRUARY)).toEqual([])
    // A batch of the month is still replaced exactly.
    await importFacts(store, 7n, { article_day: [articleDay('2026-01-06', 7n, 1n)] }, [1n], [JANUARY])
    const kept = rows.filter(row => row.batch_no !== 1n)
    expect(
      sorted(
        'article_day',
        (await contents(store, 'article_day')).filter(row => row.batch_no !== 6n),
      ),
    ).toEqual(sorted('article_day', [...kept, articleDay('2026-01-06', 7n, 1n)]))
    // On ClickHouse the correction of merged rows has made the month's roll-ups again, whole.
    expect(await store.compact(FEBRUARY)).toEqual(store.engine === 'duckdb' ? [JANUARY] : [])
    await own.drop()
  })
})

/** Roll-ups computed from the rows, without SQL. */
function rolledUp(name: RollUpTable, rows: readonly FactRow[], engine: (typeof STATS_ENGINES)[number]): FactRow[] {
  const summed = summedUp(name, rows)
  const [item] = ROLL_UPS[name].columns.flatMap(([column]) => (/^(article|video)_id$/.test(column) ? [column] : []))
  if (item === undefined) return summed
  const rowsOf = Map.groupBy(summed, row => row[item])
  const isSingle = (row: FactRow) => engine === 'duckdb' && rowsOf.get(row[item])!.length === 1
  return summed.map(row => ({ ...row, is_lone: isSingle(row) ? 1n : 0n }))
}

function summedUp(name: RollUpTable, rows: readonly FactRow[]): FactRow[] {
  const { columns, key, per } = ROLL_UPS[name]
  const dateOf = (row: FactRow) => (per === 'month' ? firstDayOf(monthOfDay(row.date as Day)) : row.date)
  const groups = Map.groupBy(rows, row => key.map(column => (column === 'date' ? dateOf(row) : row[column])).join(' '))
  return [...groups.values()].map(group =>
    Object.fromEntries(
      columns.map(([column]) => {
        if (column === 'date') return [column, dateOf(group[0]!)!]
        if ((key as readonly string[]).includes(column)) return [column, group[0]![column]!]
        if (column === 'follower') return [column, per === 'month' ? lastFollower(group) : followersTogether(group)]
        if (column === 'first_on' || column === 'last_on') return [column, endOf(group, column)]
        return [column, column === 'is_lone' ? 0n : group.reduce((sum, row) => sum + (row[column] as bigint), 0n)]
      }),
    ),
  )
}

/** The lifetime totals of the articles, computed from their days. */
function lifetimes(rows: readonly FactRow[]): FactRow[] {
  const groups = Map.groupBy(rows, row => `${row.article_id} ${row.publisher_id} ${row.medium_id}`)
  const lifetimesOf = Map.groupBy(groups.values(), ([row]) => row!.article_id)
  return [...groups.values()].map(group =>
    Object.fromEntries(
      LIFETIMES.article_life.columns.map(([column]) => {
        if (column === 'first_on' || column === 'last_on') return [column, endOf(group, column)]
        if (column === 'is_lone') return [column, lifetimesOf.get(group[0]!.article_id)!.length === 1 ? 1n : 0n]
        if (column.endsWith('_id')) return [column, group[0]![column]!]
        return [column, group.reduce((sum, row) => sum + (row[column] as bigint), 0n)]
      }),
    ),
  )
}

const endOf = (rows: readonly FactRow[], end: 'first_on' | 'last_on') =>
  rows.map(row => row.date!).reduce((a, b) => (a < b === (end === 'first_on') ? a : b))

function followersTogether(rows: readonly FactRow[]): bigint | null {
  const known = rows.flatMap(row => (row.follower === null ? [] : [row.follower as bigint]))
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0n)
}

function lastFollower(rows: readonly FactRow[]): bigint | null {
  const known = rows.filter(row => row.follower !== null)
  const lastDay = known
    .map(row => row.date as string)
    .sort()
    .at(-1)
  const values = known.filter(row => row.date === lastDay).map(row => row.follower as bigint)
  return values.reduce<bigint | null>((best, value) => (best === null || value > best ? value : best), null)
}

/** Shapes that reports are made of, beside the report statements that the features test themselves. */
describe.runIf(STATS_ENGINES.length > 1)('both engines answer alike', () => {
  const engines: StatsEngine[] = []
  beforeAll(async () => {
    const facts = randomPublisherFacts(randomFrom(7), {
      from: day('2025-11-20'),
      days: 60,
      publisherIds: Array.from({ length: 25 }, (_, index) => BigInt(index + 1)),
      mediumIds: [1n, 2n, 9n],
      batchNo: 1n,
      gaps: 0.2,
    })
    for (const engine of STATS_ENGINES) {
      const opened = await openTestStats(engine)
      engines.push(opened)
      await importFacts(opened.store, 1n, facts)
    }
  })
  afterAll(async () => {
    for (const engine of engines) await engine.drop()
  })

  const impressions = sumInt(sql`article_impression + video_impression`)
  const clicks = sumInt(ident('article_click'))
  const shapes: Readonly<Record<string, (from: Day, to: Day, ids: readonly bigint[]) => Sql>> = {
    'ratio of sums': (from, to) =>
      sql`select publisher_id, ${clicks} / nullif(${impressions}, 0) as ctr from ${table('publisher_day')} where date between ${from} and ${to} group by publisher_id order by publisher_id`,
    'rank and total count': (from, to, ids) =>
      sql`select publisher_id, ${clicks} as clk, rank() over (order by ${clicks} desc) as place, count(*) over () as total_rows from ${table('publisher_day')} where date between ${from} and ${to} and publisher_id in ${ids} group by publisher_id order by place, publisher_id limit ${5} offset ${2}`,
    'two periods in one pass': (from, to) =>
      sql`select publisher_id, ${sumInt(sql`case when date >= ${to} then article_click else 0 end`)} as now_clk, ${sumInt(sql`case when date < ${to} then article_click else 0 end`)} as before_clk from ${table('publisher_day')} where date >= ${from} group by publisher_id order by publisher_id`,
    'share of a window': (from, to) =>
      sql`select gender_id as g, age_id as a, ${sumInt(ident('click'))} as clk, ${sumInt(sumInt(ident('click')))} over (partition by gender_id) as gender_clk from ${table('publisher_demo_day')} where date between ${from} and ${to} group by gender_id, age_id order by gender_id, age_id`,
    'nulls last': (from, to) =>
      sql`select date as on_day, publisher_id, medium_id, follower as f from ${table('publisher_day')} where date between ${from} and ${to} order by follower desc nulls last, date, publisher_id, medium_id limit ${200} offset ${0}`,
    'integer division and negative money': (from, to) =>
      sql`select publisher_id, ${intDiv(sumInt(sql`ssp_revenue_micro_yen - 4000000000000`), sql`${7n}`)} as seventh from ${table('publisher_day')} where date between ${from} and ${to} group by publisher_id order by publisher_id`,
    'union all of roll-up and days': (from, to) =>
      sql`select bucket, ${sumInt(ident('clk'))} as clicks from (select date as bucket, article_click as clk from ${table('publisher_month')} where date between ${from} and ${to} union all select date as bucket, article_click as clk from ${table('publisher_day')} where date between ${from} and ${to}) both_tables group by bucket order by bucket`,
    'distinct count and joins': (from, to) =>
      sql`select d.date as on_day, count(distinct d.publisher_id) as publishers, ${sumInt(ident('last_days'))} as last_total from (select date, publisher_id from ${table('publisher_day')} where date between ${from} and ${to} group by date, publisher_id) d left join (select publisher_id as pid, max(article_click) as last_days from ${table('publisher_day')} where date = ${to} group by publisher_id) m on m.pid = d.publisher_id group by d.date order by d.date`,
  }
  test.each(Object.entries(shapes))('%s', async (_, build) => {
    const random = randomFrom(99)
    let rows = 0
    for (let repeat = 0; repeat < 12; repeat += 1) {
      const from = day(`2025-1${1 + random.below(2)}-${10 + random.below(19)}`)
      const statement = build(
        from,
        day(`2026-01-${10 + random.below(19)}`),
        random.pick([[], [3n], [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n], [999n]]),
      )
      const [duckDb, clickHouse] = await Promise.all(engines.map(engine => engine.store.query(statement)))
      expect(rowTexts(clickHouse!)).toEqual(rowTexts(duckDb!))
      rows += duckDb!.length
    }
    expect(rows).toBeGreaterThan(0)
  })
})
