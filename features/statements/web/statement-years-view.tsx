import { useApolloClient, useQuery } from '@apollo/client/react'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { SumBoxes } from '@pc/ui/elements/sum-boxes.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { loadAll } from '@pc/ui/list/load-all.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { type StatementYearCondition, statementYears, yearOfCondition } from '../statement-year-condition.ts'
import { PayeeTaxCard } from './payee-tax-card.tsx'
import { STATEMENT_CSV_COLUMNS } from './statement-csv-columns.ts'
import { StatementYearDocument, type StatementYearQuery } from './statement-years.gen.ts'
import { StatementsDocument } from './statements.gen.ts'
import styles from './statements.module.css'
import { WithholdingCard } from './withholding-card.tsx'

type Year = NonNullable<StatementYearQuery['statementYear']>
type Payee = Year['nodes'][number]

/** A calendar year by payee: for staff all payees with data for the tax office, for a publisher its own. */
export function StatementYearsView({
  condition,
  setCondition,
  today,
  viewer,
}: ScreenProps<StatementYearCondition, unknown>) {
  const year = yearOfCondition(condition, today)
  const { data, error, refetch } = useQuery(StatementYearDocument, {
    variables: { year },
    fetchPolicy: 'cache-and-network',
  })
  const found = data?.statementYear
  return (
    <>
      <ScreenTop title="支払の年間集計" note="支払期日がその年にある支払通知書の合計です。">
        <SelectFilter
          label="年"
          value={String(year)}
          options={statementYears(today).map(each => ({ value: String(each), label: `${each}年` }))}
          onChange={chosen => setCondition({ year: chosen })}
        />
      </ScreenTop>
      {!found && error && <FailedContent onRetry={() => void refetch()} />}
      {!found && !error && <Skeleton height={320} />}
      {found && (
        <div className={styles.year}>
          <Sums year={found} />
          <Card
            title="支払先ごとの合計"
            note={`${formatInteger(found.nodes.length)}件`}
            tools={<YearCsv year={year} />}
            flush
          >
            <DataTable<Payee>
              caption={`${year}年の支払先ごとの合計`}
              rows={found.nodes}
              rowKey={row => row.organizationId}
              columns={COLUMNS}
              empty={{ title: `${year}年に支払期日のある支払通知書はありません` }}
            />
          </Card>
          {viewer.can('read:list', 'insight:dividend.') && (
            <>
              <WithholdingCard year={year} />
              <PayeeTaxCard year={year} />
            </>
          )}
        </div>
      )}
    </>
  )
}

function Sums({ year }: { year: Year }) {
  return (
    <SumBoxes
      sums={[
        {
          label: '税込金額の合計',
          amountYen: year.total,
          note: `税抜 ${formatInteger(year.totalWithoutTax)}円 + 消費税 ${formatInteger(year.totalTax)}円`,
        },
        { label: '源泉徴収税額', amountYen: year.withholding, note: '支払済みの振込から差し引いた額' },
        { label: 'まだ支払われていない額', amountYen: year.unpaid, note: '税込。支払予定・振込中・組戻しを含みます' },
      ]}
    />
  )
}

const figure = (id: keyof Payee, header: string): Column<Payee> => ({
  id,
  header,
  isFigure: true,
  cell: row => formatInteger(Number(row[id])),
})
const COLUMNS: readonly Column<Payee>[] = [
  { id: 'payeeName', header: '支払先', isHeading: true, cell: row => row.payeeName },
  figure('statements', '通知書（件）'),
  figure('totalWithoutTax', '税抜金額（円）'),
  figure('totalTax', '消費税額（円）'),
  figure('total', '税込金額（円）'),
  figure('withholding', '源泉徴収税額（円）'),
  figure('fee', '振込手数料（円）'),
  figure('transferred', '振込済みの額（円）'),
  figure('unpaid', '未払の額（円）'),
]

/** Downloads every statement of the year as CSV, with the columns of the list's CSV. */
function YearCsv({ year }: { year: number }) {
  const client = useApolloClient()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const param = {
        dueFrom: `${year}-01-01`,
        dueTo: `${year}-12-31`,
        states: ['issued', 'confirmed', 'objected', 'resolved'] as const,
      }
      const rows = await loadAll(async page => {
        const variables = { ...page, orderBy: 'MONTH_ASC' as const, param: { ...param, states: [...param.states] } }
        return (await client.query({ query: StatementsDocument, variables })).data?.statements
      })
      downloadCsv(`支払通知書_${year}年.csv`, [
        STATEMENT_CSV_COLUMNS.map(column => column.header),
        ...rows.map(row => STATEMENT_CSV_COLUMNS.map(column => column.cell(row))),
      ])
    } catch {
      showToast({ tone: 'warning', message: 'CSVを作成できませんでした。もう一度お試しください。' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button disabled={isBusy} onClick={() => void save()}>
      {isBusy ? '作成しています…' : '年間の支払通知書（CSV）'}
    </Button>
  )
}
