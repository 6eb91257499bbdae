import { useQuery } from '@apollo/client/react'
import { bridgeFileName, bridgeTable } from '@pc/domain/explain/bridge-table.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { Waterfall } from '@pc/ui/chart/waterfall.tsx'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatInstantDay, formatInteger, formatSigned } from '@pc/ui/text/format.ts'
import { IconDownload } from '@tabler/icons-react'
import styles from './bridge-panel.module.css'
import { EstimateBridgeDocument, type EstimateBridgeQuery } from './estimate-bridge.gen.ts'

type Bridge = NonNullable<EstimateBridgeQuery['estimateBridge']>

/** How the estimate of a row became its final amount; of an open month, how far estimates were off. */
export function BridgePanel(props: { kind: 'payment' | 'publisher_payment'; id: string; onClose: () => void }) {
  const { kind, id, onClose } = props
  const { data, loading, error, refetch } = useQuery(EstimateBridgeDocument, { variables: { kind, id } })
  const bridge = data?.estimateBridge
  return (
    <Dialog
      title="速報から確定まで"
      size="drawer"
      onClose={onClose}
      actions={bridge && bridge.steps.length > 0 && <CsvButton bridge={bridge} />}
    >
      <div className={styles.panel} aria-busy={loading}>
        {error && !bridge ? (
          <FailedContent onRetry={() => void refetch()} />
        ) : loading && !bridge ? (
          <div role="status" aria-label="読み込み中">
            <Skeleton height={280} />
          </div>
        ) : bridge ? (
          <Content bridge={bridge} />
        ) : (
          <p>この支払の速報は表示できません。計算し直されたか、表示する権限がない可能性があります。</p>
        )}
      </div>
    </Dialog>
  )
}

function Content({ bridge }: { bridge: Bridge }) {
  const { steps, toPayment, recordedAt } = bridge
  if (!bridge.isFinal) return <OpenMonth bridge={bridge} />
  if (steps.length === 0) {
    return <p>{monthOf(bridge)}分は、速報値の記録がありません（記録を始める前に確定した月です）。</p>
  }
  return (
    <>
      <h3 className={styles.heading}>{monthOf(bridge)}分</h3>
      <p className={styles.note}>
        {`速報値は、月のすべての日の統計がそろった時点（${recordedAt ? formatInstantDay(recordedAt) : ''}）にレポートに表示していた収益です。金額は税抜です。`}
      </p>
      <Waterfall caption={`${monthOf(bridge)}分の速報値から確定値まで`} steps={steps} />
      {toPayment.length > 0 && (
        <table className={styles.paid}>
          <caption>確定値から支払額まで</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">項目</th>
              <th scope="col">金額（円）</th>
            </tr>
          </thead>
          <tbody>
            {toPayment.map(line => (
              <tr key={line.label} data-sum={line.isSum || undefined}>
                <th scope="row">{line.label}</th>
                <td className="num">{formatInteger(line.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function OpenMonth({ bridge }: { bridge: Bridge }) {
  const { errorRange, shownRevenue } = bridge
  return (
    <>
      <h3 className={styles.heading}>
        {`${monthOf(bridge)}分の速報値`}
        {shownRevenue !== null && shownRevenue !== undefined && <b className="num">{formatInteger(shownRevenue)}円</b>}
      </h3>
      <p>まだ確定していません。確定値は、月次の確定のあとに表示します。</p>
      <p>
        {errorRange
          ? `過去${errorRange.months}か月では、確定値は速報値より ${formatSigned(errorRange.lowest)}円 から ${formatSigned(errorRange.highest)}円 の範囲で変わりました。`
          : '過去の月の記録がないため、速報値と確定値の差の目安は表示できません。'}
      </p>
    </>
  )
}

function CsvButton({ bridge }: { bridge: Bridge }) {
  const save = () =>
    downloadCsv(bridgeFileName(bridge), [
      ...bridgeTable(bridge),
      // The first line of `toPayment` repeats the last amount of the table above it.
      ...bridge.toPayment.slice(1).map(line => [bridge.month, line.label, '', line.amount, '']),
    ])
  return (
    <Button icon={<IconDownload size={16} aria-hidden />} onClick={save}>
      CSV
    </Button>
  )
}

function monthOf(bridge: Pick<Bridge, 'month'>): string {
  const month = parseYearMonth(bridge.month)
  return month === undefined ? bridge.month : monthText(month)
}
