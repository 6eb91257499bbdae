import { Card } from '@pc/ui/elements/card.tsx'
import { formatInteger, formatShare } from '@pc/ui/text/format.ts'
import reportStyles from '../../core/web/report.module.css'
import styles from './watch-time-chart.module.css'

/** Bucket n counts watches of 10·n to under 10·(n + 1) percent of the video; bucket 10 those of all of it. */
const LAST_BUCKET = 10
const BUCKETS = Array.from({ length: LAST_BUCKET + 1 }, (_, bucketId) => ({
  bucketId,
  label: bucketId === LAST_BUCKET ? '最後まで' : `${bucketId * 10}〜${bucketId * 10 + 10}%`,
}))

/** How far a video was watched. Built as a table with bars, so that screen readers get the same content. */
export function WatchTimeChart({ cells }: { cells: readonly { bucketId: number; watch: number }[] }) {
  const watchOf = new Map(cells.map(cell => [cell.bucketId, cell.watch]))
  const all = cells.reduce((sum, cell) => sum + cell.watch, 0)
  const most = Math.max(1, ...watchOf.values())
  return (
    <Card title="再生割合の分布" note="動画の長さに対する割合ごとの再生数">
      {all === 0 ? (
        <p className={reportStyles.note}>この期間の分布データはありません。</p>
      ) : (
        <table className={styles.bars}>
          <caption className="visually-hidden">動画の長さに対する再生時間の割合ごとの再生数</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">再生した割合</th>
              <th scope="col">図</th>
              <th scope="col">再生数（回）</th>
              <th scope="col">構成比</th>
            </tr>
          </thead>
          <tbody>
            {BUCKETS.map(({ bucketId, label }) => {
              const watch = watchOf.get(bucketId) ?? 0
              return (
                <tr key={bucketId}>
                  <th scope="row">{label}</th>
                  <td className={styles.bar} aria-hidden>
                    <i style={{ width: `${(watch / most) * 100}%` }} />
                  </td>
                  <td>{formatInteger(watch)}</td>
                  <td>{formatShare(watch, all)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Card>
  )
}
