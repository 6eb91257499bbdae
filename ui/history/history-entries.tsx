import { auditActionText } from '@pc/domain/access/audit-action-labels.ja.ts'
import { formatInstant } from '../text/format.ts'
import type { FieldWords } from './field-words.ts'
import type { RecordHistoryQuery } from './record-history.gen.ts'
import styles from './record-history.module.css'

type Entry = NonNullable<RecordHistoryQuery['recordHistory']>['nodes'][number]

/** In a module of its own, because the labels of all actions are large and a form is shown before they load. */
export function HistoryEntries({ entries, words }: { entries: readonly Entry[]; words: FieldWords }) {
  return (
    <ol className={styles.timeline}>
      {entries.map(entry => (
        <HistoryEntry key={entry.id} entry={entry} words={words} />
      ))}
    </ol>
  )
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
