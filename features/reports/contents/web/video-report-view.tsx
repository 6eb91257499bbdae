import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { type ContentCondition, contentCondition, VIDEO_DATE_ORDERS } from '../../content-condition.ts'
import { Demographics } from '../../core/web/demographics.tsx'
import { VIDEO_METRICS } from '../../core/web/explanation.tsx'
import { figureText } from '../../core/web/figure-text.ts'
import { publisherOfContent } from '../../core/web/publisher-links.ts'
import { useReportTools } from '../../core/web/report-tools.tsx'
import { Thumbnail } from '../../core/web/thumbnail.tsx'
import { VIDEOS_REPORT_PATH } from '../../links.ts'
import { VIDEO_COLUMNS } from '../../video-columns.ts'
import { ContentDetail } from './content-detail.tsx'
import { VIDEO_VALUES, type VideoFigures } from './content-figures.ts'
import { ContentHeading } from './content-heading.tsx'
import type { VideoReportQuery, VideoRowFragment } from './videos-report.gen.ts'
import { VIDEO_SERIES, videoSeriesValues, videoTiles } from './videos-report-view.tsx'
import { WatchTimeChart } from './watch-time-chart.tsx'

/** The report of one video. */
export function VideoReportView(props: ScreenProps<ContentCondition, VideoReportQuery>) {
  const { ids, data, viewer } = props
  const stats = data?.stats
  const totals = stats?.totals
  // `content` is set even when the range has no data of the video.
  const about = stats?.content ?? totals
  const { condition, setCondition } = props
  const tools = useReportTools({
    ...{ screen: 'video', tables: ['video'], report: 'video', definition: contentCondition },
    ...{ allColumns: VIDEO_COLUMNS.video, condition, setCondition, viewer },
  })
  const cells = totals?.demographics ?? []
  return (
    <ContentDetail<VideoFigures, VideoRowFragment>
      {...props}
      noun="動画"
      of="video"
      metrics={VIDEO_METRICS}
      stats={stats}
      heading={
        <ContentHeading
          listTitle="動画レポート"
          listPath={VIDEOS_REPORT_PATH}
          title={about?.title ?? (stats ? `動画 ${ids.videoId}` : '動画')}
          url={about?.url}
          publishedAt={about?.publishedAt}
          mediumId={about?.mediumId}
          publisher={publisherOfContent(about, condition)}
          picture={<Thumbnail url={about?.thumbnailURL ?? null} />}
          facts={about ? [{ label: '長さ', text: figureText('seconds', about.duration) }] : []}
        />
      }
      tools={tools}
      itemId={ids.videoId ?? ''}
      publisherId={ids.publisherId ?? ''}
      mediumId={about?.mediumId}
      values={VIDEO_VALUES}
      orders={VIDEO_DATE_ORDERS}
      tiles={videoTiles}
      series={VIDEO_SERIES}
      seriesValues={videoSeriesValues}
      distributions={
        <>
          <WatchTimeChart cells={totals?.watchTimes ?? []} />
          <Demographics
            title="性別・年代別3秒再生数"
            measure="3秒再生数"
            cells={cells.map(cell => ({ ...cell, click: cell.watch3s }))}
          />
          <Demographics cells={cells} />
        </>
      }
      listPath={VIDEOS_REPORT_PATH}
    />
  )
}
