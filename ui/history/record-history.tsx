import { useQuery } from '@apollo/client/react'
import { fieldNamesOf } from '@pc/domain/record/record-fields.ts'
import { useState } from 'react'
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

const FEW = 5
const MANY = 100

const ACTIONS: Readonly<Record<string, string>> = {
  create: '登録',
  update: '変更',
  delete: '削除',
  approve: '承認',
  reject: '却下',
  restore: '取り消し',
}

/** Every edit of a record, newest first, with what it was before and after. Staff only. */
export function RecordHistory({ kind, id, words }: { kind: RecordKind; id: string; words: FieldWords }) {
  const [limit, setLimit] = useState(FEW)
  const result = useQuery(RecordHistoryDocument, { variables: { kind, id, limit } })
  const history = (result.data ?? result.previousData)?.recordHistory
  return (
    <Card title="変更履歴" note={history ? `${history.total}件` : undefined}>
      {!history && <p className={styles.note}>{result.loading ? '読み込み中…' : '変更履歴を読み込めませんでした。'}</p>}
      {history?.total === 0 && <p className={styles.note}>記録された変更はまだありません。</p>}
      <ol className={styles.timeline}>
        {history?.nodes.map(entry => (
          <HistoryEntry key={entry.id} entry={entry} words={words} />
        ))}
      </ol>
      {history && history.total > history.nodes.length && limit === FEW && (
        <Button tone="quiet" onClick={() => setLimit(MANY)}>
          以前の変更も表示
        </Button>
      )}
    </Card>
  )
}

function HistoryEntry({ entry, words }: { entry: Entry; words: FieldWords }) {
  const shown = entry.fields.filter(field => words[field.name])
  return (
    <li data-action={entry.action}>
      <p>
        <b>{ACTIONS[entry.action] ?? entry.action}</b>
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
