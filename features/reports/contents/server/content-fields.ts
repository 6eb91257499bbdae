import { clickThroughRate, effectiveRate, revenuePerMille } from '@pc/domain/report/metric.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import { field, type Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { asksFor } from '@pc/platform/graphql/requested-fields.ts'
import type { GraphQLResolveInfo } from 'graphql'
import { COMPLETION, CONTENT_REVENUE_COLUMN, ENGAGED_TIME } from '../../core/server/content-kind.ts'
import { filterInputFields } from '../../core/server/entity-argument.ts'
import { columnsOfFields, type Sums, sumOfColumns } from '../../core/server/figure-sums.ts'
import { changeInputFields, type ReportEnums } from '../../core/server/report-enums.ts'
import type { ReportTypes } from '../../core/server/report-graph.ts'
import type { ContentFigures } from './content-figures.ts'
import type { ReportedContent } from './content-report.ts'

const REVENUE = 'publisher_revenue_micro_yen'
/** The statistics columns that each GraphQL field is computed from. */
const FIELD_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  impression: ['impression'],
  click: ['click'],
  ctr: ['click', 'impression'],
  watch: ['watch'],
  publisherTotalRevenue: [REVENUE],
  rpm: [REVENUE, 'impression'],
  revenueDetail: [REVENUE, CONTENT_REVENUE_COLUMN],
  engagedTime: [ENGAGED_TIME.sum, ENGAGED_TIME.watches],
  averageEngagedTime: [ENGAGED_TIME.sum, ENGAGED_TIME.watches],
  completions: [COMPLETION.sum, COMPLETION.watches],
  completionRate: [COMPLETION.sum, COMPLETION.watches],
  watch3s: ['watch3s'],
  play_time: ['play_time_ms'],
  average_play_time: ['play_time_ms', 'watch'],
  watch97p: ['watch97p'],
  average_watch97p: ['watch97p', 'watch'],
}

/** What the query's selected fields need; everything else is not read. */
export const wantedOf = (info: GraphQLResolveInfo) => ({
  wantedColumns: columnsOfFields(info, FIELD_COLUMNS),
  wantsPublisherNames: asksFor(info, 'publisherName'),
})

/** A row of a report, or the compared figures of one. */
export interface HasSums {
  readonly sums: Sums
}

export const sumOf = ({ sums }: HasSums, column: string): bigint => sumOfColumns(sums, column)
const revenueMicroYen = (row: HasSums) => sumOf(row, REVENUE)
const grossMicroYen = (row: HasSums) => sumOf(row, CONTENT_REVENUE_COLUMN)

export interface ContentTypes extends ReportTypes {
  readonly ContentRevenueDetail: ReturnType<typeof contentRevenueType>
}

export function contentRevenueType(graph: Graph) {
  return graph.objectRef<HasSums>('ContentRevenueDetail').implement({
    on: 'insight:revenue_detail.',
    description: 'What the platform earned with an article or video. Yen, rounded down once per value.',
    fields: t => ({
      productAdsRevenue: t.field({ type: 'Long', resolve: row => shownYen(grossMicroYen(row)) }),
      retainedRevenue: t.field({
        type: 'Long',
        description: 'productAdsRevenue less publisherTotalRevenue.',
        resolve: row => shownYen(grossMicroYen(row)) - shownYen(revenueMicroYen(row)),
      }),
      effectiveRate: t.float({
        nullable: true,
        description: "The publisher's part of productAdsRevenue; null when nothing was earned.",
        resolve: row => effectiveRate(revenueMicroYen(row), grossMicroYen(row)),
      }),
    }),
  })
}

/** The figures that articles and videos share. Count fields are named like the columns of the statistics store. */
export function sharedFigureFields<Row extends HasSums>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  ContentRevenueDetail: ContentTypes['ContentRevenueDetail'],
) {
  return {
    impression: countField(t, 'impression'),
    click: countField(t, 'click'),
    ctr: t.float({
      nullable: true,
      description: 'Clicks per impression; null without impressions.',
      resolve: row => clickThroughRate(sumOf(row, 'click'), sumOf(row, 'impression')),
    }),
    watch: countField(t, 'watch'),
    publisherTotalRevenue: t.field({
      type: 'Long',
      description: 'Yen, rounded down once per value.',
      resolve: row => shownYen(revenueMicroYen(row)),
    }),
    rpm: t.float({
      nullable: true,
      description: 'Yen of publisherTotalRevenue per 1,000 impressions; null without impressions.',
      resolve: row => revenuePerMille(revenueMicroYen(row), sumOf(row, 'impression')),
    }),
    revenueDetail: field(t, {
      type: ContentRevenueDetail,
      nullable: true,
      description: 'Staff only.',
      allow: 'read:show',
      on: 'insight:revenue_detail.',
      resolve: row => row,
    }),
  }
}

