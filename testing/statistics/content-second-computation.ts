import { addDays, type Day, dayOfWeek, daysBetween } from '@pc/domain/month/day.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import type { ContentArguments } from '@pc/features/reports/contents/server/content-request.ts'
import { type ContentKind, VIDEOS } from '@pc/features/reports/core/server/content-kind.ts'
import { CLOSED_MONTHS, type ReportFixture, type ReportPerson } from './report-store-fixture.ts'
import type { FactRow } from './stats-rows.ts'

/**
 * Expected results of the article and video reports, computed from the rows in TypeScript. Independent of the product:
 * it shares neither period rules nor scopes nor SQL.
 */

export interface RequestedRows {
  readonly mediumIds?: readonly string[] | null | undefined
  readonly organizationIds?: readonly string[] | null | undefined
  readonly publisherIds?: readonly string[] | null | undefined
}

const isWithin = (ids: readonly string[] | null | undefined, id: unknown) => !ids || ids.includes(String(id))
const bucketOf = (granularity: Granularity, value: Day): Day =>
  granularity === 'daily'
    ? value
    : granularity === 'weekly'
      ? addDays(value, -dayOfWeek(value))
      : (`${value.slice(0, 8)}01` as Day)
/** A count that a row does not name is 0, as in what is imported (`inColumnOrder`). */
export const total = (rows: readonly FactRow[], column: string) =>
  rows.reduce((sum, row) => sum + ((row[column] ?? 0n) as bigint), 0n)
export const totals = (rows: readonly FactRow[], columns: readonly string[]) =>
  Object.fromEntries(columns.map(column => [column, total(rows, column)]))

/**
 * Whether a row of the compared period counts. It does not if its corresponding day is after the last day with data of
 * its medium, unless that medium has been silent for a week.
 * @param rows of everybody, on the requested media
 */
export function isComparedRow(
  kind: Comparison,
  { from, to }: { readonly from: Day; readonly to: Day },
  rows: readonly FactRow[],
): (row: FactRow) => boolean {
  const length = daysBetween(from, to) + 1
  const shift = kind === 'previous_period' ? length : Math.ceil(length / 7) * 7
  const months = wholeMonths(kind, from, to)
  const against = (value: Day) =>
    kind === 'same_month_last_year'
      ? (`${Number(value.slice(0, 4)) + 1}${value.slice(4)}` as Day)
      : months > 0
        ? sameDate(value, months)
        : addDays(value, shift)
  const media = Map.groupBy(rows, row => row.medium_id)
  const latest = rows.map(row => row.date as Day).reduce((a, b) => (a > b ? a : b), '' as Day)
  const lasts = new Map(
    [...media].map(([medium, own]) => {
      const last = own.map(row => row.date as Day).reduce((a, b) => (a > b ? a : b))
      return [medium, daysBetween(last, latest) >= 7 ? latest : last]
    }),
  )
  return row => against(row.date as Day) <= lasts.get(row.medium_id)!
}

/** Rows of the requested media of all publishers. */
export function arrivedRows(
  { editorPairs }: Pick<ReportFixture, 'editorPairs'>,
  person: ReportPerson,
  { mediumIds }: RequestedRows,
  rows: readonly FactRow[],
): readonly FactRow[] {
  const isOfPerson = ({ medium_id }: FactRow) =>
    person !== 'editor' || [...editorPairs].some(pair => pair.startsWith(`${medium_id} `))
  return rows.filter(row => isWithin(mediumIds, row.medium_id) && isOfPerson(row))
}

/** Days of {@link arrivedRows}, ascending. */
export function arrivedDays(...operations: Parameters<typeof arrivedRows>): readonly Day[] {
  return arrivedRows(...operations)
    .map(row => row.date as Day)
    .sort()
}

/** The number of months when the period before a range of whole months is requested, otherwise 0. */
function wholeMonths(kind: Comparison, from: Day, to: Day): number {
  const [first, next] = [from, addDays(to, 1)].map(value => value.split('-').map(Number)) as [number[], number[]]
  if (kind !== 'previous_period' || first[2] !== 1 || next[2] !== 1) return 0
  return (next[0]! - first[0]!) * 12 + next[1]! - first[1]!
}

/** The same date some months on (negative: back), or the last one of a shorter month. */
function sameDate(value: Day, months: number): Day {
  const [year, month, date] = value.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10) as Day
}

/** The same date some months back, or the first of the month after a shorter one. */
function startBack(value: Day, months: number): Day {
  const back = sameDate(value, -months)
  return back.slice(8) === value.slice(8) ? back : addDays(back, 1)
}

