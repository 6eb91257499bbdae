import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { FILTER_CONDITIONS, hasFilter } from '@pc/domain/condition/filter-conversions.ts'
import { addDays, parseDay } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { Message } from '@pc/ui/routing/screen-states.tsx'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import { IconDatabaseOff } from '@tabler/icons-react'
import { INGEST_BATCHES_PATH } from '../../../ingest/links.ts'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import type { DashboardQuery } from './dashboard.gen.ts'

interface Props extends ScreenProps<DashboardCondition, DashboardQuery> {
  dataUntil: string | null
}

/** Shown instead of figures. Tells apart: no data at all, range not delivered yet, or no data for the filter. */
export function NoDataCard({ dataUntil, condition, today, setCondition, viewer }: Props) {
  const until = parseDay(dataUntil ?? '')
  const isFiltered = hasFilter(condition)
  const isAhead = until !== undefined && chosenRange(condition, today).from > until
  const icon = <IconDatabaseOff size={28} stroke={1.6} aria-hidden />
  if (until === undefined && !isFiltered)
    return (
      <Card title="成果">
        {isStaffViewer(viewer) ? (
          <Message
            icon={icon}
            title="まだ数値がありません"
            action={<a href={addressOf(INGEST_BATCHES_PATH)}>統計の取り込みを開く</a>}
          >
            媒体とパブリッシャーを登録して統計を取り込むと、成果が表示されます。
          </Message>
        ) : (
          <Message icon={icon} title="まだ数値がありません">
            運営が統計を取り込むと、成果が表示されます。しばらくお待ちください。
          </Message>
        )}
      </Card>
    )
  return (
    <Card title="成果">
      <Message
        icon={icon}
        title={isAhead ? 'この期間はまだ集計されていません' : 'この条件のデータはありません'}
        action={
          isAhead ? (
            <Button onClick={() => setCondition({ from: addDays(until, -6), to: until })}>最新の7日間を表示する</Button>
          ) : (
            isFiltered && (
              <Button onClick={() => setCondition(FILTER_CONDITIONS.dashboard.defaults)}>絞り込みを解除する</Button>
            )
          )
        }
      >
        {isAhead
          ? `集計済みのデータは${dayText(until)}までです。期間を変更してください。`
          : '期間や絞り込みの条件を変更してください。「データなし」は0回・0円とは異なります。'}
      </Message>
    </Card>
  )
}
