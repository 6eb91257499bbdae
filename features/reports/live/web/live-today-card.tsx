import { useQuery } from '@apollo/client/react'
import { type EntityCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import type { ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { TimeSeries } from '@pc/ui/chart/time-series.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { SlimCard } from '@pc/ui/elements/slim-card.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { formatChange, formatInteger } from '@pc/ui/text/format.ts'
import { IconArrowDown, IconArrowUp, IconClockHour4 } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { LIVE_FIGURES, LIVE_LABELS, type LiveFigure, livePoints, liveSums } from './live-hours.ts'
import { LiveTodayDocument, type LiveTodayQuery } from './live-today.gen.ts'
import styles from './live-today.module.css'

const REFRESH_MS = 60_000

/** The running day by hour against the same weekday of last week. Polls while the page is visible. */
export function LiveTodayCard(ids: EntityCondition) {
  const { data, previousData, error, loading, refetch } = useQuery(LiveTodayDocument, {
    variables: { param: filterArguments(ids) },
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
  })
  // A failed poll leaves `data` undefined, so the last figures stay shown.
  const live = (data ?? previousData)?.live
  if (!live) {
    if (loading) return <Slim>本日の速報を読み込んでいます</Slim>
    return (
      <Slim action={{ label: 'もう一度読み込む', onPress: () => void refetch() }}>
        本日の速報を読み込めませんでした。
      </Slim>
    )
  }
  if (live.hours.length === 0) {
    return <Slim>本日のイベントはまだ取り込まれていません。届きしだい、時間ごとの速報をここに表示します。</Slim>
  }
  return <LiveContent live={live} hasFailed={error !== undefined && !loading} />
}

function Slim(props: Pick<ComponentProps<typeof SlimCard>, 'action' | 'children'>) {
  return <SlimCard label="本日の速報" mark={<IconClockHour4 size={18} aria-hidden />} {...props} />
}

function LiveContent({ live, hasFailed }: { live: LiveTodayQuery['live']; hasFailed: boolean }) {
  const [figure, setFigure] = useState<LiveFigure>('impressions')
  const { hours, lastWeek, arrivedAt } = live
  const sums = liveSums(hours, lastWeek, figure)
  const against = lastWeek.length > 0 ? { against: { key: 'lastWeek', label: '先週の同じ曜日' } } : {}
  const series: ChartSeries = {
    ...({ key: 'today', label: LIVE_LABELS[figure], unit: '回', shape: 'bar', color: 'var(--series-3)' } as const),
    ...against,
  }
  return (
    <Card
      title="本日の速報"
      note={hasFailed ? '更新できませんでした。1分後にもう一度試します' : arrivedText(arrivedAt)}
      tools={
        <SegmentedControl
          label="速報の指標"
          options={LIVE_FIGURES.map(value => ({ value, label: LIVE_LABELS[value] }))}
          value={figure}
          onChange={setFigure}
        />
      }
    >
      <p className={styles.sum}>
        <b className="num">{formatInteger(sums.soFar)}</b>回
        <LiveChange now={sums.over} before={sums.overLastWeek} />
      </p>
      <TimeSeries
        title={`本日の${LIVE_LABELS[figure]}（時間別）`}
        points={livePoints(hours, lastWeek, figure)}
        series={[series]}
        height={220}
      />
      <p className={styles.note}>
        速報値です。日ごとの集計が届くと、上のグラフと表の数値に置き換わります。収益は含みません。
      </p>
    </Card>
  )
}

function LiveChange({ now, before }: { now: number; before: number | undefined }) {
  const change = before === undefined ? undefined : formatChange(now, before)
  if (!change) return <small>先週の同じ曜日のデータがないため比較できません</small>
  return (
    <small data-direction={change.direction}>
      {change.direction === 'up' && <IconArrowUp size={14} aria-hidden />}
      {change.direction === 'down' && <IconArrowDown size={14} aria-hidden />}
      <span className="num">{change.text}</span>
      <span>先週の同じ曜日・同じ時刻まで比</span>
    </small>
  )
}

const clock = new Intl.DateTimeFormat('ja-JP', { timeZone: 'Asia/Tokyo', hour: 'numeric', minute: '2-digit' })

function arrivedText(arrivedAt: string | null): string {
  return arrivedAt === null ? '' : `最終取り込み：${clock.format(Date.parse(arrivedAt))}`
}
