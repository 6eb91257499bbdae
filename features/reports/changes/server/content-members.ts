import { figureOf, type Member, type Sides } from '@pc/domain/change/change-parts.ts'
import { magnitude } from '@pc/domain/money/yen.ts'
import { type BaseFigure, figuresOf, type MetricIdentity } from '@pc/domain/report/metric-identity.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { type Arrival, readArrival } from '../../core/server/arrival.ts'
import { ARTICLES, type ContentKind, VIDEOS } from '../../core/server/content-kind.ts'
import { type ContentQuery, contentTotals, hasFewRows } from '../../core/server/content-sql.ts'
import type { PlannedRows } from '../../core/server/report-plan.ts'
import { type ComparedContents, type ContributionOrder, largestContributions, sectionSums } from './change-sql.ts'
import { ARTICLE_COLUMNS, type ContentColumns, columnsOf, sumsOfRow, VIDEO_COLUMNS } from './figure-columns.ts'

/** The articles, videos or sections that contribute most, and the sums over all of them on both sides. */
export interface ContentMembers {
  readonly members: readonly Member[]
  readonly ofMembers: Sides
}

export interface ComparedRows {
  readonly now: PlannedRows
  readonly before: PlannedRows
}
export interface ContentReading {
  readonly ask: Query
  readonly identity: MetricIdentity
  readonly rows: ComparedRows
  /** Restricts the contents; undefined: all of them. */
  readonly contentIds: readonly bigint[] | undefined
  /** The sums of the whole report on both sides. */
  readonly all: Sides
  /** The arrival of the report's rows: contents are compared only when they arrived for the same days. */
  readonly arrival: Arrival
  readonly limit: number
}

const CONTENTS = {
  article: { kind: ARTICLES as ContentKind, columns: ARTICLE_COLUMNS },
  video: { kind: VIDEOS as ContentKind, columns: VIDEO_COLUMNS },
} as const

/**
 * The contents that contribute most. Undefined when contents lack the figure, or when their days did not arrive as far as
 * those of publishers.
 * Tested by `features/reports/changes/server/change-report.test.ts`.
 */
export async function readContentMembers(
  reading: ContentReading,
  name: keyof typeof CONTENTS,
): Promise<ContentMembers | undefined> {
  const { ask, identity, all, limit } = reading
  const { kind, columns } = CONTENTS[name]
  const figures = figuresIn(identity, columns)
  if (figures === undefined || !(await hasArrivedAlike(reading, kind))) return undefined
  const contents = contentsOf(reading, kind)
  const names = columnsOf(figures, columns)
  const [rows, ofMembers] = await Promise.all([
    ask(largestContributions(contents, names, contributionOrder(identity, columns, all), limit)),
    readTotals(ask, contents, figures, columns),
  ])
  const members = rows.map(row => ({
    id: `${row.item}:${row.publisher}`,
    now: sumsOfRow(row, figures, columns, 'now_'),
    before: sumsOfRow(row, figures, columns, 'before_'),
  }))
  return { members, ofMembers }
}

/** Contributions by section. Undefined also when the report has many rows, because each is joined with its section. */
export async function readSectionMembers(reading: ContentReading): Promise<ContentMembers | undefined> {
  const { ask, identity } = reading
  const { kind, columns } = CONTENTS.article
  const figures = figuresIn(identity, columns)
  const contents = contentsOf(reading, kind)
  const isFew = (query: ContentQuery) => query.itemIds !== undefined || hasFewRows(query)
  if (figures === undefined || !isFew(contents.now) || !isFew(contents.before)) return undefined
  if (!(await hasArrivedAlike(reading, kind))) return undefined
  const names = columnsOf(figures, columns)
  const [now, before] = await Promise.all([
    ask(sectionSums(contents.now, names)),
    ask(sectionSums(contents.before, names)),
  ])
  const ids = [...new Set([...now, ...before].map(row => row.of_label as bigint))]
  const of = (rows: typeof now, id: bigint) =>
    sumsOfRow(
      rows.find(row => row.of_label === id),
      figures,
      columns,
    )
  const members = ids.map(id => ({ id: String(id), now: of(now, id), before: of(before, id) }))
  return { members, ofMembers: await readTotals(ask, contents, figures, columns) }
}

/** The metric's figures that contents have; undefined when they have none of its summands, or lack its divisor. */
function figuresIn(identity: MetricIdentity, columns: ContentColumns): readonly BaseFigure[] | undefined {
  const { of, less = [], per } = identity
  const has = (figures: readonly BaseFigure[]) => figures.some(figure => columns[figure] !== undefined)
  if (!has([...of, ...less]) || (per && !has(per))) return undefined
  return figuresOf({ ...identity, products: [] }).filter(figure => columns[figure] !== undefined)
}

function contentsOf({ rows, contentIds }: ContentReading, kind: ContentKind): ComparedContents {
  const of = (side: PlannedRows) => ({ ...side, kind, itemIds: contentIds })
  return { now: of(rows.now), before: of(rows.before) }
}

/** Whether contents arrived for the same days as the report's rows: a missing day would look like contents that are gone. */
async function hasArrivedAlike({ ask, rows, arrival }: ContentReading, kind: ContentKind): Promise<boolean> {
  const own = await readArrival(ask, kind.mediumDay, rows.now.scope.mediumIds, rows.now.range)
  if (!own.known || !arrival.known || own.known.from > rows.before.range.from) return false
  const { to } = rows.now.range
  const until = arrival.known.to < to ? arrival.known.to : to
  const textOf = ({ missing }: Arrival) => missing.map(({ mediumId, from }) => `${mediumId} ${from}`).join()
  return own.known.to >= until && textOf(own) === textOf(arrival)
}

async function readTotals(
  ask: Query,
  { now, before }: ComparedContents,
  figures: readonly BaseFigure[],
  columns: ContentColumns,
): Promise<Sides> {
  const names = columnsOf(figures, columns)
  const [later, earlier] = await Promise.all([now, before].map(query => ask(contentTotals(query, names, new Map()))))
  return { now: sumsOfRow(later?.[0], figures, columns), before: sumsOfRow(earlier?.[0], figures, columns) }
}

/** Weights stay below 2^31, so that their products with sums fit 128 bits. */
const MAX_WEIGHT_BITS = 31

/**
 * The change of a ratio N/D is proportional to ΔN·(D before + D now) − ΔD·(N before + N now), so the sums of both sides are the
 * weights. A metric without divisor is ordered by ΔN.
 */
function contributionOrder(
  identity: MetricIdentity,
  columns: ContentColumns,
  { before, now }: Sides,
): ContributionOrder {
  const { of, less = [], per = [] } = identity
  const [numeratorWeight, divisorWeight] =
    per.length === 0
      ? [1n, 0n]
      : scaled(
          figureOf(before, per) + figureOf(now, per),
          figureOf(before, of) + figureOf(now, of) - figureOf(before, less) - figureOf(now, less),
        )
  return {
    added: columnsOf(of, columns),
    subtracted: columnsOf(less, columns),
    divisors: columnsOf(per, columns),
    ...{ numeratorWeight, divisorWeight },
  }
}

/** Shifts both weights by the same number of bits, which keeps their proportion. */
function scaled(a: bigint, b: bigint): [bigint, bigint] {
  const largest = magnitude(a) > magnitude(b) ? magnitude(a) : magnitude(b)
  const shift = BigInt(Math.max(0, largest.toString(2).length - MAX_WEIGHT_BITS))
  return [a >> shift, b >> shift]
}
