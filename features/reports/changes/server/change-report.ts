import type { Permit } from '@pc/domain/access/decide.ts'
import {
  type ChangePart,
  differenceOf,
  factorParts,
  isMember,
  type Member,
  memberParts,
  metricValue,
  type Sides,
} from '@pc/domain/change/change-parts.ts'
import type { NamedChange } from '@pc/domain/change/change-sentence.ja.ts'
import { namedParts } from '@pc/domain/change/shown-parts.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type BaseSums, figuresOf, identityOf, type MetricIdentity } from '@pc/domain/report/metric-identity.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import { type Arrival, deliveredDays } from '../../core/server/arrival.ts'
import { publisherSums } from '../../core/server/publisher-rows.ts'
import {
  type PlannedComparison,
  type PlannedRows,
  type ReportFreshness,
  type ReportPlan,
  readPlan,
} from '../../core/server/report-plan.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { mediumDaySums, rowsOfMedia, type SummaryColumn } from '../../core/server/summary-statements.ts'
import type { ChangeRequest } from './change-request.ts'
import { type ContentMembers, type ContentReading, readContentMembers, readSectionMembers } from './content-members.ts'
import {
  areWeekdaysComparable,
  type BothRanges,
  comparedDays,
  dayMembers,
  deliveredKey,
  type MediumDay,
  membersBy,
  missingMembers,
  plus,
  weekdayMembers,
  withDaysAround,
} from './day-members.ts'
import { SUMMARY_COLUMNS, sumsOfRow } from './figure-columns.ts'
import { memberLabels, type ReadDimension } from './member-labels.ts'

/** So many members of a dimension are listed; the others are one part. */
const MAX_MEMBERS = 5

/** A difference with the days that it lies between. */
export interface ExplainedChange extends NamedChange, ReportFreshness {
  readonly range: DayRange
  readonly compared: DayRange
}

/** Which rights the viewer has besides that to the figure: a dimension without its right is not offered. */
export interface ChangeRights {
  readonly articles: boolean
  readonly videos: boolean
}

/** Undefined: there is nothing to compare with, on either side nothing to divide by. */
export async function readChange(
  sources: ReportSources,
  request: ChangeRequest,
  { scope: viewer }: Permit<'read:list', 'insight:summary_stats.'>,
  rights: ChangeRights,
  signal?: AbortSignal,
): Promise<ExplainedChange | undefined> {
  const { database, stats } = sources
  const { range, filter, compareWith, metric } = request
  const identity = identityOf(metric)
  const reader = database.reader(viewer)
  const scope = await readReportScope(reader, viewer, filter)
  if (scope.entries.length === 0) return undefined
  const plan: ReportPlan<PlannedRows, SummaryColumn> = {
    rows: { range, scope },
    columns: figuresOf(identity).map(figure => SUMMARY_COLUMNS[figure]),
    compareWith,
    arrivalTable: 'medium_day',
    isEmpty: false,
    ...{ rowsOfMedia, reader, stats, options: signal ? { signal } : {} },
  }
  const { read, comparison, freshness } = await readPlan(plan, (ask, compares, arrives) =>
    readDimensions(plan, identity, rights, ask, compares, arrives),
  )
  const compared = comparison.daysOf()
  if (!read || !compared) return undefined
  const [before, now] = [metricValue(identity, read.all.before)!, metricValue(identity, read.all.now)!]
  const change = { unit: identity.unit, before, now }
  const labels = await memberLabels(reader, read.dimensions, comparedDays(range, comparison.daysOf))
  return {
    ...{ label: identity.label, compareWith, range, compared },
    ...change,
    difference: now - before,
    factors: namedParts(change, factorParts(identity, read.all), part => factorLabel(identity, part)),
    dimensions: read.dimensions.map(found => ({
      dimension: found.dimension,
      parts: namedParts(change, found.parts, part => labels.labelOf(found, part)),
    })),
    ...freshness,
  }
}

