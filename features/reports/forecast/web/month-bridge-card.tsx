import { useQuery } from '@apollo/client/react'
import { type EntityCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { bridgeFileName, bridgeTable } from '@pc/domain/explain/bridge-table.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { Waterfall } from '@pc/ui/chart/waterfall.tsx'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { MonthPicker } from '@pc/ui/filter/month-picker.tsx'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatInstantDay, formatSigned } from '@pc/ui/text/format.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { MonthEstimateBridgeDocument, type MonthEstimateBridgeQuery } from './month-bridge.gen.ts'
import styles from './month-bridge.module.css'

type Bridge = MonthEstimateBridgeQuery['monthEstimateBridge']

interface BridgeCardProps extends EntityCondition {
  /** The last day of the dashboard's range, whose month is shown first. */
  until: Day
  today: Day
}

/** How the estimate of a month became its final amount, for the dashboard's filter. */
export function MonthBridgeCard({ until, today, ...entities }: BridgeCardProps) {
  const [month, setMonth] = useState(() => monthOfDay(until))
  const { data, previousData, loading, error, refetch } = useQuery(MonthEstimateBridgeDocument, {
    variables: { month: formatYearMonth(month), ...filterArguments(entities) },
  })
  const bridge = (data ?? (loading ? previousData : undefined))?.monthEstimateBridge
  return (
    <Card
      title="速報から確定まで"
      note={`${monthText(month)}分`}
      tools={
        <>
          {bridge && bridge.steps.length > 0 && <CsvButton bridge={bridge} />}
          <MonthPicker label="確定までの増減を見る月" value={month} today={today} onChange={setMonth} />
        </>
      }
    >
      <div aria-busy={loading} aria-live="polite">
        {error && !bridge ? (
          <FailedContent onRetry={() => void refetch()} />
        ) : bridge ? (
          <Content bridge={bridge} />
        ) : (
          <Skeleton height={280} />
        )}
      </div>
    </Card>
  )
}

function Content({ bridge }: { bridge: Bridge }) {
  const { steps, errorRange, recordedAt } = bridge
  if (steps.length > 0) {
    const since = recordedAt ? formatInstantDay(recordedAt) : ''
    return (
      <>
        <p className={styles.note}>
          {`速報値は、月のすべての日の統計がそろった時点（${since}）に表示していた収益です。確定した媒体の、契約のあるパブリッシャーの合計（税抜）です。`}
        </p>
        <Waterfall caption="速報値から確定値まで" steps={steps} />
      </>
    )
  }
  return (
    <p className={styles.note}>
      この月には、確定した速報の記録がありません。
      {errorRange
        ? `過去${errorRange.months}か月では、確定値は速報値より ${formatSigned(errorRange.lowest)}円 から ${formatSigned(errorRange.highest)}円 の範囲で変わりました。`
        : '過去の月の記録もないため、差の目安は表示できません。'}
    </p>
  )
}

function CsvButton({ bridge }: { bridge: Bridge }) {
  const save = () => downloadCsv(bridgeFileName(bridge), bridgeTable(bridge))
  return (
    <Button icon={<IconDownload size={16} aria-hidden />} onClick={save}>
      CSV
    </Button>
  )
}
