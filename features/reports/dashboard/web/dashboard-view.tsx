import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { GRANULARITIES, GRANULARITY_LABELS } from '@pc/domain/report/granularity.ts'
import type { ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { HomeParts, NotedSeries } from '@pc/ui/chart/report-slots.tsx'
import { useProgressiveRender } from '@pc/ui/data/progressive-render.ts'
import { useLatest } from '@pc/ui/data/use-latest.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { RangePicker } from '@pc/ui/filter/range-picker.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { isPublisherUser, isStaffViewer } from '@pc/ui/session/viewer.tsx'
import { type ComponentProps, memo, Suspense, useEffect, useMemo, useState } from 'react'
import {
  byStartOfPeriod,
  comparedNote,
  comparedPoints,
  comparedSeries,
  comparedValues,
} from '../../core/web/compared-series.ts'
import { Demographics } from '../../core/web/demographics.tsx'
import { rangeLabel } from '../../core/web/period-label.ts'
import { articlesAddress, lossesAddress, videosAddress } from '../../core/web/publisher-links.ts'
import { isComparing } from '../../core/web/report-figures.tsx'
import { ComparisonFilter, EntityFilters } from '../../core/web/report-parts.tsx'
import { type ReportTools, useReportTools } from '../../core/web/report-tools.tsx'
import { DASHBOARD_COLUMNS } from '../../dashboard-columns.ts'
import { type DashboardCondition, dashboardCondition } from '../../dashboard-condition.ts'
import type { DashboardQuery } from './dashboard.gen.ts'
import styles from './dashboard.module.css'
import type { ExplainedFigure, LoadDashboardCards } from './dashboard-cards.tsx'
import { chartPoints, chartValues, type DashboardRow, dashboardRows } from './dashboard-rows.ts'
import { freshnessOf } from './freshness-text.ts'
import { KeyFigures, WaitingKeyFigures } from './key-figures.tsx'

const DashboardChange = lazy(() =>
  import('./dashboard-change.tsx').then(module => ({ default: module.DashboardChange })),
)
const NoDataCard = lazy(() => import('./no-data-card.tsx').then(module => ({ default: module.NoDataCard })))
const RevenueDetailCard = lazy(() =>
  import('./revenue-detail-card.tsx').then(module => ({ default: module.RevenueDetailCard })),
)
const DashboardTable = lazyPart(async () => (await import('./dashboard-table.tsx')).DashboardTable)

type ViewProps = ScreenProps<DashboardCondition, DashboardQuery>
interface Props extends ViewProps {
  Cards: Awaited<ReturnType<LoadDashboardCards>>['DashboardCards']
}

/** Height in pixels of the live card without events: nothing moves when the cards below the chart arrive. */
const MIDDLE_CARDS_HEIGHT = 50
/** Height in pixels of the collapsed bridge (from estimate to final amount), which needs a right. */
const BOTTOM_CARDS_HEIGHT = 78

const SERIES: readonly ChartSeries[] = [
  { key: 'revenue', label: '収益', unit: '円', shape: 'bar', color: 'var(--series-1)' },
  { key: 'clicks', label: 'クリック数', unit: '回', shape: 'line', color: 'var(--series-2)' },
]

/** The dashboard's screen. @param loadCards loads the cards of other report folders */
export function dashboardView(loadCards: LoadDashboardCards) {
  const Cards = lazy(() => loadCards().then(module => ({ default: module.DashboardCards })))
  return (props: ViewProps) => <DashboardView {...props} Cards={Cards} />
}

function DashboardView(props: Props) {
  const { condition, today, data, error } = props
  const { granularity } = condition
  const stats = data?.stats
  const range = chosenRange(condition, today)
  const { from, to } = range
  const setLatest = useLatest(props.setCondition)
  const rows = useMemo(
    () => (stats ? dashboardRows({ from, to }, granularity, stats) : undefined),
    [stats, from, to, granularity],
  )
  const tools = useReportTools({
    ...{ screen: 'dashboard', tables: ['dashboard'], report: 'dashboard', definition: dashboardCondition },
    ...{ allColumns: DASHBOARD_COLUMNS, condition, setCondition: props.setCondition, viewer: props.viewer },
  })
  return (
    <>
      <header className={styles.top}>
        <h1>ダッシュボード</h1>
        <Freshness stats={stats} today={today} />
        {hasDuties(props.viewer) && (
          <div className={styles.duties}>{(stats !== undefined || error !== undefined) && <HomeParts />}</div>
        )}
        <div className={styles.tools}>
          <SegmentedControl
            label="集計単位"
            options={GRANULARITIES.map(value => ({ value, label: GRANULARITY_LABELS[value] }))}
            value={granularity}
            onChange={next => props.setCondition({ granularity: next })}
          />
          <RangePicker
            label="集計期間"
            value={range}
            today={today}
            onChange={next => props.setCondition({ from: next?.from, to: next?.to })}
          />
          {tools.toolbar({
            range,
            total: stats && (stats.totals ? rows?.length : 0),
            pin: { report: 'dashboard', range, ...condition },
          })}
        </div>
      </header>
      <Filters {...props} />
      <div
        className={styles.content}
        aria-busy={props.isLoading}
        data-waiting={props.isLoading && data ? true : undefined}
      >
        {stats && rows ? (
          <Content
            {...props}
            {...{ stats, rows, tools }}
            // Rendered with the shown condition, but changes go to the latest requested one.
            setCondition={setLatest}
            isKept={(props.isPrevious ?? false) && props.isLoading}
          />
        ) : error && !props.isLoading ? (
          <Card title="成果">
            <FailedContent onRetry={props.retry} />
          </Card>
        ) : (
          <Waiting />
        )}
      </div>
    </>
  )
}

/** Whether the person can have duties. The server decides which duties there are. */
function hasDuties(viewer: Props['viewer']): boolean {
  return isPublisherUser(viewer) || (isStaffViewer(viewer) && viewer.can('write:update', 'insight:feed.'))
}

/** How far the data has arrived, so that nobody takes a missing day for a bad day. */
function Freshness({ stats, today }: Pick<Props, 'today'> & { stats: DashboardQuery['stats'] | undefined }) {
  return <p className={styles.freshness}>{stats ? freshnessOf(stats, today) : '\u00a0'}</p>
}

function Filters({ condition, setCondition, viewer, today }: Props) {
  return (
    <div className={styles.narrowing}>
      <fieldset className={styles.filters}>
        <legend className="visually-hidden">絞り込み</legend>
        <EntityFilters condition={condition} onChange={setCondition} viewer={viewer} />
        <ComparisonFilter
          value={condition.compareWith}
          isOptional
          onChange={compareWith => setCondition({ compareWith })}
        />
      </fieldset>
      <FurtherReports condition={condition} viewer={viewer} today={today} />
    </div>
  )
}

/** Links to what changed in the month before, and to the reports of articles and videos with the same days and filters. */
function FurtherReports({ condition, viewer, today }: Pick<Props, 'condition' | 'viewer' | 'today'>) {
  const links = [
    { resource: 'insight:publisher_rank.' as const, label: '先月の減少順', address: lossesAddress(today) },
    { resource: 'insight:article_stats.' as const, label: '記事別の内訳', address: articlesAddress(condition) },
    { resource: 'insight:video_stats.' as const, label: '動画別の内訳', address: videosAddress(condition) },
  ].filter(({ resource }) => viewer.can('read:list', resource))
  if (links.length === 0) return null
  return (
    <nav className={styles.further} aria-label="ほかのレポート">
      {links.map(({ label, address }) => (
        <a key={label} href={address}>
          {label}
        </a>
      ))}
    </nav>
  )
}

interface ContentProps extends Props {
  /** True while an answer to a changed condition loads: the previous answer stays shown with its own condition. */
  isKept: boolean
  stats: DashboardQuery['stats']
  rows: readonly DashboardRow[]
  tools: ReportTools
}

const Content = memo(ContentNow, (_before, { isKept }) => isKept)

function ContentNow(props: ContentProps) {
  const { condition, setCondition, data, error, isLoading, stats, rows, retry } = props
  const { totals } = stats
  const { granularity, compareWith } = condition
  const { from, to } = chosenRange(condition, props.today)
  const { points, series } = useMemo(() => {
    const view = { compareWith, granularity }
    const nodes = byStartOfPeriod(stats.nodes, granularity)
    return {
      points: comparedPoints(chartPoints(rows, granularity), view, startsOn =>
        comparedValues(nodes.get(startsOn), chartValues),
      ),
      series: comparedSeries(SERIES, view),
    }
  }, [rows, stats.nodes, granularity, compareWith])
  const isFirstPaint = useProgressiveRender(2) === 1
  // Loads the table's code while the key figures are painted.
  useEffect(DashboardTable.load, [])
  const [explained, setExplained] = useState<ExplainedFigure>()
  const mayAsk = isPublisherUser(props.viewer) && props.viewer.can('write:create', 'insight:question.')
  const failure = error && !isLoading ? { retry } : undefined
  const cards = (place: ComponentProps<typeof props.Cards>['place'], height?: number | false) => (
    <Suspense fallback={height ? <div style={{ height }} /> : null}>
      <props.Cards {...props} {...{ place, until: to }} />
    </Suspense>
  )
  if (!totals)
    return (
      <Suspense fallback={null}>
        <NoDataCard {...props} dataUntil={stats.dataUntil} />
      </Suspense>
    )
  const keyFigures = (
    <KeyFigures
      totals={totals}
      before={data?.previous?.totals ?? undefined}
      compareWith={compareWith}
      isBehind={stats.lateMedia.length > 0}
      rows={rows}
      onExplain={metric => setExplained({ metric })}
    />
  )
  if (isFirstPaint)
    return (
      <>
        {null}
        {keyFigures}
        <WaitingBelow />
      </>
    )
  return (
    <>
      {error !== undefined && !isLoading && (
        <p className={styles.partial} role="status">
          一部のデータを読み込めませんでした。表示されていない項目があります。
          <button type="button" onClick={retry}>
            もう一度読み込む
          </button>
        </p>
      )}
      {keyFigures}
      {explained && (
        <Suspense fallback={null}>
          <DashboardChange {...props} {...explained} onClose={() => setExplained(undefined)} />
        </Suspense>
      )}
      <div className={styles.forecast}>{cards('top')}</div>
      <div className={styles.columns}>
        <Card title="収益とクリック数の推移" note={GRANULARITY_LABELS[granularity]}>
          <NotedSeries
            {...{ title: '収益とクリック数の推移', points, series, height: 404 }}
            range={{ from, to }}
            publisherIds={condition.publisherId}
            mediumIds={condition.mediumId}
          />
        </Card>
        <Demographics cells={totals.clickDemographics ?? []} />
      </div>
      {cards('middle', MIDDLE_CARDS_HEIGHT)}
      {totals.revenueDetail && (
        <Suspense fallback={<Skeleton height={200} />}>
          <RevenueDetailCard detail={totals.revenueDetail} publisherRevenue={totals.publisherTotalRevenue} />
        </Suspense>
      )}
      {cards('bottom', props.viewer.can('read:list', 'insight:monthly_publisher_payment.') && BOTTOM_CARDS_HEIGHT)}
      <Card
        title={`${GRANULARITY_LABELS[granularity]}の成果`}
        note={[rangeLabel({ from, to }), comparedNote(compareWith, stats)].filter(Boolean).join('　')}
        flush
      >
        {stats.total > stats.nodes.length && (
          <p className={styles.partial} role="status">
            期間が長いため一部だけを表示しています。週別または月別に切り替えると全期間を確認できます。
          </p>
        )}
        <Suspense fallback={<Skeleton height={360} />}>
          <DashboardTable
            rows={rows}
            totals={totals}
            chosen={props.tools.columns}
            isCompared={isComparing(compareWith, isLoading, totals)}
            sort={condition.sort}
            onSort={sort => setCondition({ sort })}
            isLoading={isLoading}
            asking={mayAsk ? condition : undefined}
            onExplain={setExplained}
            failure={failure && stats.nodes.length === 0 ? failure : undefined}
          />
        </Suspense>
      </Card>
    </>
  )
}

function Waiting() {
  return (
    <div role="status" aria-label="読み込み中" className={styles.content}>
      <WaitingKeyFigures />
      <WaitingBelow />
    </div>
  )
}

/** Placeholders of everything below the key figures. */
function WaitingBelow() {
  return (
    <>
      <div className={styles.forecast} />
      <div className={styles.columns}>
        <Skeleton height={510} />
        <Skeleton height={510} />
      </div>
      <Skeleton height={360} />
    </>
  )
}