/** The compared period by JavaScript's calendar. The compared years contain no 29 February. @param arrived ascending */
export function comparedDays(
  kind: Comparison,
  { from, to }: { readonly from: Day; readonly to: Day },
  [first, last]: readonly [Day, Day],
  arrived: readonly Day[],
): { from: Day; to: Day } | undefined {
  const [earliest, latest] = [arrived[0], arrived.at(-1)]
  if (earliest === undefined || latest === undefined || first > latest) return undefined
  const length = daysBetween(from, to) + 1
  const shift = kind === 'previous_period' ? length : Math.ceil(length / 7) * 7
  const months = wholeMonths(kind, from, to)
  const back = (value: Day) =>
    kind === 'same_month_last_year'
      ? (`${Number(value.slice(0, 4)) - 1}${value.slice(4)}` as Day)
      : addDays(value, -shift)
  const end = last < latest ? last : latest
  // By the day after: the end of a month is compared with the end of the earlier one.
  const days =
    months > 0
      ? { from: startBack(first, months), to: addDays(startBack(addDays(end, 1), months), -1) }
      : { from: back(first), to: back(end) }
  if (days.from > days.to) return undefined
  return days.from < earliest ? undefined : days
}

export function secondComputation(fixture: ReportFixture, publisherNames: ReadonlyMap<unknown, string>) {
  const { publishers, maySee } = fixture
  const publisherFacts = (publisherId: unknown) => ({
    publisherId,
    publisherName: publisherNames.get(publisherId) ?? null,
  })
  const organizationOf = (publisherId: unknown) => publishers.find(each => each.id === publisherId)?.organizationId
  const isRequested = (param: RequestedRows, row: FactRow) =>
    isWithin(param.mediumIds, row.medium_id) &&
    isWithin(param.publisherIds, row.publisher_id) &&
    isWithin(param.organizationIds, organizationOf(row.publisher_id))
  function expected(kind: ContentKind, person: ReportPerson, args: ContentArguments, facts: Record<string, FactRow[]>) {
    const { param } = args
    const { from, to, granularity, groupBy, compareWith } = param
    const columns = person === 'staff' ? [...kind.counts, 'ads_revenue_micro_yen'] : kind.counts
    const wanted = (row: FactRow) =>
      maySee(person, row.medium_id, row.publisher_id) &&
      isRequested(param as RequestedRows, row) &&
      isWithin(param.itemIds, row[kind.id])
    const within = (rows: readonly FactRow[], first: Day, last: Day) =>
      rows.filter(row => wanted(row) && row.date! >= first && row.date! <= last)
    const rows = within(facts[kind.day]!, from, to)
    const single = (ids: readonly string[] | null | undefined) => (ids?.length === 1 ? BigInt(ids[0]!) : null)
    const isFinal = (of: readonly FactRow[]) =>
      of.every(row => CLOSED_MONTHS.has(`${row.medium_id} ${String(row.date).slice(0, 7)}`))
    const persons = (of: readonly FactRow[]) => {
      const known = of.filter(row => row.gender_id !== 0n && row.age_id !== 0n)
      const cells = Map.groupBy(known, row => `${row.gender_id} ${row.age_id}`)
      return [...cells]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, each]) => ({
          genderId: Number(key.split(' ')[0]),
          ageId: Number(key.split(' ')[1]),
          click: total(each, 'click'),
          watch3s: kind === VIDEOS ? total(each, 'watch3s') : 0n,
        }))
    }
    const times = (of: readonly FactRow[]) =>
      [...Map.groupBy(of, row => Number(row.bucket_id))]
        .sort(([a], [b]) => a - b)
        .map(([bucketId, each]) => ({ bucketId, watch: total(each, 'watch') }))
    const arrived = arrivedDays(fixture, person, param, facts[kind.day]!)
    const isCompared = compareWith
      ? isComparedRow(compareWith, { from, to }, arrivedRows(fixture, person, param, facts[kind.day]!))
      : () => false
    const figures = (first: Day, last: Day, own: readonly FactRow[], isOwn: (row: FactRow) => boolean) => {
      const before = compareWith && comparedDays(compareWith, { from, to }, [first, last], arrived)
      const comparedRows = before
        ? within(facts[kind.day]!, before.from, before.to).filter(isOwn).filter(isCompared)
        : []
      const ofTable = (name: string) => within(facts[name] ?? [], first, last).filter(isOwn)
      return {
        hasBeenFinalized: isFinal(own),
        master: null,
        sums: totals(own, columns),
        compared: before && comparedRows.length > 0 ? { ...before, sums: totals(comparedRows, columns) } : null,
        demographics: persons(ofTable(kind.demographics)),
        watchTimes: kind.watchTime ? times(ofTable(kind.watchTime)) : [],
      }
    }
    const filterIds = {
      itemId: single(param.itemIds),
      ...publisherFacts(single(param.publisherIds)),
      mediumId: single(param.mediumIds),
    }
    const byDate = () =>
      [...Map.groupBy(rows, row => bucketOf(granularity, row.date as Day))].map(([bucket, own]) => {
        let last = bucket
        while (bucketOf(granularity, addDays(last, 1)) === bucket) last = addDays(last, 1)
        const [first, end] = [bucket < from ? from : bucket, last > to ? to : last]
        return {
          date: bucket,
          days: daysBetween(first, end) + 1,
          daysWithData: new Set(own.map(row => row.date)).size,
          isComplete: last < '2026-03-20',
          ...filterIds,
          ...figures(first, end, own, () => true),
        }
      })
    const byItem = () =>
      [...Map.groupBy(rows, row => row[kind.id] as bigint)].map(([itemId, own]) => ({
        date: null,
        days: daysBetween(from, to) + 1,
        daysWithData: null,
        isComplete: to < '2026-03-20',
        itemId,
        ...publisherFacts(own[0]!.publisher_id),
        mediumId: own[0]!.medium_id,
        ...figures(from, to, own, row => row[kind.id] === itemId),
      }))
    const all = (groupBy === 'date' ? byDate() : byItem()).sort(expectedOrder(args, kind))
    return {
      total: all.length,
      nodes: all.slice(args.offset, args.offset + args.limit),
      totals:
        rows.length === 0
          ? null
          : {
              date: from,
              days: daysBetween(from, to) + 1,
              daysWithData: new Set(rows.map(row => row.date)).size,
              isComplete: to < '2026-03-20',
              ...filterIds,
              ...figures(from, to, rows, () => true),
            },
      dataUntil: arrived.at(-1) ?? null,
    }
  }
  return { expected, isRequested }
}

