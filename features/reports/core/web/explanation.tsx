import { useLatest } from '@pc/ui/data/use-latest.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import type { ReportColumn } from '../../report-columns.ts'
import type { ChangeMetric } from './change-drawer.gen.ts'
import type { ExplainedFigure } from './change-drawer.tsx'
import type { Why } from './report-figures.tsx'

const ChangeDrawer = lazyPart(async () => (await import('./change-drawer.tsx')).ChangeDrawer)

/** Which figures of a report can be explained. */
export interface ExplainRows<Row> {
  /** Undefined: the figure is not explained. @param row undefined: the totals */
  why(columnId: string, row?: Row, isEntry?: boolean): Why | undefined
}

interface ExplainedReport<Row> {
  /** By the ids of the columns; the same as long as the report is the same. */
  readonly metrics: Readonly<Record<string, ChangeMetric>>
  /** Of the table. */
  readonly columns: readonly ReportColumn[]
  /** What a row (undefined: the totals) is a figure of; undefined: that cannot be asked. */
  readonly figureOf: (row: Row | undefined) => Omit<ExplainedFigure, 'metric'> | undefined
  /** Whether a row can be asked about at all; the same as long as the report is the same. */
  readonly isExplained?: (row: Row | undefined) => boolean
}

/** The drawer that says why a figure of a report changed, and what opens it. */
export function useExplanation<Row>(report: ExplainedReport<Row>): { explain: ExplainRows<Row>; drawer: ReactNode } {
  const { metrics, columns, isExplained } = report
  const [figure, setFigure] = useState<ExplainedFigure>()
  const open = useLatest((metric: ChangeMetric, row: Row | undefined) => {
    const of = report.figureOf(row)
    if (of) setFigure({ ...of, metric })
  })
  const explain = useMemo((): ExplainRows<Row> => {
    const entry = entryColumn(columns, metrics)
    return {
      why(columnId, row, isEntry = columnId === entry) {
        const metric = metrics[columnId]
        if (metric === undefined || isExplained?.(row) === false) return undefined
        return { isEntry, open: () => open(metric, row) }
      },
    }
  }, [metrics, columns, isExplained, open])
  const close = () => setFigure(undefined)
  return {
    explain,
    drawer: figure && (
      <Suspense fallback={null}>
        <ChangeDrawer figure={figure} onClose={close} />
      </Suspense>
    ),
  }
}

/** The first figure that every compared row has: a ratio may have nothing to divide by. */
function entryColumn(columns: readonly ReportColumn[], metrics: Readonly<Record<string, ChangeMetric>>) {
  const explained = columns.filter(({ id }) => metrics[id] !== undefined)
  return (explained.find(({ unit }) => unit === 'count' || unit === 'yen') ?? explained[0])?.id
}

/** Columns of the reports as metrics. */
export const RANKING_METRICS: Readonly<Record<string, ChangeMetric>> = {
  ...{ REVENUE: 'publisherTotalRevenue', GROSSREVENUE: 'grossRevenue', IMPRESSION: 'impressions', CLICK: 'clicks' },
  ...{ CTR: 'ctr', WATCH: 'watchCount', RPM: 'rpm', effectiveRate: 'effectiveRate' },
  ...{ ARTICLEIMPRESSION: 'articleImpressions', ARTICLECLICK: 'articleClicks', ARTICLEWATCH: 'articleWatchCount' },
  ...{ VIDEOIMPRESSION: 'videoImpressions', VIDEOCLICK: 'videoClicks', VIDEOWATCH: 'videoWatchCount' },
  ...{ LIVEIMPRESSION: 'liveImpressions', LIVECLICK: 'liveClicks', LIVEWATCH: 'liveWatchCount' },
  ...{ PRODUCTADSREVENUE: 'productAdsRevenue', SSPREVENUE: 'sspRevenue', VIDEOSSPREVENUE: 'videoSspRevenue' },
  ...{ LIVESSPREVENUE: 'liveSspRevenue', retainedRevenue: 'retainedRevenue' },
}
const CONTENT_METRICS: Readonly<Record<string, ChangeMetric>> = {
  ...{ CTR: 'ctr', REVENUE: 'publisherTotalRevenue', RPM: 'rpm', gross: 'productAdsRevenue' },
  ...{ effectiveRate: 'effectiveRate', retainedRevenue: 'retainedRevenue' },
}
export const ARTICLE_METRICS: Readonly<Record<string, ChangeMetric>> = {
  ...CONTENT_METRICS,
  ...{ IMPRESSION: 'articleImpressions', CLICK: 'articleClicks', WATCH: 'articleWatchCount' },
  ...{ ENGAGEDTIME: 'articleEngagedTime', AVERAGEENGAGEDTIME: 'averageEngagedTime' },
  ...{ COMPLETION: 'articleCompletions', COMPLETIONRATE: 'completionRate' },
}
export const VIDEO_METRICS: Readonly<Record<string, ChangeMetric>> = {
  ...CONTENT_METRICS,
  ...{ IMPRESSION: 'videoImpressions', CLICK: 'videoClicks', WATCH: 'videoWatchCount' },
  ...{ WATCH3S: 'videoWatch3s', PLAYTIME: 'videoPlayTime', AVERAGEPLAYTIME: 'averagePlayTime' },
  ...{ WATCH97P: 'videoWatch97p', AVERAGEWATCH97P: 'averageWatch97p' },
}
