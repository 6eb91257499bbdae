import { useQuery } from '@apollo/client/react'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { type EntityCondition, entitiesOf, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import type { ReactNode } from 'react'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { DASHBOARD_PATH } from '../../links.ts'
import { RevenuePartsDocument } from './revenue-parts.gen.ts'

const PARTS_STYLE = {
  ...{ display: 'flex', flexWrap: 'wrap', gap: '4px 8px', alignItems: 'baseline' },
  ...{ minHeight: 44, margin: '12px 0', fontSize: 13, color: 'var(--fg2)' },
} as const

/**
 * Splits the dashboard's revenue of the same range and publishers into articles, videos and the rest, so that nobody has
 * to reconcile two screens. Parts are the shown whole yen; the rest is the remainder, so that they add up.
 */
export function RevenueParts(props: { condition: EntityCondition; range: DayRange }) {
  const { from, to } = props.range
  const entities = entitiesOf(props.condition)
  const rows = { from, to, ...filterArguments(entities) }
  const days = { ...rows, groupBy: 'date', granularity: 'monthly' } as const
  const { data, loading } = useQuery(RevenuePartsDocument, {
    variables: { publishers: { ...rows, granularity: 'monthly' }, articles: days, videos: days },
  })
  const total = data?.publishers?.totals?.publisherTotalRevenue
  // Reserves the space, so that the table does not move when the answer arrives.
  if (loading && !data) return <div style={PARTS_STYLE} />
  if (total === undefined || total === null) return null
  // A part that could not be read is not 0: the rest would be wrong.
  if (!data?.articles || !data.videos) return null
  const articles = data.articles.totals?.publisherTotalRevenue ?? 0
  const videos = data.videos.totals?.publisherTotalRevenue ?? 0
  const rest = total - articles - videos
  const address = addressOf(
    DASHBOARD_PATH,
    dashboardCondition.format({ ...dashboardCondition.defaults, ...entities, from, to }),
  )
  const late = lateText(data?.publishers, to)
  return (
    <section style={PARTS_STYLE} aria-label="収益の内訳">
      <Part amount={total}>
        <a href={address}>ダッシュボードの収益</a>
      </Part>
      <Part sign="＝" amount={articles}>
        記事
      </Part>
      <Part sign="＋" amount={videos}>
        動画
      </Part>
      <Part sign="＋" amount={rest}>
        記事・動画に分けられない収益
      </Part>
      <small style={{ flexBasis: '100%' }}>
        {rest < 0
          ? '記事・動画の数値が、パブリッシャーの数値より先に届いています。パブリッシャーの数値が届くと一致します。'
          : '分けられない収益は、SSPの収益やライブなど、記事や動画ごとに届かないものです。'}
        {late}
      </small>
    </section>
  )
}

/** The sign stays with what follows it where the line breaks. */
function Part(props: { sign?: string; amount: number; children: ReactNode }) {
  return (
    <p style={{ margin: 0 }}>
      {props.sign && <span aria-hidden>{props.sign} </span>}
      {props.children}{' '}
      <b style={{ color: 'var(--fg)', whiteSpace: 'nowrap' }}>
        <span className="num">{formatInteger(props.amount)}</span>円
      </b>
    </p>
  )
}

interface Arrivals {
  readonly dataUntil: string | null
  readonly articleDataUntil: string | null
  readonly videoDataUntil: string | null
}

/** A note when figures of articles or videos arrived later than those of publishers: meanwhile their revenue is in the rest. */
function lateText(arrivals: Arrivals | null | undefined, to: Day): string {
  const { dataUntil, articleDataUntil, videoDataUntil } = arrivals ?? {}
  if (!dataUntil) return ''
  const expected = dataUntil < to ? dataUntil : to
  const late = [
    ['記事', articleDataUntil],
    ['動画', videoDataUntil],
  ].flatMap(([noun, until]) => (until && until < expected ? [`${noun}は${monthDayText(until as Day)}まで`] : []))
  return late.length === 0 ? '' : `${late.join('、')}の数値です。`
}
