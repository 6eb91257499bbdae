import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { DayFilter } from '@pc/ui/filter/day-filter.tsx'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { Suspense } from 'react'
import {
  INGEST_DATASETS,
  INGEST_PAGE_SIZE,
  INGEST_RESULTS,
  type IngestCondition,
  ingestCondition,
} from '../ingest-condition.ts'
import { ingestBatchPath } from '../links.ts'
import styles from './ingest.module.css'
import type { IngestBatchesQuery } from './ingest-batches.gen.ts'
import { DATASET_WORDS, daysText, RESULT_WORDS } from './ingest-words.ts'

type Row = IngestBatchesQuery['ingestBatches']['nodes'][number]

/** Loaded only for people who may deliver. */
const DeliverFile = lazyPart(async () => (await import('./deliver-file.tsx')).DeliverFile)

const ALL = { value: 'all', label: 'すべて' } as const
const DATASETS = [ALL, ...INGEST_DATASETS.map(value => ({ value, label: DATASET_WORDS[value] }))] as const
const RESULTS = [ALL, ...INGEST_RESULTS.map(value => ({ value, label: RESULT_WORDS[value].label }))] as const

/** The list of deliveries: when each came, from whom, and its outcome. */
export function IngestBatchesView(props: ScreenProps<IngestCondition, IngestBatchesQuery>) {
  const { condition, setCondition, data } = props
  const media = useMedia()
  const change = (next: Partial<IngestCondition>) => setCondition({ page: 1, ...next })
  const mayDeliver = props.viewer.can('write:create', 'insight:ingest.')
  return (
    <ListScreen
      title="取り込み履歴"
      noun="取り込み"
      columns={columnsFor(media.nameOf)}
      rows={data?.ingestBatches.nodes ?? []}
      rowKey={row => row.id}
      total={data?.ingestBatches.total ?? 0}
      page={condition.page}
      pageSize={INGEST_PAGE_SIZE}
      onPage={page => setCondition({ page })}
      isLoading={props.isLoading}
      error={data ? undefined : props.error}
      retry={props.retry}
      isFiltered={ingestCondition.format({ ...condition, page: 1 }) !== undefined}
      onClearFilters={() => setCondition(ingestCondition.defaults)}
      nothing={{
        title: '取り込みはまだありません',
        hint: mayDeliver
          ? '上の「ファイルを取り込む」から始めるか、APIキーを使って配信システムから届けてください。'
          : '統計データや記事・動画が届くと、ここに表示されます。',
      }}
      summary={
        mayDeliver && (
          <Suspense fallback={null}>
            <DeliverFile onPublished={props.retry} />
          </Suspense>
        )
      }
      filters={
        <>
          <SearchFilter
            label="取り込みを検索"
            placeholder="バッチID・ファイル名"
            value={condition.q}
            onSearch={q => change({ q })}
          />
          <SelectFilter
            label="データセット"
            options={DATASETS}
            value={condition.dataset}
            onChange={dataset => change({ dataset })}
          />
          <SelectFilter
            label="結果"
            options={RESULTS}
            value={condition.result}
            onChange={result => change({ result })}
          />
          <SelectFilter
            label="媒体"
            options={[{ value: '', label: 'すべて' }, ...media.options]}
            value={condition.mediumId ?? ''}
            onChange={id => change({ mediumId: id === '' ? undefined : id })}
          />
          <DayFilter label="届いた日（開始）" value={condition.from} onChange={from => change({ from })} />
          <DayFilter label="届いた日（終了）" value={condition.to} onChange={to => change({ to })} />
          <DayFilter label="対象の日" value={condition.day} onChange={day => change({ day })} />
        </>
      }
    />
  )
}

/** Shortens ids that are SHA-256 checksums, which deliveries without an id of their own get. */
function shortBatchId(batchId: string): string {
  return /^[0-9a-f]{64}$/.test(batchId) ? `${batchId.slice(0, 12)}…` : batchId
}

/** Shows the first medium and the number of others; the detail screen lists them all. */
function mediaCell(names: readonly string[]) {
  const [first, ...others] = names
  if (first === undefined) return NO_VALUE
  return others.length === 0 ? first : <span title={names.join('、')}>{`${first} ほか${others.length}件`}</span>
}

function columnsFor(mediumName: (id: string) => string): Column<Row>[] {
  return [
    {
      id: 'receivedAt',
      header: '届いた日時',
      isHeading: true,
      cell: row => <RowLink address={addressOf(ingestBatchPath(row.id))}>{formatInstant(row.receivedAt)}</RowLink>,
    },
    {
      id: 'result',
      header: '結果',
      cell: row => {
        const { tone, label, meaning } = RESULT_WORDS[row.result]
        return (
          <Badge tone={tone} title={meaning}>
            {label}
          </Badge>
        )
      },
    },
    { id: 'dataset', header: 'データセット', cell: row => DATASET_WORDS[row.dataset] },
    { id: 'days', header: '対象の日', cell: daysText },
    { id: 'media', header: '媒体', cell: row => mediaCell(row.mediumIds.map(mediumName)) },
    {
      id: 'rows',
      header: '行数',
      isFigure: true,
      cell: row => (row.result === 'applied' || row.result === 'replaced' ? formatInteger(row.rows) : NO_VALUE),
    },
    {
      id: 'badRows',
      header: '誤りのある行',
      isFigure: true,
      cell: row => (Number(row.badRows) === 0 ? NO_VALUE : formatInteger(row.badRows)),
    },
    { id: 'sender', header: '届けた人・APIキー', cell: row => row.deliveredBy ?? row.apiKeyName ?? NO_VALUE },
    {
      id: 'batch',
      header: 'バッチID・ファイル',
      cell: row => (
        <span className={styles.batch}>
          <span title={row.batchId}>
            {row.revision > 1 ? `${shortBatchId(row.batchId)}（第${row.revision}版）` : shortBatchId(row.batchId)}
          </span>
          {row.sourceName !== '' && row.sourceName !== row.batchId && <small>{row.sourceName}</small>}
        </span>
      ),
    },
  ]
}
