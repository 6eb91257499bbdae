import { auditActionText } from '@pc/domain/access/audit-action-labels.ja.ts'
import { fieldNamesOf } from '@pc/domain/record/record-fields.ts'
import { useState } from 'react'
import { useOwnQuery } from '../data/use-own-query.ts'
import { Button } from '../elements/button.tsx'
import { Card } from '../elements/card.tsx'
import { formatInstant } from '../text/format.ts'
import { RecordHistoryDocument, type RecordHistoryQuery, type RecordKind } from './record-history.gen.ts'
import styles from './record-history.module.css'

/** What a field is called, and how its JSON value is written; a field without an entry is not shown. */
export type FieldWords = Readonly<Record<string, { readonly label: string; show?(value: unknown): string }>>

/** Of a record that declares what its fields are called. `show` writes the values that are no text as they are. */
export function fieldWords<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  show: { readonly [Field in NoInfer<Name>]?: (value: unknown) => string } = {},
): FieldWords {
  return Object.fromEntries(
    fieldNamesOf(labels).map(name => {
      const words = show[name]
      return [name, { label: labels[name], ...(words && { show: words }) }]
    }),
  )
}

type Entry = NonNullable<RecordHistoryQuery['recordHistory']>['nodes'][number]

const FIRST_PAGE_SIZE = 5
const NEXT_PAGE_SIZE = 100

/** Every edit of a record, newest first, with what it was before and after. Staff only. */
export function RecordHistory({ kind, id, words }: { kind: RecordKind; id: string; words: FieldWords }) {
  const [isReadingOlder, setReadingOlder] = useState(false)
  const variables = { kind, id, limit: FIRST_PAGE_SIZE, offset: 0 }
  const { data, loading, fetchMore } = useOwnQuery(RecordHistoryDocument, { variables })
  const history = data?.recordHistory
  const readOlder = (offset: number) => {
    setReadingOlder(true)
    // What failed was told by the client; the button stays for another try.
    fetchMore({ variables: { limit: NEXT_PAGE_SIZE, offset }, updateQuery: withOlder })
      .catch(() => {})
      .finally(() => setReadingOlder(false))
  }
  return (
    <Card title="変更履歴" note={history ? `${history.total}件` : undefined}>
      {!history && <p className={styles.note}>{loading ? '読み込み中…' : '変更履歴を読み込めませんでした。'}</p>}
      {history?.total === 0 && <p className={styles.note}>記録された変更はまだありません。</p>}
      <ol className={styles.timeline}>
        {history?.nodes.map(entry => (
          <HistoryEntry key={entry.id} entry={entry} words={words} />
        ))}
      </ol>
      {history && history.total > history.nodes.length && (
        <Button tone="quiet" aria-disabled={isReadingOlder} onClick={() => readOlder(history.nodes.length)}>
          以前の変更も表示
        </Button>
      )}
    </Card>
  )
}

/** A change made meanwhile moves the others down: what is there already is not added again. */
function withOlder(
  shown: RecordHistoryQuery,
  { fetchMoreResult: { recordHistory: older } }: { fetchMoreResult: RecordHistoryQuery },
): RecordHistoryQuery {
  const known = shown.recordHistory
  if (!known || !older) return shown
  const ids = new Set(known.nodes.map(entry => entry.id))
  return { recordHistory: { ...older, nodes: [...known.nodes, ...older.nodes.filter(entry => !ids.has(entry.id))] } }
}

function HistoryEntry({ entry, words }: { entry: Entry; words: FieldWords }) {
  const shown = entry.fields.filter(field => words[field.name])
  return (
    <li data-action={entry.action}>
      <p>
        <b>{auditActionText(entry.action)}</b>
        <time dateTime={entry.at}>{formatInstant(entry.at)}</time>
      </p>
      <p className={styles.actor}>{entry.actorEmail ?? 'システム'}</p>
      {shown.length > 0 && (
        <dl>
          {shown.map(({ name, before, after }) => (
            <div key={name}>
              <dt>{words[name]?.label}</dt>
              <dd>
                {before !== null && before !== 'null' && (
                  <>
                    <del>{wordsOf(words, name, before)}</del>
                    <span aria-hidden> → </span>
                  </>
                )}
                <ins>{wordsOf(words, name, after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

function wordsOf(words: FieldWords, name: string, json: string | null): string {
  const value: unknown = json === null ? null : JSON.parse(json)
  if (value === null || value === '') return '（なし）'
  const show = words[name]?.show
  if (show) return show(value)
  if (typeof value === 'boolean') return value ? 'はい' : 'いいえ'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
