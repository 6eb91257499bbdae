import { useQuery } from '@apollo/client/react'
import { type EntityCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { monthDayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay, parseYearMonth } from '@pc/domain/month/year-month.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SlimCard } from '@pc/ui/elements/slim-card.tsx'
import { HeaderHint } from '@pc/ui/table/header-hint.tsx'
import { formatChange, formatInteger } from '@pc/ui/text/format.ts'
import type { ComponentProps } from 'react'
import { DASHBOARD_COLUMNS } from '../../dashboard-columns.ts'
import { FORECAST_NOTE } from '../../forecast-note.ts'
import { MonthForecastDocument, type MonthForecastQuery } from './month-forecast.gen.ts'
import styles from './month-forecast.module.css'

type Forecast = MonthForecastQuery['forecast']
type Figure = 'publisherTotalRevenue' | 'impressions' | 'clicks' | 'watchCount'

/** `column` is the dashboard column whose definition explains the figure. */
const FIGURES: readonly { readonly figure: Figure; readonly column: string; readonly unit: string }[] = [
  { figure: 'publisherTotalRevenue', column: 'revenue', unit: '円' },
  { figure: 'impressions', column: 'impressions', unit: '回' },
  { figure: 'clicks', column: 'clicks', unit: '回' },
  { figure: 'watchCount', column: 'watchCount', unit: '回' },
]

/** The expected figures of the running month, for the dashboard's filter. Payments never use it. */
export function MonthForecastCard({ today, ...ids }: EntityCondition & { today: Day }) {
  const last = addMonths(monthOfDay(today), -1)
  const filter = filterArguments(ids)
  const { data, previousData, error, loading, refetch } = useQuery(MonthForecastDocument, {
    variables: {
      param: filter,
      lastMonth: { ...filter, from: firstDayOf(last), to: lastDayOf(last), granularity: 'monthly' },
    },
  })
  const shown = data ?? (loading ? previousData : undefined)
  if (shown?.forecast)
    return <Content forecast={shown.forecast} lastMonth={shown.lastMonth.totals} isWaiting={loading} />
  if (loading) return null
  return (
    <Slim action={{ label: 'もう一度読み込む', onPress: () => void refetch() }}>
      {error ? '今月の見込みを読み込めませんでした。' : '今月の見込みはありません。'}
    </Slim>
  )
}

function Slim(props: Pick<ComponentProps<typeof SlimCard>, 'action' | 'children'>) {
  return <SlimCard label="今月の見込み" mark={<Badge tone="mute">見込み</Badge>} isForecast {...props} />
}

type LastMonth = MonthForecastQuery['lastMonth']['totals']

function Content(props: { forecast: Forecast; lastMonth: LastMonth; isWaiting: boolean }) {
  const { forecast, lastMonth, isWaiting } = props
  // A month with missing days is no measure for a whole one.
  const compared = lastMonth && lastMonth.daysWithData === lastMonth.days ? lastMonth : undefined
  const { days, knownDays } = forecast
  const month = parseYearMonth(forecast.month)
  const title = `${month ? monthText(month) : ''}の着地見込み`
  if (FIGURES.every(({ figure }) => !forecast[figure])) {
    return <Slim>{`${title}は、集計済みの日が少ないためまだ計算できません（およそ3か月分の実績が必要です）。`}</Slim>
  }
  const until = parseDay(forecast.dataUntil ?? '')
  return (
    <section className={styles.card} aria-label={title} aria-busy={isWaiting}>
      <header>
        <h2>{title}</h2>
        <Badge tone="mute">見込み</Badge>
        <p>
          <span>{`${until ? `${monthDayText(until)}までの` : ''}実績（今月${days}日のうち${knownDays}日分）`}</span>
          <span>直近8週の曜日ごとの傾向から計算</span>
          <span>お支払いの根拠にはなりません</span>
        </p>
      </header>
      <dl className={styles.figures}>
        {FIGURES.map(one => (
          <Expected key={one.figure} {...one} forecast={forecast[one.figure]} lastMonth={compared?.[one.figure]} />
        ))}
      </dl>
    </section>
  )
}

function Expected(props: (typeof FIGURES)[number] & { forecast: Forecast[Figure]; lastMonth: number | undefined }) {
  const { column: id, unit, forecast, lastMonth } = props
  const column = DASHBOARD_COLUMNS.find(one => one.id === id)!
  const change = forecast && lastMonth !== undefined && formatChange(forecast.expected, lastMonth)
  return (
    <div>
      <dt>
        <HeaderHint hint={`${column.definition}\n${FORECAST_NOTE}`}>
          {describedBy => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation shows with the focus
            <span tabIndex={0} aria-describedby={describedBy} className={styles.term}>
              {column.label}
            </span>
          )}
        </HeaderHint>
      </dt>
      {forecast ? (
        <>
          <dd className={styles.expected}>
            {formatInteger(forecast.expected)}
            <small>{unit}</small>
          </dd>
          <dd>{`幅 ${formatInteger(forecast.low)}〜${formatInteger(forecast.high)}`}</dd>
          <dd>{`実績 ${formatInteger(forecast.soFar)}${unit}`}</dd>
          {lastMonth !== undefined && <dd>{`先月 ${formatInteger(lastMonth)}${unit}`}</dd>}
          {change && <dd>{`先月比 ${change.text}`}</dd>}
        </>
      ) : (
        <dd>実績が少ないため計算できません</dd>
      )}
    </div>
  )
}
