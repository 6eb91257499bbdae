import { averagePlayTime, averageWatch97p } from '@pc/domain/report/metric.ts'
import { field, type Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import { VIDEOS } from '../../core/server/content-kind.ts'
import type { ComparedSums } from '../../core/server/figure-sums.ts'
import { lateMediaField } from '../../core/server/late-medium-type.ts'
import { orderNames } from '../../core/server/report-order.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { PersonCell, WatchTimeCell } from './content-cells.ts'
import {
  CONTENT_ORDERS,
  type ContentTypes,
  contentParamFields,
  contentRowFields,
  countField,
  type HasSums,
  REPORTED_CONTENT,
  reportedContentType,
  sharedFigureFields,
  sumOf,
  wantedOf,
} from './content-fields.ts'
import type { ContentFigures } from './content-figures.ts'
import { type ContentReport, readContent } from './content-report.ts'
import { contentOrderNames, parseContentRequest } from './content-request.ts'

const MS_PER_SECOND = 1000n
const on = 'insight:video_stats.' as const

export function addVideoFields(graph: Graph, sources: ReportSources, types: ContentTypes): void {
  const VideoStatsList = videoListType(graph, types)
  const VideoStatsOrderBy = graph.enumType('VideoStatsOrderBy', {
    values: orderNames(contentOrderNames(VIDEOS)),
    description: CONTENT_ORDERS,
  })
  const VideoStatsGroupBy = graph.enumType('VideoStatsGroupBy', { values: ['video', 'date'] as const })
  const VideoStatsParam = graph.inputType('VideoStatsParam', {
    fields: t => ({
      ...contentParamFields(t, types.enums, 'videos'),
      groupBy: t.field({ type: VideoStatsGroupBy, required: true, defaultValue: 'video' }),
      videoIds: t.idList(),
    }),
  })
  graph.queryField('videoStats', t =>
    field(t, {
      type: VideoStatsList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: VideoStatsOrderBy, description: 'Default: IMPRESSION_DESC, by date DATE_ASC.' }),
        param: t.arg({ type: VideoStatsParam, required: true }),
      },
      allow: 'read:list',
      on,
      resolve(_parent, { limit, offset, orderBy, param }, context, permit, info) {
        const groupBy = param.groupBy === 'date' ? 'date' : 'item'
        const request = parseContentRequest(VIDEOS, {
          limit,
          offset,
          orderBy,
          param: { ...param, groupBy, itemIds: param.videoIds },
        })
        const content = { ...acceptedValue(request), ...wantedOf(info) }
        return readContent(sources, content, permit, context.signal)
      },
    }),
  )
}

/** Figures of videos, in the spelling of the API (`play_time`). */
function videoFigureFields<Row extends HasSums>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  ContentRevenueDetail: ContentTypes['ContentRevenueDetail'],
) {
  return {
    ...sharedFigureFields(t, ContentRevenueDetail),
    watch3s: countField(t, 'watch3s'),
    play_time: t.field({
      type: 'Long',
      description: 'Seconds, rounded down once per value.',
      resolve: row => sumOf(row, 'play_time_ms') / MS_PER_SECOND,
    }),
    average_play_time: t.float({
      nullable: true,
      description: 'Seconds per watch; null without watches.',
      resolve: row => averagePlayTime(sumOf(row, 'play_time_ms'), sumOf(row, 'watch')),
    }),
    watch97p: countField(t, 'watch97p'),
    average_watch97p: t.float({
      nullable: true,
      description: 'Watches that reached 97 % of the video per watch; null without watches.',
      resolve: row => averageWatch97p(sumOf(row, 'watch97p'), sumOf(row, 'watch')),
    }),
  }
}

function videoListType(graph: Graph, { ContentRevenueDetail, LateMedium }: ContentTypes) {
  const { VideoDemographic, VideoWatchTime } = distributionTypes(graph)
  const Compared = graph.objectRef<ComparedSums>('ComparedVideoStats').implement({
    on,
    fields: t => ({
      from: t.expose('from', { type: 'Date' }),
      to: t.expose('to', { type: 'Date' }),
      ...videoFigureFields(t, ContentRevenueDetail),
    }),
  })
  const VideoStats = graph.objectRef<ContentFigures>('VideoStats').implement({
    on,
    description: 'The figures of one video (groupBy video) or of one day, Sunday week or month (groupBy date).',
    fields: t => ({
      videoId: t.expose('itemId', {
        type: 'ID',
        nullable: true,
        description: 'By date: set when the filter names exactly one.',
      }),
      ...contentRowFields(t),
      thumbnailURL: t.string({ nullable: true, resolve: row => row.master?.thumbnailUrl ?? null }),
      duration: t.int({
        nullable: true,
        description: 'Seconds.',
        resolve: row => row.master?.durationSeconds ?? null,
      }),
      ...videoFigureFields(t, ContentRevenueDetail),
      compared: t.expose('compared', { type: Compared, nullable: true }),
      demographics: t.field({ type: [VideoDemographic], resolve: async row => [...(await row.demographics())] }),
      watchTimes: t.field({ type: [VideoWatchTime], resolve: async row => [...(await row.watchTimes())] }),
    }),
  })
  const ReportedVideo = reportedContentType(graph, 'ReportedVideo', on)
  return graph.objectRef<ContentReport>('VideoStatsList').implement({
    on,
    fields: t => ({
      total: t.exposeInt('total', { description: 'Number of videos, or of periods, that have data.' }),
      nodes: t.expose('nodes', { type: [VideoStats] }),
      totals: t.expose('totals', {
        type: VideoStats,
        nullable: true,
        description: 'Over the whole filter, independent of limit and offset; null when there is no data.',
      }),
      dataUntil: t.expose('dataUntil', { type: 'Date', nullable: true }),
      lateMedia: lateMediaField(t, LateMedium),
      content: t.expose('content', { type: ReportedVideo, nullable: true, description: REPORTED_CONTENT }),
    }),
  })
}

function distributionTypes(graph: Graph) {
  const VideoDemographic = graph.objectRef<PersonCell>('VideoDemographic').implement({
    on,
    description: 'By gender and age, ids from 1 (0 is unknown).',
    fields: t => ({
      genderId: t.exposeInt('genderId'),
      ageId: t.exposeInt('ageId'),
      click: t.expose('click', { type: 'Long' }),
      watch3s: t.expose('watch3s', { type: 'Long' }),
    }),
  })
  const VideoWatchTime = graph.objectRef<WatchTimeCell>('VideoWatchTime').implement({
    on,
    description: 'Bucket n counts watches of 10·n to under 10·(n + 1) percent of the video; 10: all of it and longer.',
    fields: t => ({ bucketId: t.exposeInt('bucketId'), watch: t.expose('watch', { type: 'Long' }) }),
  })
  return { VideoDemographic, VideoWatchTime }
}