async function readDimensions(
  { rows, columns }: ReportPlan<PlannedRows, SummaryColumn>,
  identity: MetricIdentity,
  rights: ChangeRights,
  ask: Query,
  compares: Promise<PlannedComparison<PlannedRows>>,
  arrives: Promise<Arrival>,
): Promise<{ readonly all: Sides; readonly dimensions: readonly ReadDimension[] } | undefined> {
  const [comparison, arrival] = await Promise.all([compares, arrives])
  const earlier = comparison.rows
  if (!earlier) return undefined
  const both = <T>(read: (query: PlannedRows) => Promise<T>) => Promise.all([read(rows), read(earlier)])
  const figures = figuresOf(identity)
  const sumsOf = (row: Row) => sumsOfRow(row, figures, SUMMARY_COLUMNS)
  const [now, before] = (await both(query => ask(mediumDaySums(query, columns)))).map(found =>
    found.map(row => ({ mediumId: row.medium_id as bigint, date: row.date as Day, sums: sumsOf(row) })),
  ) as [MediumDay[], MediumDay[]]
  const byDay: BothRanges = { now, before }
  const all = { now: totalOf(now), before: totalOf(before) }
  if (before.length === 0 || differenceOf(identity, all) === undefined) return undefined
  const [[ofNow, ofBefore], delivered, ...contents] = await Promise.all([
    both(query => ask(publisherSums(query, columns))),
    both(query => ask(deliveredDays(withDaysAround(query.range), rows.scope.mediumIds))),
    ...readContents({ ask, identity, rows: { now: rows, before: earlier }, all, arrival, limit: MAX_MEMBERS }, rights),
  ])
  const publishers = sidesBy(ofNow, ofBefore, row => String(row.publisher), sumsOf)
  const days = comparedDays(rows.range, comparison.daysOf)
  const deliveredOn = new Set(delivered.flat().map(row => deliveredKey(row.medium_id as bigint, row.date as Day)))
  const missing = missingMembers(byDay, days, deliveredOn, arrival.media)
  const partsOf = ({ members, ofMembers }: ContentMembers) =>
    memberParts(identity, all, members, MAX_MEMBERS, ofMembers)
  const whole = (members: readonly Member[]) => partsOf({ members, ofMembers: all })
  const [article, video, section] = contents.map(found => (found ? partsOf(found) : []))
  const dimensions: readonly ReadDimension[] = [
    { dimension: 'data', parts: missing.length === 0 ? [] : whole(missing), missing },
    { dimension: 'article', parts: article ?? [] },
    { dimension: 'video', parts: video ?? [] },
    { dimension: 'section', parts: section ?? [] },
    { dimension: 'publisher', parts: whole(publishers) },
    { dimension: 'medium', parts: whole(membersBy(byDay, ({ mediumId }) => String(mediumId))) },
    { dimension: 'day', parts: days.length < 2 ? [] : ofTime(whole(dayMembers(byDay, days))) },
    { dimension: 'weekday', parts: areWeekdaysComparable(days) ? ofTime(whole(weekdayMembers(byDay))) : [] },
  ]
  return { all, dimensions: dimensions.filter(({ parts }) => parts.some(isMember)) }
}

function readContents(reading: ContentReading, { articles, videos }: ChangeRights) {
  const none = Promise.resolve(undefined)
  return [
    articles ? readContentMembers(reading, 'article') : none,
    videos ? readContentMembers(reading, 'video') : none,
    articles ? readSectionMembers(reading) : none,
  ]
}

/** Days and weekdays neither come nor go, whatever was or was not on them. */
function ofTime(parts: readonly ChangePart[]): readonly ChangePart[] {
  return parts.map(part => (isMember(part) ? { ...part, kind: 'changed' } : part))
}

function totalOf(rows: readonly MediumDay[]): BaseSums {
  return rows.map(({ sums }) => sums).reduce(plus, {})
}

function sidesBy(
  now: readonly Row[],
  before: readonly Row[],
  keyOf: (row: Row) => string,
  sumsOf: (row: Row) => BaseSums,
): readonly Member[] {
  const [later, earlier] = [now, before].map(rows => new Map(rows.map(row => [keyOf(row), sumsOf(row)]))) as [
    Map<string, BaseSums>,
    Map<string, BaseSums>,
  ]
  const ids = [...new Set([...later.keys(), ...earlier.keys()])]
  return ids.map(id => ({ id, now: later.get(id) ?? {}, before: earlier.get(id) ?? {} }))
}

function factorLabel({ label, products, terms = [] }: MetricIdentity, { id }: ChangePart): string {
  return [...products.flat(), ...terms].find(named => named.id === id)?.label ?? label
}
