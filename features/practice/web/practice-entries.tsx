import { isoMonthText, monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { jobKindLabel } from '@pc/domain/payment/job-text.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import { saveFile } from '@pc/ui/data/save-file.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { manualOperationCreatePath } from '../../payments/links.ts'
import { manualOperationDraftCondition } from '../../payments/manual-operation-draft-condition.ts'
import type { PracticeQuery } from './practice.gen.ts'
import styles from './practice.module.css'

type Practice = NonNullable<PracticeQuery['practice']>
type Entry = Practice['entries'][number]

export const isFinal = ({ state }: Pick<Practice['media'][number], 'state'>) => isFinalMonth(state)

/** The adjustments of the real month, to be entered again. */
export function PracticeEntries({ practice, month }: { practice: Practice; month: YearMonth }) {
  return (
    <Card
      title="入力するもの"
      note={`実際の${monthText(month)}分で登録した調整です。金額を見て、同じように登録してください`}
      flush
    >
      <DataTable<Entry>
        caption="入力するもの"
        rows={practice.entries}
        rowKey={entry => String(entry.number)}
        columns={entryColumns(month, new Set(practice.media.filter(isFinal).map(medium => medium.mediumId)))}
        empty={{ title: '入力するものはありません', hint: 'そのまま計算できます。' }}
      />
    </Card>
  )
}

const entryColumns = (month: YearMonth, finalMedia: ReadonlySet<string>): Column<Entry>[] => [
  { id: 'medium', header: '媒体', isHeading: true, cell: entry => entry.mediumName },
  {
    id: 'kind',
    header: '種類',
    cell: entry => (
      <span className={styles.cell}>
        {jobKindLabel(entry.kind)}
        {entry.notes !== '' && <small>{entry.notes}</small>}
      </span>
    ),
  },
  { id: 'method', header: '方法', cell: entry => (entry.method === 'payment' ? '支払' : '破棄') },
  { id: 'month', header: '発生月', cell: entry => isoMonthText(entry.extraRevenueMonth) },
  { id: 'amount', header: '金額（円）', isFigure: true, cell: entry => formatInteger(entry.amount) },
  {
    id: 'rows',
    header: '明細',
    cell: entry =>
      entry.rowsCsv !== '' && (
        <Button
          aria-label={`${entry.mediumName}の${jobKindLabel(entry.kind)}のCSVを保存`}
          onClick={() => saveRows(entry)}
        >
          CSVを保存
        </Button>
      ),
  },
  {
    id: 'enter',
    header: '操作',
    cell: entry =>
      !finalMedia.has(entry.mediumId) && (
        <a href={entryAddress(month, entry)} aria-label={`${entry.mediumName}の${jobKindLabel(entry.kind)}を登録する`}>
          登録する
        </a>
      ),
  },
]

/** The address of the form with this entry's settings; the person types the amount. */
const entryAddress = (month: YearMonth, { kind, mediumId, method }: Entry) =>
  addressOf(
    manualOperationCreatePath(month),
    manualOperationDraftCondition.format({ ...manualOperationDraftCondition.defaults, month, kind, mediumId, method }),
  )

/** Saves the rows as a CSV file for uploading, with a byte order mark, so that a spreadsheet can open it first. */
function saveRows({ number, kind, rowsCsv }: Entry): void {
  saveFile(`entry_${number}_${kind}.csv`, new Blob([`\uFEFF${rowsCsv}\r\n`], { type: 'text/csv;charset=utf-8' }))
}
