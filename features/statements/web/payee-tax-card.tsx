import { useQuery } from '@apollo/client/react'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { PayeeTaxYearDocument, type PayeeTaxYearQuery } from './statement-years.gen.ts'
import styles from './statements.module.css'

type Row = NonNullable<PayeeTaxYearQuery['payeeTaxYear']>[number]
const KINDS: Readonly<Record<Row['payeeKind'], string>> = { company: '法人', individual: '個人' }
const KINDS_ABROAD: Readonly<Record<Row['payeeKind'], string>> = { company: '外国法人', individual: '非居住者' }
const kindOf = ({ payeeKind, payeeResidence }: Row) =>
  (payeeResidence === 'non_resident' ? KINDS_ABROAD : KINDS)[payeeKind]
const isForRecord = ({ payeeKind, payeeResidence }: Row) =>
  payeeKind === 'individual' || payeeResidence === 'non_resident'

/** For staff: data for payment records of individuals, and the yearly limit of payees without a registration. */
export function PayeeTaxCard({ year }: { year: number }) {
  const { data } = useQuery(PayeeTaxYearDocument, { variables: { year }, fetchPolicy: 'cache-and-network' })
  const rows = data?.payeeTaxYear
  if (!rows) return null
  const save = () =>
    downloadCsv(`支払調書データ_${year}年.csv`, [
      CSV_COLUMNS.map(column => column.header),
      ...rows.filter(isForRecord).map(row => CSV_COLUMNS.map(column => column.cell(row))),
    ])
  const hasRecords = rows.some(isForRecord)
  return (
    <Card
      title="税務のための集計"
      note="個人と非居住者・外国法人の支払先、登録のない支払先"
      tools={hasRecords && <Button onClick={save}>支払調書のデータ（CSV）</Button>}
      flush
    >
      <DataTable<Row>
        caption={`${year}年の税務のための集計`}
        rows={rows}
        rowKey={row => `${row.organizationId}/${row.payeeKind}/${row.payeeResidence}`}
        columns={[
          { id: 'payee', header: '支払先', isHeading: true, cell: row => row.payeeName },
          { id: 'kind', header: '区分', cell: kindOf },
          { id: 'address', header: '住所', cell: row => row.address || <Badge tone="warn">未登録</Badge> },
          { id: 'total', header: '税込金額（円）', isFigure: true, cell: row => formatInteger(row.total) },
          {
            id: 'withholding',
            header: '源泉徴収税額（円）',
            isFigure: true,
            cell: row => formatInteger(row.withholding),
          },
          {
            id: 'record',
            header: '支払調書',
            description:
              '国内の個人への支払が年5万円を超えると、支払調書の提出が必要です。非居住者・外国法人は別の様式で、提出の要否は税理士に確認してください',
            cell: row => (row.needsPaymentRecord ? <Badge tone="warn">提出の対象</Badge> : recordText(row)),
          },
          {
            id: 'unregistered',
            header: '登録がない間の支払（税込・円）',
            isFigure: true,
            description:
              'この年に始まる課税期間の各月分。上限（2026年10月以降に始まる課税期間は1億円、それより前は10億円）を超える部分は、経過措置による仕入税額控除ができません',
            cell: row => formatInteger(row.unregistered),
          },
          {
            id: 'limit',
            header: '課税期間の上限',
            cell: row =>
              row.aboveLimit > 0 ? <Badge tone="bad">{`${formatInteger(row.aboveLimit)}円 超過`}</Badge> : '上限内',
          },
        ]}
        empty={{ title: '個人や非居住者・外国法人の支払先と、登録のない支払先はありません' }}
      />
      <p className={styles.taxNote}>
        住所は組織に登録した今の住所です。支払調書の個人番号は、このシステムでは管理していません。この表の源泉徴収と支払調書は支払期日の年、登録がない間の支払は支払設定の課税期間の開始月で区切ります。「源泉所得税の納付」は実際に振り込んだ月で区切るため、年末年始をまたぐ支払では一致しません。
      </p>
    </Card>
  )
}

const CSV_COLUMNS = [
  {
    header: '区分',
    cell: (row: Row) =>
      row.payeeResidence === 'non_resident' ? '非居住者・外国法人（様式は要確認）' : '報酬、料金、契約金及び賞金',
  },
  { header: '支払先', cell: (row: Row) => row.payeeName },
  { header: '住所', cell: (row: Row) => row.address },
  { header: '支払金額（税込・円）', cell: (row: Row) => row.total },
  { header: 'うち消費税額（円）', cell: (row: Row) => row.totalTax },
  { header: '源泉徴収税額（円）', cell: (row: Row) => row.withholding },
  { header: 'うち未払金額（円）', cell: (row: Row) => row.unpaid },
  { header: '提出の対象', cell: (row: Row) => (row.needsPaymentRecord ? '対象' : recordText(row)) },
]

function recordText({ payeeResidence }: Row): string {
  return payeeResidence === 'non_resident' ? '要確認' : '対象外'
}
