import { Suspense, useEffect, useState } from 'react'
import { useOwnQuery } from '../data/use-own-query.ts'
import { Button } from '../elements/button.tsx'
import { Card } from '../elements/card.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { FieldWords } from './field-words.ts'
import { RecordHistoryDocument, type RecordHistoryQuery, type RecordKind } from './record-history.gen.ts'
import styles from './record-history.module.css'

const HistoryEntries = lazyPart(async () => (await import('./history-entries.tsx')).HistoryEntries)
const FIRST_PAGE_SIZE = 5
const NEXT_PAGE_SIZE = 100

/** Every edit of a record, newest first, with what it was before and after. Staff only. */
export function RecordHistory({ kind, id, words }: { kind: RecordKind; id: string; words: FieldWords }) {
  useEffect(HistoryEntries.load, [])
  const [isReadingOlder, setReadingOlder] = useState(false)
  const variables = { kind, id, limit: FIRST_PAGE_SIZE, offset: 0 }
  const { data, loading, fetchMore } = useOwnQuery(RecordHistoryDocument, { variables })
  const history = data?.recordHistory
  const readOlder = (offset: number) => {
    setReadingOlder(true)
    // The client shows the failure, and the button remains for another attempt.
    fetchMore({ variables: { limit: NEXT_PAGE_SIZE, offset }, updateQuery: withOlder })
      .catch(() => {})
      .finally(() => setReadingOlder(false))
  }
  return (
    <Card title="変更履歴" note={history ? `${history.total}件` : undefined}>
      {!history && <p className={styles.note}>{loading ? '読み込み中…' : '変更履歴を読み込めませんでした。'}</p>}
      {history?.total === 0 && <p className={styles.note}>記録された変更はまだありません。</p>}
      {history && (
        <Suspense fallback={<p className={styles.note}>読み込み中…</p>}>
          <HistoryEntries entries={history.nodes} words={words} />
        </Suspense>
      )}
      {history && history.total > history.nodes.length && (
        <Button tone="quiet" aria-disabled={isReadingOlder} onClick={() => readOlder(history.nodes.length)}>
          以前の変更も表示
        </Button>
      )}
    </Card>
  )
}

/** Appends older entries. A new change shifts the pages, so entries that are already shown are skipped. */
function withOlder(
  shown: RecordHistoryQuery,
  { fetchMoreResult: { recordHistory: older } }: { fetchMoreResult: RecordHistoryQuery },
): RecordHistoryQuery {
  const known = shown.recordHistory
  if (!known || !older) return shown
  const ids = new Set(known.nodes.map(entry => entry.id))
  return { recordHistory: { ...older, nodes: [...known.nodes, ...older.nodes.filter(entry => !ids.has(entry.id))] } }
}
