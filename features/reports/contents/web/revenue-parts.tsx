import { useQuery } from '@apollo/client/react'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { type EntityCondition, entitiesOf, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { DASHBOARD_PATH } from '../../links.ts'
import { RevenuePartsDocument } from './revenue-parts.gen.ts'

const PARTS_STYLE = {
  ...{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px', alignItems: 'baseline' },
  ...{ minHeight: 44, marginTop: 12, fontSize: 13, color: 'var(--fg2)' },
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
  const articles = data?.articles?.totals?.publisherTotalRevenue ?? 0
  const videos = data?.videos?.totals?.publisherTotalRevenue ?? 0
  const rest = total - articles - videos
  const address = addressOf(
    DASHBOARD_PATH,
    dashboardCondition.format({ ...dashboardCondition.defaults, ...entities, from, to }),
  )
  const late = lateText(data?.publishers, to)
  return (
    <section style={PARTS_STYLE} aria-label="収益の内訳">
      <p style={{ margin: 0 }}>
        <a href={address}>ダッシュボードの収益</a> <Yen amount={total} />
      </p>
      <span aria-hidden>＝</span>
      <p style={{ margin: 0 }}>
        記事 <Yen amount={articles} />
      </p>
      <span aria-hidden>＋</span>
      <p style={{ margin: 0 }}>
        動画 <Yen amount={videos} />
      </p>
      <span aria-hidden>＋</span>
      <p style={{ margin: 0 }}>
        記事・動画に分けられない収益 <Yen amount={rest} />
      </p>
      <small style={{ flexBasis: '100%' }}>
        {rest < 0
          ? '記事・動画の数値が、パブリッシャーの数値より先に届いています。パブリッシャーの数値が届くと一致します。'
          : '分けられない収益は、SSPの収益やライブなど、記事や動画ごとに届かないものです。'}
        {late}
      </small>
    </section>
  )
}

function Yen({ amount }: { amount: number }) {
  return (
    <b style={{ color: 'var(--fg)' }}>
      <span className="num">{formatInteger(amount)}</span>円
    </b>
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
