import { addDays, day } from '@pc/domain/month/day.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { makeReportFixture, REPORT_MEDIA } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, randomFrom, randomPublisherFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readContent } from '../../contents/server/content-report.ts'
import { parseContentRequest } from '../../contents/server/content-request.ts'
import { readRanking } from '../../ranking/server/rank-report.ts'
import { RANK_FIGURES, type RankFigure } from '../../ranking/server/rank-sql.ts'
import { ARTICLES } from './content-kind.ts'
import type { ComparedSums, Sums } from './figure-sums.ts'
import { parseReportArguments } from './report-arguments.ts'
import type { SortFigure } from './report-order.ts'

/**
 * Lists in the order of a change, and those that changed by so much, on every statistics engine: the same rows as in the order of
 * the figure, sorted and filtered again in plain TypeScript by what the rows themselves show.
 */
const FIRST_DAY = day('2026-01-10')
const DAYS = 80
const { database, drop } = await testDatabase()
afterAll(drop)
const { publishers, permitOf } = await makeReportFixture(database)
const clock = fixedClock('2026-04-20T10:00:00+09:00')

interface Shown {
  readonly id: bigint
  readonly sums: Sums
  readonly compared: { readonly sums: Sums } | null
}

const ABOVE_ALL = 1e300

/** How much a figure of a row changed, in what the screen shows; undefined: one side has no value. */
function changeOf({ columns, per, where }: SortFigure, basis: 'difference' | 'percent', { sums, compared }: Shown) {
  const value = (of: Sums) => {
    if (where !== undefined && of[where] === 0n) return undefined
    const sum = (names: readonly string[]) => names.reduce((all, name) => all + Number(of[name]), 0)
    const divisor = per ? sum(per) : 1
    return divisor === 0 ? undefined : sum(columns) / divisor
  }
  const [now, before] = [value(sums), compared ? value(compared.sums) : undefined]
  if (now === undefined || before === undefined) return undefined
  if (basis === 'percent') {
    if (before > 0) return ((now - before) / before) * 100
    return before === 0 && now > 0 ? ABOVE_ALL : undefined
  }
  const isMoney = columns[0]!.endsWith('micro_yen')
  if (columns[0]!.endsWith('_ms')) return (now - before) / 1_000
  return (now - before) * (isMoney ? (per ? 1 / 1_000 : 1 / 1_000_000) : per ? 100 : 1)
}

type Changes = ReadonlyMap<bigint, number | undefined>

function sorted(rows: readonly Shown[], changes: Changes, differences: Changes, isDescending: boolean) {
  const sign = isDescending ? -1 : 1
  const differenceOf = (id: bigint) => differences.get(id) ?? 0
  return rows
    .map(({ id }) => id)
    .sort((a, b) => {
      const [x, y] = [changes.get(a), changes.get(b)]
      if (x === undefined || y === undefined)
        return Number(x === undefined) - Number(y === undefined) || Number(a - b) * sign
      if (Math.abs(x - y) >= 1e-9) return (x - y) * sign
      const apart = differenceOf(a) - differenceOf(b)
      return (Math.abs(apart) < 1e-9 ? Number(a - b) : apart) * sign
    })
}

/** Some rows have them, others do not. */
function readingFacts(random: { chance(share: number): boolean; below(limit: number): number }, watches: bigint) {
  const [hasTime, hasEnd] = [random.chance(0.5), random.chance(0.5)]
  const time = {
    engaged_time_ms: hasTime ? watches * BigInt(random.below(60_000)) : 0n,
    engaged_time_watch: hasTime ? watches : 0n,
  }
  const end = {
    completion: hasEnd ? BigInt(random.below(Number(watches) + 1)) : 0n,
    completion_watch: hasEnd ? watches : 0n,
  }
  return { ...time, ...end }
}

