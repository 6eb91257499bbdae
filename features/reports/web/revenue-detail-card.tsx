import { REVENUE_DETAIL_METRICS } from '@pc/domain/report/metric.ts'
import { Badge, Card } from '@pc/ui/card.tsx'
import { formatInteger, formatShare } from '@pc/ui/format.ts'
import type { FiguresFragment } from './dashboard.gen.ts'
import styles from './dashboard.module.css'

type Detail = NonNullable<FiguresFragment['revenueDetail']>

const SOURCES = ['productAdsRevenue', 'sspRevenue', 'videoSspRevenue', 'liveSspRevenue'] as const

/** Where the revenue came from, and how much of it stays with the platform. Staff only. */
export function RevenueDetailCard({ detail, publisherRevenue }: { detail: Detail; publisherRevenue: number }) {
  const share = (value: number) => formatShare(Math.max(0, value), detail.grossRevenue)
  const width = (value: number) =>
    `${detail.grossRevenue > 0 ? Math.min(100, Math.max(0, (value / detail.grossRevenue) * 100)) : 0}%`
  return (
    <Card title="収益の内訳" note="単位：円" tools={<Badge tone="mute">社内のみ</Badge>}>
      <table className={styles.detail}>
        <caption className="visually-hidden">収益源ごとの金額と、総収益に占める割合</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">項目</th>
            <th scope="col">金額（円）</th>
            <th scope="col">割合</th>
          </tr>
        </thead>
        <tbody>
          {SOURCES.map(source => (
            <tr key={source}>
              <th scope="row">
                {REVENUE_DETAIL_METRICS[source].label}
                <i style={{ width: width(detail[source]) }} aria-hidden />
              </th>
              <td className="num">{formatInteger(detail[source])}</td>
              <td className="num">{share(detail[source])}</td>
            </tr>
          ))}
          <tr data-sum>
            <th scope="row">{REVENUE_DETAIL_METRICS.grossRevenue.label}</th>
            <td className="num">{formatInteger(detail.grossRevenue)}</td>
            <td className="num">{share(detail.grossRevenue)}</td>
          </tr>
          <tr>
            <th scope="row">パブリッシャー収益</th>
            <td className="num">{formatInteger(publisherRevenue)}</td>
            <td className="num">{share(publisherRevenue)}</td>
          </tr>
          <tr>
            <th scope="row">{REVENUE_DETAIL_METRICS.retainedRevenue.label}</th>
            <td className="num">{formatInteger(detail.retainedRevenue)}</td>
            <td className="num">{share(detail.retainedRevenue)}</td>
          </tr>
        </tbody>
      </table>
    </Card>
  )
}
