import { addDays, type Day, day, dayOfWeek } from '@pc/domain/month/day.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { fixedClock, today } from '@pc/platform/clock.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import {
  CLOSED_MONTHS,
  makeReportFixture,
  REPORT_MEDIA,
  type ReportPerson,
} from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import {
  type FactRow,
  importFacts,
  type Random,
  randomFrom,
  randomPublisherFacts,
} from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COUNT_COLUMNS, SOURCE_REVENUE_COLUMNS, type SummaryColumn } from '../../core/server/summary-sql.ts'
import { readSummary, type SummaryFigures, type SummaryReport } from './summary-report.ts'
import { parseSummaryRequest, type SummaryArguments } from './summary-request.ts'

/**
 * The report over real PostgreSQL and every statistics engine, against a second computation over the same rows in plain
 * TypeScript that shares nothing with it: not the period rules, not the scope, not the SQL.
 */
const FIRST_DAY = day('2025-12-10') // weeks and months cross a year's end
const DAYS = 110
const clock = fixedClock('2026-03-20T10:00:00+09:00')
const { database, drop } = await testDatabase()
afterAll(drop)

const { organizationIds, publishers, editorPairs, permitOf, maySee } = await makeReportFixture(database)

async function report(engine: StatsEngine, person: ReportPerson, args: SummaryArguments): Promise<SummaryReport> {
  const request = parseSummaryRequest(args)
  if (!request.ok) throw new Error(JSON.stringify(request.refusals))
  return readSummary(
    { stats: engine.store, database, clock },
    request.value,
    permitOf(person, 'read:list', 'insight:summary_stats.'),
  )
}
const plain = async ({ clickDemographics, ...figures }: SummaryFigures) => ({
  ...figures,
  clickDemographics: await clickDemographics(),
})
const plainReport = async ({ articleDataUntil, videoDataUntil, lateMedia, ...result }: SummaryReport) => ({
  ...result,
  nodes: await Promise.all(result.nodes.map(plain)),
  totals: result.totals && (await plain(result.totals)),
})

// The second computation.

const isRequested = ({ param }: SummaryArguments, row: FactRow) => {
  const organizationId = publishers.find(each => each.id === row.publisher_id)?.organizationId
  const within = (ids: readonly string[] | null | undefined, id: unknown) => !ids || ids.includes(String(id))
  return (
    within(param.mediumIds, row.medium_id) &&
    within(param.publisherIds, row.publisher_id) &&
    within(param.organizationIds, organizationId)
  )
}
const bucketOf = (granularity: Granularity, value: Day): Day =>
  granularity === 'daily'
    ? value
    : granularity === 'weekly'
      ? addDays(value, -dayOfWeek(value))
      : (`${value.slice(0, 8)}01` as Day)

function figures(
  args: SummaryArguments,
  columns: readonly SummaryColumn[],
  startsOn: Day,
  days: readonly Day[],
  lastDay: Day,
  rows: readonly FactRow[],
  cells: readonly FactRow[],
) {
  const latest = new Map<string, FactRow>()
  for (const row of rows.filter(each => each.follower !== null)) {
    const key = `${row.medium_id} ${row.publisher_id}`
    const known = latest.get(key)
    const isNewer = !known || row.date! > known.date! || (row.date === known.date && row.follower! > known.follower!)
    if (isNewer) latest.set(key, row)
  }
  const matrix = new Map<string, bigint>()
  for (const cell of cells.filter(each => each.gender_id !== 0n && each.age_id !== 0n)) {
    const key = `${cell.gender_id} ${cell.age_id}`
    matrix.set(key, (matrix.get(key) ?? 0n) + (cell.click as bigint))
  }
  const single = (ids: readonly string[] | null | undefined) => (ids?.length === 1 ? BigInt(ids[0]!) : null)
  return {
    organizationId: single(args.param.organizationIds),
    publisherId: single(args.param.publisherIds),
    mediumId: single(args.param.mediumIds),
    date: startsOn,
    days: days.length,
    daysWithData: new Set(rows.map(row => row.date)).size,
    isComplete: lastDay < today(clock),
    compared: null,
    hasBeenFinalized: rows.every(row => CLOSED_MONTHS.has(`${row.medium_id} ${String(row.date).slice(0, 7)}`)),
    follower: latest.size === 0 ? null : [...latest.values()].reduce((sum, row) => sum + (row.follower as bigint), 0n),
    sums: Object.fromEntries(
      columns.map(column => [column, rows.reduce((sum, row) => sum + (row[column] as bigint), 0n)]),
    ),
    clickDemographics: [...matrix]
      .sort()
      .map(([key, click]) => ({ genderId: Number(key.split(' ')[0]), ageId: Number(key.split(' ')[1]), click })),
  }
}

