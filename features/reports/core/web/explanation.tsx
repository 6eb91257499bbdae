import { useLatest } from '@pc/ui/data/use-latest.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import type { ReportColumn } from '../../report-columns.ts'
import type { ChangeMetric } from './change-drawer.gen.ts'
import type { ExplainedFigure } from './change-drawer.tsx'
import type { Why } from './report-figures.tsx'

const ChangeDrawer = lazyPart(async () => (await import('./change-drawer.tsx')).ChangeDrawer)

/** Tells which figures of a report can be explained. */
export interface ExplainRows<Row> {
  /** Undefined when the figure has no explanation. @param row undefined: the totals @param isEntry see {@link Why} */
  why(columnId: string, row?: Row, isEntry?: boolean): Why | undefined
}

interface ExplainedReport<Row> {
  /** Metrics by column id. Pass a stable object: a new one renders every row again. */
  readonly metrics: Readonly<Record<string, ChangeMetric>>
  /** The columns of the table. */
  readonly columns: readonly ReportColumn[]
  /** The figure behind a row (undefined: the totals); undefined when it cannot be explained. */
  readonly figureOf: (row: Row | undefined) => Omit<ExplainedFigure, 'metric'> | undefined
  /** Whether a row can be explained at all. Pass a stable function. */
  readonly isExplained?: (row: Row | undefined) => boolean
}

/** The drawer that explains a change, and the handlers that open it. */
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

/** The column whose change Tab reaches in each row: preferably a count or yen, because a ratio may be empty. */
function entryColumn(columns: readonly ReportColumn[], metrics: Readonly<Record<string, ChangeMetric>>) {
  const explained = columns.filter(({ id }) => metrics[id] !== undefined)
  return (explained.find(({ unit }) => unit === 'count' || unit === 'yen') ?? explained[0])?.id
}

/** The metrics of report columns, by column id. */
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
