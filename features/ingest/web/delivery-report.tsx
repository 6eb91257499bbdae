import { MICRO_YEN_PER_YEN } from '@pc/domain/money/micro-yen.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import type { ReactNode } from 'react'
import { ingestBatchPath } from '../links.ts'
import styles from './deliver-file.module.css'
import { daysText } from './ingest-words.ts'
import type { Checked, DeliveryOptions, RowProblem } from './send-delivery.ts'
import type { DeliveryActions } from './use-delivery.ts'

interface Report {
  readonly file: File
  readonly options: DeliveryOptions
  readonly answer: Checked
  readonly actions: DeliveryActions
  readonly choice: ReactNode
}

/** Shows the dry run's findings and consequences, and asks for the decision. */
export function DeliveryReport({ file, options, answer, actions, choice }: Report) {
  const { status, summary, badRows, replaces } = answer
  const taken = summary ? summary.rows - summary.badRows : 0
  const isRefused = status === 'refused'
  return (
    <div className={styles.report}>
      <p>
        <b>{file.name}</b>{' '}
        <Badge tone={isRefused ? 'bad' : status === 'unchanged' ? 'mute' : 'ok'}>
          {isRefused ? '取り込めません' : status === 'unchanged' ? '取り込み済み' : '取り込めます'}
        </Badge>
      </p>
      {choice}
      <p role={isRefused ? 'alert' : 'status'} className={isRefused ? styles.problem : undefined}>
        {answer.message}
        {answer.batch && <a href={addressOf(ingestBatchPath(answer.batch.batchNo))}>取り込みの詳細</a>}
      </p>
      {summary && <Summary of={summary} />}
      {badRows > 0 && <Problems errors={answer.errors} badRows={badRows} />}
      <Decisions answer={answer} options={options} actions={actions} />
      {replaces && (
        <p className={styles.notice}>
          <a href={addressOf(ingestBatchPath(replaces.batchNo))}>{`取り込み ${replaces.batchNo}`}</a>
          {`（${daysText(replaces)}、${formatInteger(replaces.rows)}行）の数値はすべて消え、このファイルの数値に置き換わります。`}
        </p>
      )}
      {!isRefused && REPORTS_ONLY.has(options.dataset) && (
        <p className={styles.hint}>
          このデータセットはレポートだけに使います。支払額の計算には「パブリッシャーの日別」も取り込んでください。
        </p>
      )}
      <FinalMonths of={answer.finalMonths} />
      <div className={styles.actions}>
        {status === 'acceptable' && (
          <Button tone="primary" onClick={actions.publish}>{`${formatInteger(taken)}行を取り込む`}</Button>
        )}
        <Button onClick={actions.cancel}>{status === 'acceptable' ? '取り込まない' : '閉じる'}</Button>
      </div>
    </div>
  )
}

const REPORTS_ONLY: ReadonlySet<string> = new Set(['article-daily', 'video-daily', 'events'])

type SummaryOf = NonNullable<Checked['summary']>

function Summary({ of: { rows, badRows, totals, days, dayCount, ...period } }: { of: SummaryOf }) {
  const facts: (readonly [string, string])[] = [
    ['行数', `${formatInteger(rows)}行`],
    ['誤りのある行', badRows === 0 ? 'なし' : `${formatInteger(badRows)}行`],
    ...(period.firstDay === null
      ? []
      : [['対象の日', `${daysText(period)}（${formatInteger(dayCount)}日分）`] as const]),
    ...totals.map(({ column, label, total }) => [`${label}の合計`, amountText(column, total)] as const),
  ]
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {days.length > 1 && (
        <details>
          <summary>日ごとの行数と合計</summary>
          <DataTable
            caption="日ごとの行数と合計"
            rows={days}
            rowKey={one => one.day}
            columns={[
              { id: 'day', header: '日付', isHeading: true, cell: one => one.day },
              { id: 'rows', header: '行数', isFigure: true, cell: one => formatInteger(one.rows) },
              ...totals.map(({ column, label }, at) => ({
                id: column,
                header: label,
                isFigure: true,
                cell: (one: SummaryOf['days'][number]) => amountText(column, one.totals[at] ?? '0'),
              })),
            ]}
            empty={{ title: '', hint: '' }}
          />
          {dayCount > days.length && <p className={styles.hint}>{`はじめの${formatInteger(days.length)}日分です。`}</p>}
        </details>
      )}
    </>
  )
}

/** A total as text, money in whole yen rounded down. BigInt, because sums may exceed 2^53. */
function amountText(column: string, total: string): string {
  const isMoney = column.endsWith('_micro_yen')
  const value = isMoney ? BigInt(total) / MICRO_YEN_PER_YEN : BigInt(total)
  return `${value.toLocaleString('ja-JP')}${isMoney ? '円' : ''}`
}

const PROBLEM_COLUMNS: readonly Column<RowProblem>[] = [
  { id: 'line', header: '行', isHeading: true, cell: row => `${formatInteger(row.line)}行目` },
  { id: 'column', header: '列', cell: row => row.column || '行全体' },
  { id: 'message', header: '誤りと直し方', cell: row => <span data-wide>{row.message}</span> },
]

function Problems({ errors, badRows }: { errors: readonly RowProblem[]; badRows: number }) {
  const byColumn = [...Map.groupBy(errors, one => one.column || '行全体')]
  const listed = new Set(errors.map(({ line }) => line)).size
  return (
    <>
      <p className={styles.hint}>
        {`列ごとの誤り：${byColumn.map(([column, found]) => `${column} ${formatInteger(found.length)}件`).join('、')}`}
        {listed < badRows &&
          `（全部で${formatInteger(badRows)}行あります。はじめの${formatInteger(listed)}行を表示しています）`}
      </p>
      <DataTable<RowProblem>
        caption="行ごとの誤り"
        rows={errors}
        rowKey={row => `${row.line} ${row.column}`}
        columns={PROBLEM_COLUMNS}
        empty={{ title: '', hint: '' }}
      />
    </>
  )
}

/** Options that can make a refused delivery acceptable; each choice runs another dry run. */
function Decisions({ answer, options, actions }: Pick<Report, 'answer' | 'options' | 'actions'>) {
  const { code, otherBatchId } = answer
  const mayQuarantine = options.quarantine || code === 'ingest/bad-rows'
  const replaces = options.replaces ?? otherBatchId ?? undefined
  return (
    <>
      {mayQuarantine && (
        <label className={styles.decision}>
          <input
            type="checkbox"
            checked={options.quarantine}
            onChange={event => actions.change({ ...options, quarantine: event.target.checked })}
          />
          誤りのある行を除いて取り込む
        </label>
      )}
      {replaces !== undefined && (
        <label className={styles.decision}>
          <input
            type="checkbox"
            checked={options.replaces !== undefined}
            onChange={event => actions.change({ ...options, replaces: event.target.checked ? replaces : undefined })}
          />
          {`取り込み済みのバッチ ${replaces.slice(0, 40)} を置き換える`}
        </label>
      )}
    </>
  )
}

function FinalMonths({ of: months }: { of: Checked['finalMonths'] }) {
  const media = useMedia()
  if (months.length === 0) return null
  const text = months.map(one => {
    const month = parseYearMonth(one.month)
    return `${media.nameOf(one.mediumId)}の${month === undefined ? one.month : monthText(month)}`
  })
  return (
    <p className={styles.notice}>
      {`${text.join('、')}は確定済みです。確定した金額は変わらず、差額を次の未確定の月に計上します。`}
    </p>
  )
}