const MEASURES: Readonly<Record<string, (sums: Readonly<Record<string, bigint>>) => number | null>> = {
  IMPRESSION: sums => Number(sums.impression),
  CLICK: sums => Number(sums.click),
  CTR: sums => (sums.impression ? Number(sums.click) / Number(sums.impression) : null),
  WATCH: sums => Number(sums.watch),
  REVENUE: sums => Number(sums.publisher_revenue_micro_yen),
  RPM: sums => (sums.impression ? Number(sums.publisher_revenue_micro_yen) / Number(sums.impression) : null),
  ENGAGEDTIME: sums => (sums.engaged_time_watch ? Number(sums.engaged_time_ms) : null),
  AVERAGEENGAGEDTIME: sums =>
    sums.engaged_time_watch ? Number(sums.engaged_time_ms) / Number(sums.engaged_time_watch) : null,
  COMPLETION: sums => (sums.completion_watch ? Number(sums.completion) : null),
  COMPLETIONRATE: sums => (sums.completion_watch ? Number(sums.completion) / Number(sums.completion_watch) : null),
  WATCH3S: sums => Number(sums.watch3s),
  PLAYTIME: sums => Number(sums.play_time_ms),
  AVERAGEPLAYTIME: sums => (sums.watch ? Number(sums.play_time_ms) / Number(sums.watch) : null),
  WATCH97P: sums => Number(sums.watch97p),
  AVERAGEWATCH97P: sums => (sums.watch ? Number(sums.watch97p) / Number(sums.watch) : null),
}

interface Ordered {
  readonly date: Day | null
  readonly itemId: unknown
  readonly sums: Readonly<Record<string, bigint>>
}

function expectedOrder(args: ContentArguments, _kind: ContentKind): (a: Ordered, b: Ordered) => number {
  const byDate = args.param.groupBy === 'date'
  const [name = '', direction] = (args.orderBy ?? (byDate ? 'DATE_ASC' : 'IMPRESSION_DESC')).split('_')
  const sign = direction === 'DESC' ? -1 : 1
  const key = (row: Ordered) => (byDate ? row.date! : String(row.itemId).padStart(20))
  const measure = MEASURES[name]
  return (a, b) => {
    const tie = (key(a) < key(b) ? -1 : 1) * sign
    if (!measure) return tie
    const [x, y] = [measure(a.sums), measure(b.sums)]
    if (x === null || y === null) return x === y ? tie : x === null ? 1 : -1
    return x === y ? tie : (x - y) * sign
  }
}
