import { useApolloClient } from '@apollo/client/react'
import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { ProblemList } from '@pc/ui/form/problem-list.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger, formatRateUnits, NO_VALUE } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import styles from '../../core/web/month-close.module.css'
import { entryOf, type ManualOperationValues, rowsOf } from './manual-operation-values.ts'
import { PreviewManualOperationDocument, type PreviewManualOperationQuery } from './preview-manual-operation.gen.ts'

type Preview = NonNullable<PreviewManualOperationQuery['previewDividend']>
type Row = Preview['rows'][number]
type Answer = { readonly of: string; readonly preview?: Preview; readonly problems: readonly string[] }

/** What would be booked, row by row, and what is wrong with it. Nothing is written. */
export function ManualOperationPreview({
  control,
  operation,
}: {
  control: Control<ManualOperationValues>
  operation: string
}) {
  const client = useApolloClient()
  const values = useWatch({ control }) as ManualOperationValues
  const content = JSON.stringify([entryOf(values, operation), values.rawText])
  const [answer, setAnswer] = useState<Answer>()
  const [isBusy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      const { rows, problem } = await rowsOf(values)
      if (problem !== undefined) return setAnswer({ of: content, problems: [problem] })
      const { data } = await client.query({
        query: PreviewManualOperationDocument,
        variables: { input: entryOf(values, operation), ...(rows.length === 0 ? {} : { rawData: rows }) },
        fetchPolicy: 'no-cache',
        errorPolicy: 'none',
      })
      if (data?.previewDividend) setAnswer({ of: content, preview: data.previewDividend, problems: [] })
    } catch (error) {
      const texts = refusalsOf(error).map(refusal => refusal.message)
      setAnswer({
        of: content,
        problems: texts.length > 0 ? texts : ['確認できませんでした。もう一度お試しください。'],
      })
    } finally {
      setBusy(false)
    }
  }
  const isStale = answer !== undefined && answer.of !== content
  return (
    <Card
      title="登録前の確認"
      note="登録せずに、計上される内容を確認できます"
      tools={
        <Button aria-disabled={isBusy} disabled={!values.mediumId} onClick={() => void ask()}>
          {isBusy ? '確認しています…' : '内容を確認する'}
        </Button>
      }
    >
      <div className={styles.preview} aria-live="polite">
        {isStale && <p>入力が変わりました。もう一度「内容を確認する」を押してください。</p>}
        {answer && !isStale && <Outcome answer={answer} />}
      </div>
    </Card>
  )
}

function Outcome({ answer: { preview, problems } }: { answer: Answer }) {
  const texts = [...problems, ...(preview?.errors ?? []).map(error => error.message)]
  return (
    <>
      <ProblemList texts={texts} />
      {preview && (
        <>
          <p className={styles.figures}>
            <span>
              総額 <b className="num">{formatInteger(preview.total)}</b>円
            </span>
            <span>
              支払先への計上 <b className="num">{formatInteger(preview.shared)}</b>円
            </span>
            <span>
              当社の留保 <b className="num">{formatInteger(preview.retained)}</b>円
            </span>
          </p>
          <DataTable
            caption="計上される行"
            columns={preview.rows.some(row => row.originMonth !== null) ? [...COLUMNS, ORIGIN_MONTH] : COLUMNS}
            rows={preview.rows}
            rowKey={row => `${row.agreementId}-${row.publisherId}-${row.line}`}
            empty={{ title: '計上される行はありません' }}
          />
        </>
      )}
    </>
  )
}

/** Shown only when a row corrects an earlier month. */
const ORIGIN_MONTH: Column<Row> = {
  id: 'originMonth',
  header: '収益の発生月',
  cell: row => isoMonthText(row.originMonth, '対象月と同じ'),
}
const COLUMNS: readonly Column<Row>[] = [
  { id: 'publisher', header: 'パブリッシャー', isHeading: true, cell: row => row.publisherName },
  { id: 'agreement', header: '契約', cell: row => row.agreementName },
  { id: 'weight', header: '重み', isFigure: true, cell: row => formatInteger(row.weight) },
  { id: 'allocated', header: '配分額（円）', isFigure: true, cell: row => formatInteger(row.allocated) },
  {
    id: 'rate',
    header: '支払率',
    isFigure: true,
    cell: row => (row.rateUnits === null ? NO_VALUE : formatRateUnits(row.rateUnits)),
  },
  { id: 'amount', header: '計上額（円）', isFigure: true, cell: row => formatInteger(row.amount) },
]