export function countField<Row extends HasSums>(t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>, column: string) {
  return t.field({ type: 'Long', resolve: row => sumOf(row, column) })
}

/** The fields of a row besides its figures and its id, whose name differs between articles and videos. */
export function contentRowFields(t: PothosSchemaTypes.ObjectFieldBuilder<Types, ContentFigures>) {
  return {
    date: t.expose('date', {
      type: 'Date',
      nullable: true,
      description: 'First day of the period (for the totals: of the filter); null by article or video.',
    }),
    days: t.exposeInt('days', { description: 'Days of the filter that the row covers.' }),
    daysWithData: t.exposeInt('daysWithData', { nullable: true, description: 'Null by article or video.' }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False while the period still runs (its last day is not over in Asia/Tokyo).',
    }),
    hasBeenFinalized: t.exposeBoolean('hasBeenFinalized', {
      description: 'True when all data of the row belongs to finalised months of their media.',
    }),
    publisherId: t.expose('publisherId', { type: 'ID', nullable: true }),
    publisherName: t.string({
      nullable: true,
      description: 'Null where the row has no single publisher, or none that the viewer may see.',
      resolve: row => row.publisherName(),
    }),
    mediumId: t.expose('mediumId', { type: 'ID', nullable: true }),
    title: t.string({
      nullable: true,
      description: 'Null when no master data has arrived.',
      resolve: row => row.master?.title ?? null,
    }),
    url: t.string({ nullable: true, resolve: row => row.master?.url ?? null }),
    publishedAt: t.field({ type: 'DateTime', nullable: true, resolve: row => row.master?.publishedAt ?? null }),
    createdAt: t.field({ type: 'DateTime', nullable: true, resolve: row => row.master?.createdAt ?? null }),
  }
}

/** The type of the article or video when the filter names exactly one. */
export function reportedContentType(
  graph: Graph,
  name: 'ReportedArticle' | 'ReportedVideo',
  on: 'insight:article_stats.' | 'insight:video_stats.',
) {
  return graph.objectRef<ReportedContent>(name).implement({
    on,
    fields: t => ({
      title: t.string({ resolve: ({ master }) => master.title }),
      url: t.string({ resolve: ({ master }) => master.url }),
      publisherId: t.field({ type: 'ID', resolve: ({ master }) => master.publisherId }),
      publisherName: t.string({ nullable: true, resolve: content => content.publisherName() }),
      mediumId: t.field({ type: 'ID', resolve: ({ master }) => master.mediumId }),
      publishedAt: t.field({ type: 'DateTime', resolve: ({ master }) => master.publishedAt }),
      thumbnailURL: t.string({ nullable: true, resolve: ({ master }) => master.thumbnailUrl }),
      duration: t.int({ nullable: true, description: 'Seconds.', resolve: ({ master }) => master.durationSeconds }),
    }),
  })
}
export const REPORTED_CONTENT =
  'Where the filter names one: what is known of it, also where the days have no data of it. Null when no master data has arrived.'

export const CONTENT_ORDERS =
  'DATE is for groupBy date. CREATEDAT and UPDATEDAT: when it was delivered first, and when a delivery changed it last; what ' +
  'nobody delivered comes last. Periods have neither an id nor such a moment: ID, CREATEDAT and UPDATEDAT are DATE there; ' +
  'of authors, sections and tags they are ID.'

/** Arguments of both `articleStats` and `videoStats`, besides `groupBy` and the ids. */
export function contentParamFields<Report extends 'articles' | 'videos'>(
  t: InputFields,
  enums: ReportEnums,
  report: Report,
) {
  const { Granularity, Comparison } = enums
  return {
    from: t.field({ type: 'Date', required: true }),
    to: t.field({ type: 'Date', required: true }),
    granularity: t.field({
      type: Granularity,
      required: true,
      defaultValue: 'daily',
      description: 'Of the periods, by date.',
    }),
    compareWith: t.field({ type: Comparison }),
    ...filterInputFields(t, report),
    title: t.string({ description: 'Words that the title has to contain, in any order.' }),
    ...changeInputFields(t, enums),
  }
}
type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>
