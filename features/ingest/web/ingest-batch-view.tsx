import { useApolloClient } from '@apollo/client/react'
import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { Pager } from '@pc/ui/elements/list-top.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { loadAll } from '@pc/ui/list/load-all.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { MONTH_CLOSE_PATH } from '../../payments/links.ts'
import { INGEST_ERRORS_PAGE_SIZE, type IngestErrorsCondition } from '../ingest-condition.ts'
import { INGEST_BATCHES_PATH, ingestBatchPath } from '../links.ts'
import { AbandonIngestBatchDocument } from './abandon-ingest-batch.gen.ts'
import styles from './ingest.module.css'
import { IngestBatchDocument, type IngestBatchQuery } from './ingest-batch.gen.ts'
import { DATASET_WORDS, daysText, RESULT_WORDS } from './ingest-words.ts'

type Batch = NonNullable<IngestBatchQuery['ingestBatch']>
type IngestError = NonNullable<Batch['errors']>['nodes'][number]
type Correction = NonNullable<Batch['corrections']>[number]

/** One delivery with its wrong rows and the corrections that it caused in finalised months. */
export function IngestBatchView(props: ScreenProps<IngestErrorsCondition, IngestBatchQuery>) {
  const { condition, setCondition } = props
  return (
    <RecordScreen
      {...props}
      title="取り込みの詳細"
      listAddress={addressOf(INGEST_BATCHES_PATH)}
      record={props.data?.ingestBatch ?? undefined}
      name={one => `${DATASET_WORDS[one.dataset]}・${formatInstant(one.receivedAt)}`}
      actions={one => (
        <>
          {(one.result === 'failed' || one.result === 'running') &&
            props.viewer.can('write:create', 'insight:ingest.') && <Abandon of={one} />}
          <SecondaryLink address={addressOf(INGEST_BATCHES_PATH)}>一覧へ</SecondaryLink>
        </>
      )}
    >
      {one => (
        <div className={styles.stack}>
          {one.refusedBecause !== '' && (
            <Card title={one.result === 'refused' ? '取り込まなかった理由' : '取り込みが完了していない理由'}>
              <p className={styles.reason}>{one.refusedBecause}</p>
            </Card>
          )}
          <Facts of={one} />
          <Errors of={one} page={condition.page} onPage={page => setCondition({ page })} />
          {one.corrections && one.corrections.length > 0 && <Corrections of={one.corrections} />}
        </div>
      )}
    </RecordScreen>
  )
}

/** Lets a person give up a delivery that cannot be published. */
function Abandon({ of: one }: { of: Batch }) {
  const client = useApolloClient()
  const abandon = useSubmission(AbandonIngestBatchDocument)
  const run = async () => {
    const isAgreed = await confirm({
      title: `取り込み ${one.id} を中止しますか？`,
      body: '届いた数値は表示されません。置き換える前の数値があれば、それを表示し続けます。元に戻すには、同じファイルを送り直してください。',
      action: '取り込みを中止する',
      tone: 'danger',
    })
    if (!isAgreed) return
    try {
      await abandon({ id: one.id })
      showToast({ tone: 'success', message: '取り込みを中止しました。' })
    } catch {
      // The client's error handling has shown the refusal.
    }
    await client.refetchQueries({ include: 'active' })
  }
  return (
    <Button tone="danger" onClick={() => void run()}>
      取り込みを中止
    </Button>
  )
}

