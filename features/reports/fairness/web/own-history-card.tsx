import { useQuery } from '@apollo/client/react'
import { type EntityCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { roundDown } from '@pc/domain/report/round-down.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { FailedContent, Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { figureText } from '../../core/web/figure-text.ts'
import { DASHBOARD_COLUMNS } from '../../dashboard-columns.ts'
import type { ColumnUnit } from '../../report-columns.ts'
import { OwnHistoryDocument, type OwnHistoryQuery } from './own-history.gen.ts'
import styles from './own-history.module.css'

type History = OwnHistoryQuery['history']
type Standing = History['figures'][number]

const definitionOf = (id: string) => DASHBOARD_COLUMNS.find(column => column.id === id)?.definition ?? ''
const FIGURES: Readonly<Record<Standing['figure'], { label: string; unit: ColumnUnit; suffix: string; hint: string }>> =
  {
    rpm: { label: 'RPM', unit: 'yen-tenths', suffix: '円', hint: definitionOf('rpm') },
    ctr: { label: 'クリック率', unit: 'percent', suffix: '', hint: definitionOf('ctr') },
    dailyRevenue: { label: '1日あたりの収益', unit: 'yen', suffix: '円', hint: definitionOf('revenue') },
    dailyImpressions: { label: '1日あたりの表示回数', unit: 'count', suffix: '回', hint: definitionOf('impressions') },
  }

/** The running month against the same publishers' last twelve months, for the dashboard's filter. */
export function OwnHistoryCard(ids: EntityCondition) {
  const { data, previousData, loading, error, refetch } = useQuery(OwnHistoryDocument, {
    variables: { param: filterArguments(ids) },
  })
  const history = (data ?? (loading ? previousData : undefined))?.history
  const month = parseYearMonth(history?.month ?? '')
  const note = history && month ? `${monthText(month)}（${history.knownDays}日分）と、その前の12か月` : ''
  return (
    <Card title="過去12か月との比較" note={note}>
      <div aria-busy={loading} aria-live="polite">
        {history ? (
          <Content history={history} />
        ) : error && !loading ? (
          <FailedContent onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={180} />
        )}
      </div>
    </Card>
  )
}

function Content({ history }: { history: History }) {
  if (history.figures.length === 0) {
    return (
      <Message title="比べられる月がまだありません">
        今月のデータと、過去12か月のうち3か月以上のデータがそろうと表示します。
      </Message>
    )
  }
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">今月の数値の、過去12か月の中での位置</caption>
      <thead>
        <tr>
          <th scope="col">指標</th>
          <th scope="col">今月</th>
          <th scope="col">過去の範囲（最小・中央・最大）</th>
          <th scope="col">位置</th>
        </tr>
      </thead>
      <tbody>
        {history.figures.map(one => (
          <Line key={one.figure} standing={one} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ standing }: { standing: Standing }) {
  const { label, unit, suffix, hint } = FIGURES[standing.figure]
  const { now, lowest, median, highest, months, exceeded, percentile } = standing
  // Rounds down like every figure; `roundDown` tolerates the floating-point error of quotients.
  const isWhole = unit === 'yen' || unit === 'count'
  const text = (value: number) => figureText(unit, isWhole ? roundDown(value) : value)
  return (
    <tr>
      <th scope="row" title={hint}>
        {label}
      </th>
      <td className={`num ${styles.now}`}>
        {text(now)}
        {suffix && <small>{suffix}</small>}
      </td>
      <td className="num">{`${text(lowest)}・${text(median)}・${text(highest)}`}</td>
      <td>
        <span className={styles.place}>
          <span className={styles.track} aria-hidden>
            <i style={{ left: `${percentile}%` }} />
          </span>
          {`${months}か月中${exceeded}か月を上回る（${percentile}パーセンタイル）`}
        </span>
      </td>
    </tr>
  )
}
