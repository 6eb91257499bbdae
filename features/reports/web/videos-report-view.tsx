import { useApolloClient } from '@apollo/client/react'
import type { ChartSeries } from '@pc/ui/chart/time-series.tsx'
import type { ScreenProps } from '@pc/ui/define-route.ts'
import { formatInteger, formatShare } from '@pc/ui/format.ts'
import { orderOfSort } from '@pc/ui/list/list-order.ts'
import { loadAll } from '@pc/ui/list/load-all.ts'
import { CONTENT_PAGE_SIZE, VIDEO_DATE_ORDERS, VIDEO_ORDERS, type VideosCondition } from '../content-condition.ts'
import { videoReportPath } from '../links.ts'
import { duration, type VideoFigures, videoFigures } from './content-figures.ts'
import { ContentList } from './content-list.tsx'
import { videosReportQuery } from './content-query.ts'
import type { Tile } from './report-figures.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { type VideoRowFragment, VideosReportDocument, type VideosReportQuery } from './videos-report.gen.ts'

export const VIDEO_SERIES: readonly ChartSeries[] = [
  { key: 'watch', label: '再生数', unit: '回', shape: 'bar', color: 'var(--series-3)' },
  { key: 'watch3s', label: '3秒再生数', unit: '回', shape: 'line', color: 'var(--series-2)' },
]

export function videoSeriesValues(row: VideoRowFragment | undefined): Record<string, number | null> {
  return { watch: row?.watch ?? null, watch3s: row?.watch3s ?? null }
}

export function videoTiles(totals: VideoRowFragment): readonly Tile[] {
  const before = totals.compared
  return [
    { label: '再生数', text: formatInteger(totals.watch), unit: '回', now: totals.watch, before: before?.watch },
    {
      label: '3秒再生数',
      text: formatInteger(totals.watch3s),
      unit: '回',
      now: totals.watch3s,
      before: before?.watch3s,
    },
    { label: '再生時間', text: duration(totals.play_time), now: totals.play_time, before: before?.play_time },
    {
      label: '平均再生時間',
      text: duration(totals.average_play_time),
      now: totals.average_play_time,
      before: before?.average_play_time,
    },
    {
      label: '97%再生率',
      text: formatShare(totals.watch97p, totals.watch),
      now: totals.average_watch97p,
      before: before?.average_watch97p,
    },
    {
      label: '収益',
      text: formatInteger(totals.publisherTotalRevenue),
      unit: '円',
      now: totals.publisherTotalRevenue,
      before: before?.publisherTotalRevenue,
    },
  ]
}

/** Videos, or the days of all videos. */
export function VideosReportView(props: ScreenProps<VideosCondition, VideosReportQuery>) {
  const { condition, setCondition, data, viewer, today } = props
  const client = useApolloClient()
  const isByDate = condition.groupBy === 'date'
  const hasDetail = viewer.can('read:show', 'insight:revenue_detail.')
  return (
    <ContentList<VideoFigures, VideoRowFragment>
      title="動画レポート"
      noun="動画"
      condition={condition}
      onChange={setCondition}
      isByDate={isByDate}
      onGroup={byDate => setCondition({ groupBy: byDate ? 'date' : 'video', page: 1 })}
      order={isByDate ? condition.dateOrder : condition.order}
      onSort={sort => {
        const order = orderOfSort(sort, VIDEO_ORDERS)
        const dateOrder = orderOfSort(sort, VIDEO_DATE_ORDERS)
        if (isByDate && dateOrder) setCondition({ dateOrder, page: 1 })
        else if (!isByDate && order) setCondition({ order, page: 1 })
      }}
      pageSize={isByDate ? 1000 : CONTENT_PAGE_SIZE}
      stats={data?.stats}
      figures={videoFigures(hasDetail)}
      tiles={videoTiles}
      series={VIDEO_SERIES}
      seriesValues={videoSeriesValues}
      idOf={row => row.videoId ?? ''}
      pathOf={row => videoReportPath(row.videoId ?? '', row.publisherId ?? '')}
      picture={row => <Thumbnail url={row.thumbnailURL} />}
      moreColumns={[{ id: 'duration', header: '長さ', isFigure: true, cell: row => duration(row.duration) }]}
      moreCsv={[{ header: '長さ（秒）', cell: row => row.duration }]}
      fileName="videos"
      loadAll={() =>
        loadAll(async page => {
          const variables = { ...videosReportQuery.variables(condition, { today, viewer }), ...page }
          return (await client.query({ query: VideosReportDocument, variables })).data?.stats
        })
      }
      viewer={viewer}
      today={today}
      isLoading={props.isLoading}
      error={props.error}
      retry={props.retry}
    />
  )
}
