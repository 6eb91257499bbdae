import type { Day } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { agreementEditPath } from '../../../agreements/links.ts'
import type { TransfersQuery } from './transfers.gen.ts'
import styles from './transfers.module.css'

type Deadlines = NonNullable<TransfersQuery['legalDeadlines']>
type Deadline = Deadlines['nodes'][number]

/** Payments that are or will be late by law; draws nothing when there are none. */
export function LegalDeadlines({ deadlines }: { deadlines: Deadlines }) {
  if (deadlines.total === 0) return null
  const more = deadlines.total - deadlines.nodes.length
  return (
    <Card
      title={`法定の期限を過ぎる見込みの支払 ${formatInteger(deadlines.total)}件`}
      note={`取適法・フリーランス法の対象の契約。期限は、収益の発生月の翌月末です${more > 0 ? `（ほか${formatInteger(more)}件）` : ''}`}
      flush
    >
      <DataTable
        caption="法定の期限を過ぎる見込みの支払"
        columns={COLUMNS}
        rows={deadlines.nodes}
        rowKey={row => `${row.agreementId} ${row.revenueGeneratedAtMonth} ${row.reason}`}
        empty={{ title: '法定の期限を過ぎる見込みの支払はありません', hint: '' }}
      />
    </Card>
  )
}

const COLUMNS: readonly Column<Deadline>[] = [
  {
    id: 'payee',
    header: '支払先',
    isHeading: true,
    cell: row => (
      <>
        {row.partnerName}
        <small className={styles.note}>
          <a href={addressOf(agreementEditPath(row.agreementId))}>{row.agreementName}</a>
        </small>
      </>
    ),
  },
  { id: 'month', header: '発生月', cell: row => monthText(parseYearMonth(row.revenueGeneratedAtMonth)!) },
  {
    id: 'amount',
    header: '金額（円）',
    isFigure: true,
    cell: row => (row.amount === null ? '未計算' : formatInteger(row.amount)),
  },
  { id: 'due', header: '支払期日', cell: row => (row.dueOn ? dayText(row.dueOn as Day) : '未計算') },
  {
    id: 'last',
    header: '法定の期限',
    cell: row => (
      <span className={styles.words}>
        {dayText(row.lastLegalDay as Day)}
        {row.isPassed && <Badge tone="bad">過ぎています</Badge>}
      </span>
    ),
  },
  { id: 'reason', header: '理由', cell: row => row.reason },
]