function expected(
  person: ReportPerson,
  args: SummaryArguments,
  allRows: readonly FactRow[],
  allCells: readonly FactRow[],
) {
  const { from, to, granularity, mediumIds } = args.param
  const wanted = (row: FactRow) =>
    maySee(person, row.medium_id, row.publisher_id) && isRequested(args, row) && row.date! >= from && row.date! <= to
  const [rows, cells] = [allRows.filter(wanted), allCells.filter(wanted)]
  const columns = person === 'staff' ? [...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS] : COUNT_COLUMNS
  const rangeDays: Day[] = []
  for (let each = from; each <= to; each = addDays(each, 1)) rangeDays.push(each)
  const buckets = [...new Set(rows.map(row => bucketOf(granularity, row.date as Day)))].sort()
  const all = buckets.map(bucket => {
    const inBucket = (value: unknown) => bucketOf(granularity, value as Day) === bucket
    let lastDay = bucket
    while (inBucket(addDays(lastDay, 1))) lastDay = addDays(lastDay, 1)
    return figures(
      args,
      columns,
      bucket,
      rangeDays.filter(inBucket),
      lastDay,
      rows.filter(row => inBucket(row.date)),
      cells.filter(row => inBucket(row.date)),
    )
  })
  // An editor's media are those of the own agreements.
  const ownMedia = new Set([...editorPairs].map(pair => pair.split(' ')[0]!))
  const isOfMedia = (row: FactRow) =>
    isRequested({ ...args, param: { from, to, granularity, mediumIds } }, row) &&
    (person !== 'editor' || ownMedia.has(String(row.medium_id)))
  const arrived = allRows.filter(isOfMedia).map(row => row.date as Day)
  return {
    total: all.length,
    nodes: all.slice(args.offset, args.offset + args.limit),
    totals: all.length === 0 ? null : figures(args, columns, from, rangeDays, to, rows, cells),
    dataUntil: arrived.sort().at(-1) ?? null,
  }
}

const inOrder = (a: Day, b: Day) => {
  const [from, to] = [a, b].sort()
  return { from: from!, to: to! }
}

function randomArguments(random: Random): SummaryArguments {
  const granularity = random.pick(['daily', 'weekly', 'monthly'] as const)
  const from = random.chance(0.3)
    ? day(random.pick(['2025-12-01', '2026-01-01', '2026-02-01']))
    : addDays(FIRST_DAY, random.below(DAYS + 30) - 20)
  const to = random.chance(0.3) ? day(random.pick(['2026-02-28', '2026-03-31'])) : addDays(from, random.below(100))
  const some = (ids: readonly bigint[]) =>
    random.chance(0.6)
      ? undefined
      : random.chance(0.1)
        ? []
        : [...new Set(Array.from({ length: 1 + random.below(3) }, () => String(random.pick(ids))))]
  return {
    limit: random.pick([1, 3, 50, 1000]),
    offset: random.pick([0, 0, 0, 1, 40]),
    param: {
      ...inOrder(from, to),
      granularity,
      mediumIds: some([...REPORT_MEDIA, 77n]),
      organizationIds: some([...organizationIds, 999_999n]),
      publisherIds: some([...publishers.map(({ id }) => id), 999_999n]),
    },
  }
}

const operations = (param: Partial<SummaryArguments['param']> = {}): SummaryArguments => ({
  limit: 1000,
  offset: 0,
  param: { from: FIRST_DAY, to: day('2026-03-31'), granularity: 'daily', ...param },
})

