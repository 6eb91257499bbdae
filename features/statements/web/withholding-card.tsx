import { useQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { WithholdingMonthsDocument, type WithholdingMonthsQuery } from './statement-years.gen.ts'
import styles from './statements.module.css'

type Row = NonNullable<WithholdingMonthsQuery['withholdingMonths']>[number]

/** For staff: the figures of the forms with which withheld income tax is paid, month by month. */
export function WithholdingCard({ year }: { year: number }) {
  const { data } = useQuery(WithholdingMonthsDocument, { variables: { year }, fetchPolicy: 'cache-and-network' })
  const rows = data?.withholdingMonths?.filter(row => row.payment !== 0 || row.returned !== 0 || row.unsettled !== 0)
  if (!rows) return null
  const save = () =>
    downloadCsv(`源泉所得税_${year}年.csv`, [
      [
        '支払った月',
        '様式',
        '人員（人）',
        '支給額（円）',
        '税額（円）',
        '納付後の組戻しの税額（円）',
        '結果待ちの振込（件）',
        '納付期限',
        '税目',
      ],
      ...rows.map(row => [
        ...[row.month, FORMS[row.residence], row.payees, row.payment, row.withholding, row.returned, row.unsettled],
        ...[row.payableOn, row.taxes],
      ]),
    ])
  return (
    <Card
      title="源泉所得税の納付"
      note="振込日の月ごと"
      tools={rows.length > 0 && <Button onClick={save}>納付書のデータ（CSV）</Button>}
      flush
    >
      <DataTable<Row>
        caption={`${year}年の源泉所得税`}
        rows={rows}
        rowKey={row => `${row.month}/${row.residence}`}
        columns={COLUMNS}
        empty={{ title: `${year}年に源泉徴収した支払はありません` }}
      />
      <p className={styles.taxNote}>
        様式は、国内の個人が「報酬・料金等の所得税徴収高計算書」、非居住者・外国法人が「非居住者・外国法人の所得についての所得税徴収高計算書」です。納付書は様式ごとに作成し、どちらも翌月10日までに納付してください。支給額は、消費税を除いた額です。結果待ちの振込は、銀行の結果を登録すると集計に入ります。納付期限までに組戻しになった振込は含みません。納付した後に組戻しになった振込の税額は、納付書から差し引かず、税務署に還付を請求してください。
      </p>
    </Card>
  )
}

const FORMS: Readonly<Record<Row['residence'], string>> = {
  resident: '報酬・料金等',
  non_resident: '非居住者・外国法人',
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'month', header: '支払った月', isHeading: true, cell: row => monthText(parseYearMonth(row.month)!) },
  { id: 'form', header: '様式', cell: row => FORMS[row.residence] },
  { id: 'payees', header: '人員（人）', isFigure: true, cell: row => formatInteger(row.payees) },
  { id: 'payment', header: '支給額（円）', isFigure: true, cell: row => formatInteger(row.payment) },
  { id: 'withholding', header: '税額（円）', isFigure: true, cell: row => formatInteger(row.withholding) },
  {
    id: 'returned',
    header: '納付後の組戻しの税額（円）',
    isFigure: true,
    cell: row => formatInteger(row.returned),
  },
  {
    id: 'unsettled',
    header: '結果待ちの振込',
    cell: row => (row.unsettled === 0 ? 'なし' : <Badge tone="warn">{`${formatInteger(row.unsettled)}件`}</Badge>),
  },
  {
    id: 'payableOn',
    header: '納付期限',
    cell: row => (row.payableOn ? dayText(row.payableOn as Day) : '祝日が未登録'),
  },
]