function Facts({ of: one }: { of: Batch }) {
  const media = useMedia()
  const result = RESULT_WORDS[one.result]
  const isTaken = one.result === 'applied' || one.result === 'replaced'
  const facts: (readonly [string, ReactNode])[] = [
    [
      '結果',
      <>
        <Badge tone={result.tone}>{result.label}</Badge> {result.meaning}
      </>,
    ],
    ['データセット', DATASET_WORDS[one.dataset]],
    ['対象の日', daysText(one)],
    ['媒体', one.mediumIds.map(media.nameOf).join('、') || NO_VALUE],
    ['届いた日時', formatInstant(one.receivedAt)],
    ['反映した日時', one.appliedAt == null ? NO_VALUE : formatInstant(one.appliedAt)],
    ['行数', isTaken ? `${formatInteger(one.rows)}行` : NO_VALUE],
    ['誤りのある行', Number(one.badRows) === 0 ? 'なし' : `${formatInteger(one.badRows)}行`],
    ['届けた人', one.deliveredBy ?? NO_VALUE],
    ['APIキー', one.apiKeyName ?? NO_VALUE],
    ['ファイル名', one.sourceName || NO_VALUE],
    ['バッチID', `${one.batchId}（第${one.revision}版）`],
    ['内容（SHA-256）', one.sha256],
  ]
  if (Number(one.movedRows) > 0)
    facts.push(['パブリッシャーの変更', `${formatInteger(one.movedRows)}件の${DATASET_WORDS[one.dataset]}`])
  if (one.replacesId != null) facts.push(['置き換えた取り込み', <IngestBatchLink key="of" id={one.replacesId} />])
  if (one.replacedById != null) facts.push(['代わりの取り込み', <IngestBatchLink key="by" id={one.replacedById} />])
  return (
    <Card title="内容">
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function IngestBatchLink({ id }: { id: string }) {
  return <a href={addressOf(ingestBatchPath(id))}>{`取り込み ${id}`}</a>
}

function Errors({ of: one, page, onPage }: { of: Batch; page: number; onPage: (page: number) => void }) {
  const { total = 0, nodes = [] } = one.errors ?? {}
  return (
    <>
      <Card title="行ごとの誤り" flush tools={total > 0 && <ErrorsCsv of={one} />}>
        <DataTable<IngestError>
          caption="行ごとの誤り"
          rows={nodes}
          rowKey={row => `${row.line} ${row.column}`}
          columns={ERROR_COLUMNS}
          empty={emptyText(one, total)}
        />
      </Card>
      {one.result === 'refused' && total > 0 && Number(one.badRows) > total && (
        <p className={styles.note}>
          {`誤りのある行は全部で${formatInteger(one.badRows)}行あります。はじめの${formatInteger(total)}件を保存しています。`}
        </p>
      )}
      <Pager page={page} size={INGEST_ERRORS_PAGE_SIZE} total={total} onPage={onPage} />
    </>
  )
}

function emptyText({ badRows }: Batch, total: number) {
  if (total > 0) return { title: 'このページに表示する行はありません', hint: '前のページへ戻ってください。' }
  if (Number(badRows) === 0) return { title: '行の誤りはありません', hint: '' }
  return {
    title: '行ごとの誤りは、新しい取り込みに表示しています',
    hint: '同じ内容がもう一度届いたためです。一覧から新しい取り込みを開いてください。',
  }
}

const ERROR_COLUMNS: readonly Column<IngestError>[] = [
  { id: 'line', header: '行', isHeading: true, cell: row => `${formatInteger(row.line)}行目` },
  { id: 'column', header: '列', cell: row => row.column || '行全体' },
  {
    id: 'reason',
    header: '誤りと直し方',
    cell: row => (
      <span className={styles.long} data-wide>
        {row.reason}
      </span>
    ),
  },
  {
    id: 'source',
    header: '届いた行',
    cell: row => (
      <code className={styles.source} data-wide>
        {row.sourceText}
      </code>
    ),
  },
]

/** Downloads all kept error rows, not only the shown page. */
function ErrorsCsv({ of: one }: { of: Batch }) {
  const client = useApolloClient()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const rows = await loadAll(async page => {
        const { data } = await client.query({ query: IngestBatchDocument, variables: { id: one.id, ...page } })
        return data?.ingestBatch?.errors
      })
      downloadCsv(`取り込みの誤り_${one.id}.csv`, [
        ['行', '列', '誤りと直し方', '届いた行'],
        ...rows.map(row => [Number(row.line), row.column, row.reason, row.sourceText]),
      ])
      showToast({ tone: 'success', message: `${formatInteger(rows.length)}件をCSVに書き出しました。` })
    } catch {
      showToast({ tone: 'error', message: 'CSVに書き出せませんでした。もう一度お試しください。' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button disabled={isBusy} icon={<IconDownload size={16} aria-hidden />} onClick={() => void save()}>
      {isBusy ? '書き出しています…' : 'CSV'}
    </Button>
  )
}

function Corrections({ of: corrections }: { of: readonly Correction[] }) {
  const media = useMedia()
  return (
    <Card
      title="確定済みの月の訂正"
      note="確定した金額は変わりません。届いた数値との差額を、次の未確定の月に計上しました。"
      flush
    >
      <DataTable<Correction>
        caption="確定済みの月の訂正"
        rows={corrections}
        rowKey={row => row.dividendId}
        columns={[
          { id: 'origin', header: '対象の月', isHeading: true, cell: row => isoMonthText(row.originMonth) },
          { id: 'medium', header: '媒体', cell: row => media.nameOf(row.mediumId) },
          { id: 'amount', header: '差額（税抜・円）', isFigure: true, cell: row => formatInteger(row.amount) },
          {
            id: 'month',
            header: '計上した月',
            cell: row => <a href={addressOf(MONTH_CLOSE_PATH, `month=${row.month}`)}>{isoMonthText(row.month)}</a>,
          },
          { id: 'bookedAt', header: '計上した日時', cell: row => formatInstant(row.bookedAt) },
        ]}
        empty={{ title: '訂正はありません', hint: '' }}
      />
    </Card>
  )
}