// Hundreds of comparisons: slow on a busy machine.
describe.each(STATS_ENGINES)('%s', { timeout: 120_000 }, name => {
  let engine: StatsEngine
  const rows: FactRow[] = []
  const cells: FactRow[] = []

  beforeAll(async () => {
    engine = await openTestStats(name)
  })
  afterAll(() => engine?.drop())

  test('before the first import there is no data, which is not zero', async () => {
    for (const person of ['staff', 'admin', 'editor', 'idleEditor'] as const) {
      const result = await report(engine, person, operations())
      expect(await plainReport(result)).toEqual({ total: 0, nodes: [], totals: null, dataUntil: null })
      expect([await result.articleDataUntil(), await result.videoDataUntil()]).toEqual([null, null])
    }
  })

  test('random data, people, filters, periods and pages: equal to the second computation', async () => {
    const random = randomFrom(20260320)
    const options = { publisherIds: publishers.map(({ id }) => id), mediumIds: REPORT_MEDIA, gaps: 0.4 }
    const deliveries = [
      randomPublisherFacts(random, { ...options, from: FIRST_DAY, days: 30, batchNo: 1n }),
      randomPublisherFacts(random, { ...options, from: addDays(FIRST_DAY, 33), days: DAYS - 33, batchNo: 2n }),
      // The same days once more, from a source that knows no followers: added.
      randomPublisherFacts(random, { ...options, from: addDays(FIRST_DAY, 50), days: 9, batchNo: 3n, mediumIds: [2n] }),
    ]
    const withoutFollowers = { publisher_day: deliveries[2]!.publisher_day!.map(row => ({ ...row, follower: null })) }
    deliveries[2] = { ...deliveries[2], ...withoutFollowers }
    for (const [index, facts] of deliveries.entries()) {
      await importFacts(engine.store, BigInt(index + 1), facts)
      rows.push(...facts.publisher_day!)
      cells.push(...facts.publisher_demo_day!)
    }
    let filled = 0
    const repeats = name === 'duckdb' ? sampleOr(40, 120) : sampleOr(10, 25)
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const args = randomArguments(random)
      for (const person of ['staff', 'admin', 'editor'] as const) {
        const result = await plainReport(await report(engine, person, args))
        expect(result, `${person} ${JSON.stringify(args)}`).toEqual(expected(person, args, rows, cells))
        filled += result.total > 0 ? 1 : 0
      }
    }
    expect(filled).toBeGreaterThan(repeats)
  })

  test('an editor without agreements sees nothing, whatever the filter names', async () => {
    const empty = { total: 0, nodes: [], totals: null }
    expect(await report(engine, 'idleEditor', operations())).toMatchObject(empty)
    expect(
      await report(engine, 'idleEditor', operations({ publisherIds: publishers.map(({ id }) => String(id)) })),
    ).toMatchObject(empty)
  })

  test('foreign ids contribute nothing beside the own ones', async () => {
    const [own, foreign] = [publishers[0]!, publishers.at(-1)!]
    const both = await report(engine, 'admin', operations({ publisherIds: [String(own.id), String(foreign.id)] }))
    const alone = await report(engine, 'admin', operations({ publisherIds: [String(own.id)] }))
    expect(both.totals?.sums).toEqual(alone.totals?.sums)
    expect(
      await report(engine, 'admin', operations({ organizationIds: [String(foreign.organizationId)] })),
    ).toMatchObject({
      total: 0,
      totals: null,
    })
  })

  test('the totals are the sums of the periods, at every granularity, and the same', async () => {
    const range = { from: day('2026-01-01'), to: day('2026-02-28') }
    const results = await Promise.all(
      (['daily', 'weekly', 'monthly'] as const).map(granularity =>
        report(engine, 'staff', operations({ ...range, granularity })),
      ),
    )
    for (const { nodes, totals } of results) {
      expect(totals?.sums).toEqual(results[0]?.totals?.sums)
      expect(totals?.follower).toEqual(results[0]?.totals?.follower)
      for (const column of COUNT_COLUMNS)
        expect(nodes.reduce((sum, { sums }) => sum + sums[column]!, 0n)).toBe(totals?.sums[column])
    }
  })

  test('a month that has only begun to arrive is compared with the same days of the month before, in its rows as in its totals', async () => {
    const month = { from: day('2026-03-01'), to: day('2026-03-31'), compareWith: 'previous_period' } as const
    for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
      const { nodes, totals, dataUntil } = await report(engine, 'staff', operations({ ...month, granularity }))
      expect(dataUntil).toBe('2026-03-29')
      expect(totals?.compared).toMatchObject({ from: '2026-02-01', to: '2026-02-28' })
      for (const column of COUNT_COLUMNS) {
        const ofRows = nodes.reduce((sum, { compared }) => sum + (compared?.sums[column] ?? 0n), 0n)
        expect(ofRows, column).toBe(totals?.compared?.sums[column])
      }
    }
  })

  test('a medium that is a day behind is compared by its own days, and named; one that is silent blocks nothing', async () => {
    const columns = Object.fromEntries([...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS].map(column => [column, 1n]))
    const ends = { 1: '2027-04-10', 2: '2027-04-09', 9: '2027-04-02' }
    const delivered: FactRow[] = []
    for (const [mediumId, last] of Object.entries(ends))
      for (let date = day('2027-03-22'); date <= last; date = addDays(date, 1)) {
        const key = {
          date,
          medium_id: BigInt(mediumId),
          publisher_id: publishers[0]!.id,
          batch_no: 60n,
          follower: null,
        }
        delivered.push({ ...columns, ...key })
      }
    await importFacts(engine.store, 60n, { publisher_day: delivered })
    const april = { from: day('2027-04-01'), to: day('2027-04-10'), compareWith: 'previous_period' } as const
    const clicks = (figures: SummaryFigures) => [figures.sums.article_click, figures.compared?.sums.article_click]
    const { nodes, totals, lateMedia } = await report(engine, 'admin', operations(april))
    // Medium 2 up to the 9th; medium 9 delivers no more, so that it counts as lost.
    expect(clicks(totals!)).toEqual([10n + 9n + 2n, 10n + 9n + 10n])
    expect(nodes.map(clicks)).toEqual([
      ...[
        [3n, 3n],
        [3n, 3n],
        [2n, 3n],
        [2n, 3n],
        [2n, 3n],
        [2n, 3n],
        [2n, 3n],
        [2n, 3n],
        [2n, 3n],
        [1n, 2n],
      ],
    ])
    expect(await lateMedia()).toEqual([{ mediumId: 2n, name: 'メディア2', dataUntil: '2027-04-09' }])
    // Of who has no rows there, nobody hears.
    const other = await report(engine, 'admin', operations({ ...april, publisherIds: [String(publishers[1]!.id)] }))
    expect(await other.lateMedia()).toEqual([])
    // Asked for alone, the medium is compared up to its own last day.
    const alone = await report(engine, 'admin', operations({ ...april, mediumIds: ['2'] }))
    expect([alone.totals!.compared?.to, ...clicks(alone.totals!)]).toEqual(['2027-03-30', 9n, 9n])
    expect(await alone.lateMedia()).toEqual([])
    await importFacts(engine.store, 61n, {}, [60n], [202703, 202704] as never)
  })

  test('days before the first ones that have arrived are compared with nothing; later rows are compared', async () => {
    const range = { from: day('2025-12-10'), to: day('2026-01-20'), granularity: 'monthly' } as const
    const { totals } = await report(engine, 'staff', operations({ ...range, compareWith: 'previous_period' }))
    expect([totals === null, totals?.compared]).toEqual([false, null])
    const half = { from: day('2025-12-20'), to: day('2026-01-10'), compareWith: 'previous_period' } as const
    const daily = await report(engine, 'staff', operations(half))
    expect(daily.totals?.compared).toBeNull()
    expect(daily.nodes.map(({ compared }) => compared?.from ?? null).find(from => from !== null)).toBe('2025-12-10')
  })

  test('zeros that arrived are data', async () => {
    const zero = Object.fromEntries([...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS].map(column => [column, 0n]))
    const row: FactRow = {
      ...zero,
      date: '2026-05-05',
      medium_id: 1n,
      publisher_id: publishers[0]!.id,
      batch_no: 50n,
      follower: null,
    }
    await importFacts(engine.store, 50n, { publisher_day: [row] })
    const { nodes, totals, dataUntil } = await report(
      engine,
      'admin',
      operations({ from: day('2026-05-01'), to: day('2026-05-31'), granularity: 'monthly' }),
    )
    expect(nodes).toMatchObject([
      {
        date: '2026-05-01',
        days: 31,
        daysWithData: 1,
        isComplete: false,
        hasBeenFinalized: false,
        follower: null,
        sums: { article_click: 0n },
      },
    ])
    expect(await plain(totals!)).toMatchObject({ sums: { article_click: 0n }, clickDemographics: [] })
    expect(dataUntil).toBe('2026-05-05')
    await importFacts(engine.store, 51n, {}, [50n], [202605 as never])
  })

  test('a caller that went away stops the report', async () => {
    const request = parseSummaryRequest(operations())
    if (!request.ok) throw new Error('unexpected')
    const gone = AbortSignal.abort(new Error('gone'))
    await expect(
      readSummary(
        { stats: engine.store, database, clock },
        request.value,
        permitOf('staff', 'read:list', 'insight:summary_stats.'),
        gone,
      ),
    ).rejects.toThrow('gone')
  })
})

test('wrong arguments are refused, all at once', () => {
  const result = parseSummaryRequest({
    limit: 0,
    offset: -1,
    param: {
      from: day('2026-02-02'),
      to: day('2026-02-01'),
      granularity: 'daily',
      mediumIds: ['1', 'x'],
      publisherIds: null,
    },
  })
  expect(result.ok ? [] : result.refusals.map(each => [each.code, each.path.join('.')])).toEqual([
    ['report/range-reversed', 'param.from'],
    ['list/limit-out-of-range', 'limit'],
    ['list/offset-out-of-range', 'offset'],
    ['id/not-a-number', 'param.mediumIds'],
  ])
})

test('a range that runs beyond every calendar is refused at its end', () => {
  const param = { from: day('2026-02-01'), to: day('9999-12-31'), granularity: 'weekly' } as const
  const result = parseSummaryRequest({ limit: 1, offset: 0, param })
  expect(result.ok ? [] : result.refusals.map(each => [each.code, each.path.join('.'), each.data.latest])).toEqual([
    ['report/after-latest-day', 'param.to', '2099-12-31'],
  ])
})