describe.each(STATS_ENGINES)('%s', { timeout: 240_000 }, name => {
  let engine: StatsEngine
  beforeAll(async () => {
    engine = await openTestStats(name)
    const random = randomFrom(20260403)
    const options = { publisherIds: publishers.map(({ id }) => id), mediumIds: REPORT_MEDIA, gaps: 0.4 }
    const facts = randomPublisherFacts(random, { ...options, from: FIRST_DAY, days: DAYS, batchNo: 1n })
    const articles: FactRow[] = []
    for (let id = 1n; id <= 60n; id += 1n)
      for (let index = 0; index < DAYS; index += 1) {
        if (random.chance(0.8)) continue
        const amount = () => BigInt(random.below(900))
        articles.push({
          ...{
            date: addDays(FIRST_DAY, index),
            medium_id: REPORT_MEDIA[Number(id) % REPORT_MEDIA.length]!,
            batch_no: 1n,
          },
          ...{ publisher_id: publishers[Number(id) % publishers.length]!.id, article_id: id },
          ...{ impression: amount(), click: amount(), watch: amount() },
          ...readingFacts(random, amount()),
          ...{ ads_revenue_micro_yen: amount() * 1_000_000n, publisher_revenue_micro_yen: amount() * 900_000n },
        })
      }
    await importFacts(engine.store, 1n, { ...facts, article_day: articles })
  })
  afterAll(() => engine?.drop())

  const sources = () => ({ stats: engine.store, database, clock })
  const random = randomFrom(5)
  const repeats = name === 'duckdb' ? sampleOr(10, 60) : 5
  const randomParam = () => {
    const from = addDays(FIRST_DAY, 30 + random.below(DAYS - 40))
    return {
      ...{ from, to: addDays(from, random.below(25)), compareWith: random.pick(COMPARISONS) },
      mediumIds: random.chance(0.5) ? undefined : [String(random.pick(REPORT_MEDIA))],
    }
  }

  type ReadList = (
    param: object,
    page: { limit: number; offset: number },
  ) => Promise<{ total: number; rows: readonly Shown[]; compared: ComparedSums | null }>

  /** What has rows in the range or in the compared days, from a list of each; the side without rows is 0. */
  async function rowsOfBoth(read: ReadList): Promise<readonly Shown[]> {
    const page = { limit: 1000, offset: 0 }
    const { rows, compared } = await read({}, page)
    if (!compared) return []
    const { from, to } = compared
    const before = (await read({ from, to, compareWith: null }, page)).rows
    const zero = (of: Sums): Sums => Object.fromEntries(Object.keys(of).map(column => [column, 0n]))
    const sumsIn = (of: readonly Shown[], id: bigint) => of.find(row => row.id === id)?.sums
    return [...new Set([...rows, ...before].map(({ id }) => id))].map(id => {
      const [now, past] = [sumsIn(rows, id), sumsIn(before, id)]
      return { id, sums: now ?? zero(past!), compared: { sums: past ?? zero(now!) } }
    })
  }

  /** Every page of the list by change, against the list by its figure. */
  async function expectOrder(read: ReadList, figure: SortFigure, isDescending: boolean): Promise<number> {
    const all = await rowsOfBoth(read)
    const basis = random.pick(['difference', 'percent'] as const)
    const changes = new Map(all.map(row => [row.id, changeOf(figure, basis, row)]))
    const differences = new Map(all.map(row => [row.id, changeOf(figure, 'difference', row)]))
    const known = [...changes.values()].filter(change => change !== undefined && change !== ABOVE_ALL)
    if (known.length === 0) return 0
    const least = Math.abs(random.pick(known)!)
    const minChange = random.chance(0.4) || least < 0.01 ? undefined : Math.floor(least * 100) / 100
    const listed =
      minChange === undefined ? all : all.filter(({ id }) => Math.abs(changes.get(id) ?? 0) + 1e-9 >= minChange)
    const expected = sorted(listed, changes, differences, isDescending)
    const limit = 1 + random.below(30)
    const found: bigint[] = []
    for (let offset = 0; ; offset += limit) {
      const { total, rows } = await read({ orderOf: basis, minChange }, { limit, offset })
      expect(total).toBe(expected.length)
      found.push(...rows.map(({ id }) => id))
      for (const row of rows) expect(row).toMatchObject(all.find(({ id }) => id === row.id)!)
      if (rows.length === 0) break
    }
    expect(found, JSON.stringify({ basis, minChange, figure, isDescending })).toEqual(expected)
    return expected.length
  }

  test('publishers of the ranking', async () => {
    let found = 0
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = randomParam()
      const order = { name: random.pick(Object.keys(RANK_FIGURES) as RankFigure[]), isDescending: random.chance(0.5) }
      const ranks = new Map<bigint, number>()
      found += await expectOrder(
        async (more, page) => {
          const request = parseReportArguments({ ...page, param: { ...param, ...more } })
          if (!request.ok) throw new Error(JSON.stringify(request.refusals))
          const permit = permitOf('staff', 'read:list', 'insight:publisher_rank.')
          const { total, nodes, totals } = await readRanking(sources(), { ...request.value, order }, permit)
          // The rank stays that by the figure; behind all others where there is none.
          if (!('orderOf' in more) && !('from' in more))
            for (const { publisherId, rank } of nodes) ranks.set(publisherId, rank)
          if ('orderOf' in more)
            for (const { publisherId, rank } of nodes) expect(rank).toBe(ranks.get(publisherId) ?? ranks.size + 1)
          return {
            ...{ total, compared: totals?.compared ?? null },
            rows: nodes.map(node => ({ ...node, id: node.publisherId })),
          }
        },
        RANK_FIGURES[order.name],
        order.isDescending,
      )
    }
    expect(found).toBeGreaterThan(0)
  })

  test('articles', async () => {
    let found = 0
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = randomParam()
      const [name, isDescending] = [random.pick(Object.keys(ARTICLES.figures)), random.chance(0.5)]
      const person = random.pick(['staff', 'admin', 'editor'] as const)
      found += await expectOrder(
        async (more, page) => {
          const request = parseContentRequest(ARTICLES, {
            ...{ ...page, orderBy: `${name}_${isDescending ? 'DESC' : 'ASC'}` },
            param: { ...param, ...more, groupBy: 'item', granularity: 'daily' },
          })
          if (!request.ok) throw new Error(JSON.stringify(request.refusals))
          const permit = permitOf(person, 'read:list', 'insight:article_stats.')
          const { total, nodes, totals } = await readContent(sources(), request.value, permit)
          return {
            ...{ total, compared: totals?.compared ?? null },
            rows: nodes.map(node => ({ ...node, id: node.itemId! })),
          }
        },
        ARTICLES.figures[name as keyof typeof ARTICLES.figures],
        isDescending,
      )
    }
    expect(found).toBeGreaterThan(0)
  })
})

test('what is no amount, and groups that have no such order, are refused', () => {
  const param = { from: FIRST_DAY, to: FIRST_DAY, compareWith: 'previous_period', orderOf: 'percent' } as const
  const page = { limit: 1, offset: 0 }
  for (const minChange of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(parseReportArguments({ ...page, param: { ...param, minChange } })).toMatchObject({
      refusals: [{ code: 'report/min-change-out-of-range' }],
    })
  const byDate = { ...param, groupBy: 'date', granularity: 'daily' } as const
  expect(parseContentRequest(ARTICLES, { ...page, orderBy: null, param: byDate })).toMatchObject({
    refusals: [{ code: 'report/order-of-other-grouping' }],
  })
})
