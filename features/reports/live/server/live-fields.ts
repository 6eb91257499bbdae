import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { entityInputFields, readEntityFilter } from '../../core/server/entity-argument.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type LiveHour, type LiveToday, readLiveToday } from './live-report.ts'

export function addLiveFields(graph: Graph, sources: ReportSources): void {
  const LiveTodayType = liveTodayType(graph)
  const LiveTodayParam = graph.inputType('LiveTodayParam', {
    fields: entityInputFields,
  })
  graph.queryField('liveToday', t =>
    field(t, {
      type: LiveTodayType,
      args: { param: t.arg({ type: LiveTodayParam }) },
      allow: 'read:list',
      on: 'insight:summary_stats.',
      resolve: (_parent, { param }, _context, permit) => readLiveToday(sources, readEntityFilter(param), permit),
    }),
  )
}

function liveTodayType(graph: Graph) {
  const on = 'insight:summary_stats.' as const
  const Hour = graph.objectRef<LiveHour>('LiveHour').implement({
    on,
    fields: t => ({
      hour: t.exposeInt('hour', { description: '0 to 23, in Asia/Tokyo.' }),
      impressions: t.field({
        type: 'Long',
        resolve: row => row.articleImpressions + row.videoImpressions + row.liveImpressions,
      }),
      clicks: t.field({ type: 'Long', resolve: row => row.articleClicks + row.videoClicks + row.liveClicks }),
      watchCount: t.field({
        type: 'Long',
        resolve: row => row.articleWatchCount + row.videoWatchCount + row.liveWatchCount,
      }),
      articleImpressions: t.expose('articleImpressions', { type: 'Long' }),
      articleClicks: t.expose('articleClicks', { type: 'Long' }),
      articleWatchCount: t.expose('articleWatchCount', { type: 'Long' }),
      videoImpressions: t.expose('videoImpressions', { type: 'Long' }),
      videoClicks: t.expose('videoClicks', { type: 'Long' }),
      videoWatchCount: t.expose('videoWatchCount', { type: 'Long' }),
      liveImpressions: t.expose('liveImpressions', { type: 'Long' }),
      liveClicks: t.expose('liveClicks', { type: 'Long' }),
      liveWatchCount: t.expose('liveWatchCount', { type: 'Long' }),
    }),
  })
  return graph.objectRef<LiveToday>('LiveToday').implement({
    on,
    description: 'The running day by hour, from the event stream.',
    fields: t => ({
      date: t.expose('date', { type: 'Date' }),
      hours: t.field({
        type: [Hour],
        description: 'One per hour that has begun; empty when no event is known of today or yesterday.',
        resolve: live => [...live.hours],
      }),
      yesterday: t.field({
        type: [Hour],
        description: 'All hours of the day before.',
        resolve: live => [...live.yesterday],
      }),
      lastWeek: t.field({
        type: [Hour],
        description: 'All hours of the same weekday of last week; empty when no event of it is kept.',
        resolve: live => [...live.lastWeek],
      }),
      arrivedAt: t.expose('arrivedAt', { type: 'DateTime', nullable: true }),
    }),
  })
}
