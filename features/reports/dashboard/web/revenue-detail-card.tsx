import { REVENUE_DETAIL_METRICS } from '@pc/domain/report/metric.ts'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { formatInteger, formatShare } from '@pc/ui/text/format.ts'
import type { FiguresFragment } from './dashboard.gen.ts'
import styles from './revenue-detail-card.module.css'

type Detail = NonNullable<FiguresFragment['revenueDetail']>

const SOURCES = ['productAdsRevenue', 'sspRevenue', 'videoSspRevenue', 'liveSspRevenue'] as const

interface Line {
  readonly label: string
  readonly amountYen: number
  readonly isSum?: boolean
}

/** Revenue by source, and the part that the platform retains. Staff only. */
export function RevenueDetailCard({ detail, publisherRevenue }: { detail: Detail; publisherRevenue: number }) {
  const lines: readonly Line[] = [
    ...SOURCES.map(source => ({ label: REVENUE_DETAIL_METRICS[source].label, amountYen: detail[source] })),
    { label: REVENUE_DETAIL_METRICS.grossRevenue.label, amountYen: detail.grossRevenue, isSum: true },
    { label: 'うちパブリッシャー収益', amountYen: publisherRevenue },
    { label: `うち${REVENUE_DETAIL_METRICS.retainedRevenue.label}`, amountYen: detail.retainedRevenue },
  ]
  return (
    <Card title="収益の内訳" note="単位：円" tools={<Badge tone="mute">運営のみ</Badge>}>
      <table className={styles.detail}>
        <caption className="visually-hidden">収益源ごとの金額と、総収益に占める割合</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">項目</th>
            <th scope="col">割合の図</th>
            <th scope="col">金額（円）</th>
            <th scope="col">割合</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(line => (
            <DetailLine key={line.label} line={line} grossYen={detail.grossRevenue} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function DetailLine({ line, grossYen }: { line: Line; grossYen: number }) {
  const share = grossYen > 0 ? Math.min(100, Math.max(0, (line.amountYen / grossYen) * 100)) : 0
  return (
    <tr data-sum={line.isSum}>
      <th scope="row">{line.label}</th>
      <td className={styles.bar} aria-hidden>
        {!line.isSum && <i style={{ width: `${share}%` }} />}
      </td>
      <td className="num">{formatInteger(line.amountYen)}</td>
      <td className="num">{formatShare(Math.max(0, line.amountYen), grossYen)}</td>
    </tr>
  )
}
