import type { Permit } from '@pc/domain/access/decide.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
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
import { namedParts } from '@pc/domain/change/parts-in-steps.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import {
  type BaseSums,
  type ChangeSubject,
  figuresOf,
  identityOf,
  type MetricIdentity,
} from '@pc/domain/report/metric-identity.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import { type Arrival, deliveredDays } from '../../core/server/arrival.ts'
import { readMatchingItems } from '../../core/server/content-filter.ts'
import { ARTICLES, VIDEOS } from '../../core/server/content-kind.ts'
import {
  type PlannedComparison,
  type PlannedRows,
  type ReportFreshness,
  type ReportPlan,
  readPlan,
} from '../../core/server/report-plan.ts'
import { type ReportScope, readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { ChangeRequest } from './change-request.ts'
import { rowsOfSubject, type SubjectRows } from './change-subject.ts'
import { type ChangedTerms, dependsOnTerms, readChangedTerms } from './changed-terms.ts'
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
import { columnsOf, sumsOfRow } from './figure-columns.ts'
import { memberLabels, type ReadDimension } from './member-labels.ts'

/** Listed members per dimension; all others are summed in one part. */
const MAX_MEMBERS = 5

/** An explained difference between two ranges of days. */
export interface ExplainedChange extends NamedChange, ReportFreshness {
  readonly range: DayRange
  readonly compared: DayRange
  /** Changed terms of the agreements behind the rows; empty when the metric does not depend on them. Read on demand. */
  readonly changedTerms: () => Promise<readonly ChangedTerms[]>
}

/** The viewer's rights to reports of articles and videos. A dimension without its right is left out. */
export interface ChangeRights {
  readonly articles: boolean
  readonly videos: boolean
}

/** Optional parts of an explanation; the figure and its factors are always read. */
export interface WantedLevels {
  readonly dimensions: boolean
}

/** Undefined when there is no compared range, no rows in it, or a ratio without a divisor on either side. */
export function readChange(
  sources: ReportSources,
  request: ChangeRequest,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
  rights: ChangeRights,
  signal?: AbortSignal,
  wanted?: WantedLevels,
): Promise<ExplainedChange | undefined> {
  return readChangeIn(scope, sources, request, rights, signal, wanted)
}

/** As {@link readChange}, for callers that hold a scope instead of a permit. */
export async function readChangeIn(
  viewer: Scope,
  sources: ReportSources,
  request: ChangeRequest,
  rights: ChangeRights,
  signal?: AbortSignal,
  wanted: WantedLevels = { dimensions: true },
): Promise<ExplainedChange | undefined> {
  const { database, stats } = sources
  const { range, compareWith, metric, within = range } = request
  const identity = identityOf(metric, request.subject)
  const reader = database.reader(viewer)
  const found = await readSubject(sources, request, viewer)
  // Rows without the metric's columns (videos of an article metric) have no figure, which is not 0.
  if (!found || columnsOf(identity.of, found.subjectRows.columns).length === 0) return undefined
  const { scope, subjectRows } = found
  const plan: ReportPlan<PlannedRows> = {
    rows: { range, scope },
    columns: columnsOf(figuresOf(identity), subjectRows.columns),
    ...{ compareWith, within, arrivalTable: subjectRows.arrivalTable, isEmpty: false },
    rowsOfMedia: subjectRows.ofMedia,
    ...{ reader, stats, options: signal ? { signal } : {} },
  }
  const { read, comparison, freshness } = await readPlan(plan, (ask, compares, arrives) =>
    readLevels({ plan, identity, ...found, rights, wanted }, ask, compares, arrives),
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
    changedTerms: async () =>
      dependsOnTerms(identity) && found.contentIds === undefined
        ? readChangedTerms(reader, scope, compared, range)
        : [],
    factors: namedParts(change, factorParts(identity, read.all), part => factorLabel(identity, part)),
    dimensions: read.dimensions.map(found => ({
      dimension: found.dimension,
      parts: namedParts(change, found.parts, part => labels.labelOf(found, part)),
    })),
    ...freshness,
  }
}

interface FoundSubject {
  readonly scope: ReportScope
  readonly subject: ChangeSubject
  readonly subjectRows: SubjectRows
  readonly contentIds: readonly bigint[] | undefined
}

/** The rows that the viewer may sum under the filter; undefined when there are none. */
async function readSubject(
  { database }: ReportSources,
  { filter, contentIds, master = { words: [], feedIds: undefined }, subject = 'publisher' }: ChangeRequest,
  viewer: Scope,
): Promise<FoundSubject | undefined> {
  // Videos have no labels, so a label filter matches none.
  if (subject === 'video' && filter.labels) return undefined
  const kind = subject === 'video' ? VIDEOS : ARTICLES
  const [scope, matching] = await Promise.all([
    readReportScope(database.reader(viewer), viewer, filter),
    subject === 'publisher' ? undefined : readMatchingItems(database, viewer, kind, master),
  ])
  const ids = matching && contentIds ? contentIds.filter(id => matching.includes(id)) : (contentIds ?? matching)
  const chosen = subject === 'publisher' ? undefined : ids
  if (scope.entries.length === 0 || chosen?.length === 0) return undefined
  return { scope, subject, contentIds: chosen, subjectRows: rowsOfSubject(subject, chosen) }
}

interface ReadingLevels extends FoundSubject {
  readonly plan: ReportPlan<PlannedRows>
  readonly identity: MetricIdentity
  readonly rights: ChangeRights
  readonly wanted: WantedLevels
}

interface ReadLevels {
  readonly all: Sides
  readonly dimensions: readonly ReadDimension[]
}

async function readLevels(
  { plan: { rows, columns }, identity, subject, subjectRows, contentIds, rights, wanted }: ReadingLevels,
  ask: Query,
  compares: Promise<PlannedComparison<PlannedRows>>,
  arrives: Promise<Arrival>,
): Promise<ReadLevels | undefined> {
  const [comparison, arrival] = await Promise.all([compares, arrives])
  const earlier = comparison.rows
  if (!earlier) return undefined
  const both = <T>(read: (query: PlannedRows) => Promise<T>) => Promise.all([read(rows), read(earlier)])
  const figures = figuresOf(identity)
  const sumsOf = (row: Row) => sumsOfRow(row, figures, subjectRows.columns)
  const [now, before] = (await both(query => ask(subjectRows.mediumDays(query, columns)))).map(found =>
    found.map(row => ({ mediumId: row.medium_id as bigint, date: row.date as Day, sums: sumsOf(row) })),
  ) as [MediumDay[], MediumDay[]]
  const byDay: BothRanges = { now, before }
  const all = { now: totalOf(now), before: totalOf(before) }
  if (before.length === 0 || differenceOf(identity, all) === undefined) return undefined
  if (!wanted.dimensions) return { all, dimensions: [] }
  const reading = { ask, identity, contentIds, all, arrival, limit: MAX_MEMBERS, rows: { now: rows, before: earlier } }
  const [[ofNow, ofBefore], delivered, ...contents] = await Promise.all([
    both(query => ask(subjectRows.publishers(query, columns))),
    both(query => ask(deliveredDays(withDaysAround(query.range), rows.scope.mediumIds, subjectRows.arrivalTable))),
    ...readContents(reading, contentsWithin(subject, rows.scope, rights)),
  ])
  const publishers = sidesBy(ofNow, ofBefore, row => String(row.publisher), sumsOf)
  const days = comparedDays(rows.range, comparison.daysOf)
  const deliveredOn = new Set(delivered.flat().map(row => deliveredKey(row.medium_id as bigint, row.date as Day)))
  const missing = missingMembers(byDay, days, deliveredOn, arrival.media)
  const partsOf = ({ members, ofMembers }: ContentMembers) => {
    const parts = memberParts(identity, all, members, MAX_MEMBERS, ofMembers)
    return isWhole(members, parts) ? [] : parts
  }
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

/** The content dimensions that fit the rows: a report of articles has no videos, and neither has one filtered by label. */
function contentsWithin(subject: ChangeSubject, { labels }: ReportScope, rights: ChangeRights): ChangeRights {
  return {
    articles: rights.articles && subject !== 'video',
    videos: rights.videos && subject !== 'article' && labels === undefined,
  }
}

/** Whether the dimension has only one member, on both sides: it would only repeat the filter. */
function isWhole(members: readonly Member[], parts: readonly ChangePart[]): boolean {
  return members.length === 1 && parts.every(({ kind }) => kind === 'changed')
}

function readContents(reading: ContentReading, { articles, videos }: ChangeRights) {
  const none = Promise.resolve(undefined)
  return [
    articles ? readContentMembers(reading, 'article') : none,
    videos ? readContentMembers(reading, 'video') : none,
    articles ? readSectionMembers(reading) : none,
  ]
}

/** Marks every day or weekday as `changed`: unlike publishers, they cannot be new or gone. */
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
