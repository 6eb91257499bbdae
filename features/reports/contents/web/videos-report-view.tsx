import type { ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { isSortableBy } from '@pc/ui/list/list-order.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import {
  VIDEO_DATE_ORDERS,
  VIDEO_ORDERS,
  VIDEOS_TABLES,
  type VideosCondition,
  videosCondition,
} from '../../content-condition.ts'
import { VIDEO_METRICS } from '../../core/web/explanation.tsx'
import { figureText } from '../../core/web/figure-text.ts'
import { useReportTools } from '../../core/web/report-tools.tsx'
import { Thumbnail } from '../../core/web/thumbnail.tsx'
import type { Tile } from '../../core/web/tiles.tsx'
import { videoReportPath } from '../../links.ts'
import { VIDEO_COLUMNS } from '../../video-columns.ts'
import { VIDEO_VALUES, type VideoFigures } from './content-figures.ts'
import { ContentList, type ContentTable } from './content-list.tsx'
import { contentOrder } from './content-order.ts'
import type { VideoRowFragment, VideosReportQuery } from './videos-report.gen.ts'

export const VIDEO_SERIES: readonly ChartSeries[] = [
  { key: 'watch', label: '再生数', unit: '回', shape: 'bar', color: 'var(--series-3)' },
  { key: 'watch3s', label: '3秒再生数', unit: '回', shape: 'line', color: 'var(--series-2)' },
]

export function videoSeriesValues(row: VideoFigures | undefined): Record<string, number | null> {
  return { watch: row?.watch ?? null, watch3s: row?.watch3s ?? null }
}

export function videoTiles(totals: VideoRowFragment | undefined): readonly Tile[] {
  const before = totals?.compared
  return [
    { id: 'WATCH', label: '再生数', unit: 'count', suffix: '回', now: totals?.watch, before: before?.watch },
    { id: 'WATCH3S', label: '3秒再生数', unit: 'count', suffix: '回', now: totals?.watch3s, before: before?.watch3s },
    { id: 'PLAYTIME', label: '再生時間', unit: 'seconds', now: totals?.play_time, before: before?.play_time },
    {
      id: 'AVERAGEPLAYTIME',
      label: '平均再生時間',
      unit: 'seconds',
      now: totals?.average_play_time,
      before: before?.average_play_time,
    },
    {
      id: 'AVERAGEWATCH97P',
      label: '97%再生率',
      unit: 'percent',
      now: totals?.average_watch97p,
      before: before?.average_watch97p,
    },
    {
      id: 'REVENUE',
      label: '収益',
      unit: 'yen',
      suffix: '円',
      now: totals?.publisherTotalRevenue,
      before: before?.publisherTotalRevenue,
    },
  ]
}

const VIDEOS: ContentTable<VideoFigures, VideoRowFragment> = {
  ...{ title: '動画レポート', noun: '動画', report: 'videos', values: VIDEO_VALUES, metrics: VIDEO_METRICS },
  isSortable: isSortableBy(VIDEO_ORDERS),
  ...{ tiles: videoTiles, series: VIDEO_SERIES, seriesValues: videoSeriesValues },
  ...{ of: 'video', ownFilter: row => ({ contentIds: [row.videoId ?? ''] }) },
  idOf: row => row.videoId ?? '',
  pathOf: row => videoReportPath(row.videoId ?? '', row.publisherId ?? ''),
  picture: row => <Thumbnail url={row.thumbnailURL} />,
  moreCells: { duration: row => figureText('seconds', row.duration) },
}

/** The videos report, by video or period. */
export function VideosReportView(props: ScreenProps<VideosCondition, VideosReportQuery>) {
  const { condition, setCondition, data, viewer, today } = props
  const report = condition.groupBy === 'date' ? 'videos-by-date' : 'videos'
  const tools = useReportTools({
    ...{ screen: 'videos', tables: VIDEOS_TABLES, definition: videosCondition },
    ...{ report, allColumns: VIDEO_COLUMNS[report], condition, setCondition, viewer },
  })
  return (
    <ContentList<VideoFigures, VideoRowFragment>
      table={VIDEOS}
      condition={condition}
      onChange={setCondition}
      onGroup={group => setCondition({ groupBy: group === 'date' ? 'date' : 'video', page: 1 })}
      {...contentOrder(condition, setCondition, VIDEO_ORDERS, VIDEO_DATE_ORDERS)}
      stats={data?.stats}
      tools={tools}
      viewer={viewer}
      today={today}
      isLoading={props.isLoading}
      error={props.error}
      retry={props.retry}
    />
  )
}
