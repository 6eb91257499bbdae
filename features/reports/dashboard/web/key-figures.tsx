import { COMPARISON_LABELS, type Comparison } from '@pc/domain/report/comparison.ts'
import { Sparkline } from '@pc/ui/chart/sparkline.tsx'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatChange, formatInteger, formatShare, NO_VALUE } from '@pc/ui/text/format.ts'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StateBadge } from '../../core/web/state-badge.tsx'
import type { DashboardQuery } from './dashboard.gen.ts'
import { type DashboardRow, stateOf } from './dashboard-rows.ts'
import styles from './key-figures.module.css'

type Totals = NonNullable<DashboardQuery['stats']['totals']>
type Before = NonNullable<DashboardQuery['previous']>['totals'] | undefined

type KeyMetric = 'publisherTotalRevenue' | 'impressions' | 'clicks' | 'ctr'

/** The most important figures, in order. */
const FIGURES: readonly {
  readonly metric: KeyMetric
  readonly label: string
  readonly unit?: string
  readonly color: string
  readonly hasState?: boolean
}[] = [
  { metric: 'publisherTotalRevenue', label: '収益', unit: '円', color: 'var(--series-1)', hasState: true },
  { metric: 'impressions', label: '表示回数', unit: '回', color: 'var(--series-3)' },
  { metric: 'clicks', label: 'クリック数', unit: '回', color: 'var(--series-2)' },
  { metric: 'ctr', label: 'クリック率', color: 'var(--series-4)' },
]

function textOf(metric: KeyMetric, totals: Totals): string {
  return metric === 'ctr' ? formatShare(totals.clicks, totals.impressions) : formatInteger(totals[metric])
}

/** The room of the figures, while they are on their way: as high as `.figure` at least is. */
export function WaitingKeyFigures() {
  return (
    <div className={styles.figures}>
      {FIGURES.map(({ label }) => (
        <Skeleton key={label} height={114} />
      ))}
    </div>
  )
}

/** Each figure with its change against the compared days; by default the period before. */
export function KeyFigures({
  totals,
  before,
  compareWith,
  isBehind,
  rows,
  onExplain,
}: {
  totals: Totals
  before: Before
  /** `none`: compares with the period before, if both are complete. */
  compareWith: Comparison | 'none'
  /** Whether a medium has not delivered days of the range that others have. */
  isBehind: boolean
  rows: readonly DashboardRow[]
  /** Opens why a figure changed. */
  onExplain: (metric: KeyMetric) => void
}) {
  // Without a chosen comparison only complete ranges are compared: a missing day would look like a loss.
  const isWhole = totals.daysWithData === totals.days && !isBehind
  const preceding = before && isWhole && before.daysWithData === before.days ? before : undefined
  const comparable = compareWith === 'none' ? preceding : (totals.compared ?? undefined)
  const label = compareWith === 'none' ? '前期間比' : `${COMPARISON_LABELS[compareWith]}比`
  return (
    <div className={styles.figures}>
      {FIGURES.map(({ metric, hasState, ...figure }) => (
        <KeyFigure
          key={figure.label}
          {...figure}
          badge={hasState && <StateBadge state={stateOf(totals)} />}
          text={textOf(metric, totals)}
          change={
            <Change
              label={label}
              now={totals[metric] ?? 0}
              before={comparable && (comparable[metric] ?? undefined)}
              onExplain={() => onExplain(metric)}
            />
          }
          trend={rows.map(row => row.figures?.[metric] ?? null)}
        />
      ))}
    </div>
  )
}

function KeyFigure(props: {
  label: string
  badge?: ReactNode
  text: string
  unit?: string
  change: ReactNode
  trend: readonly (number | null)[]
  color: string
}) {
  return (
    <section className={styles.figure} aria-label={props.label}>
      <h2>
        {props.label}
        {props.badge}
      </h2>
      <p className={styles.value}>
        {props.text}
        {props.unit && <small>{props.unit}</small>}
      </p>
      <p className={styles.change}>{props.change}</p>
      <Sparkline values={props.trend} color={props.color} />
    </section>
  )
}

interface ChangeProps {
  label: string
  now: number
  before: number | undefined
  onExplain: () => void
}

/** The change of a figure; clicking it explains why. */
function Change({ label, now, before, onExplain }: ChangeProps) {
  const change = before === undefined ? undefined : formatChange(now, before)
  if (!change) return <span title="データのそろわない日があるため比較できません">{`${label} ${NO_VALUE}`}</span>
  const Icon = change.direction === 'down' ? IconArrowDown : IconArrowUp
  return (
    <>
      <button
        type="button"
        className={styles.delta}
        data-direction={change.direction}
        title="増減の理由を見る"
        aria-haspopup="dialog"
        onClick={onExplain}
      >
        {change.direction !== 'none' && <Icon size={14} stroke={2} aria-hidden />}
        <span className="visually-hidden">{change.direction === 'down' ? '減少' : '増加'}</span>
        {change.text}
      </button>{' '}
      {label}
    </>
  )
}
