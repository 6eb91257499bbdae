import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { Button } from '../elements/button.tsx'
import styles from './filter.module.css'
import type { Option } from './option.ts'
import { useTypedText } from './use-typed-text.ts'

/** From this number of options on, the list has a search field. */
const SEARCHABLE_FROM = 8

interface ChoicesProps {
  label: string
  options: readonly Option[]
  /** Fetches other options; without it, the given ones are searched. */
  onSearch?: ((text: string) => void) | undefined
  isLoading?: boolean | undefined
  /** There are more options than shown. */
  hasMore?: boolean | undefined
  /** The most values that can be chosen; without it there is no limit. */
  most?: number | undefined
  hint?: string | undefined
  draft: readonly string[]
  onDraft: (draft: readonly string[]) => void
  onConfirm: () => void
}

/** The options in the opened panel; its code loads with the first panel. */
export function Choices(props: ChoicesProps) {
  const { options, draft, onDraft, onConfirm, onSearch, isLoading, hasMore, label, most, hint } = props
  const [text, setText] = useState('')
  const isSearchable = onSearch !== undefined || options.length >= SEARCHABLE_FROM
  const found = onSearch ? options : options.filter(option => matches(option.label, text))
  const isFull = most !== undefined && draft.length >= most
  const toggle = (id: string) => onDraft(draft.includes(id) ? draft.filter(other => other !== id) : [...draft, id])
  return (
    <div className={styles.choices}>
      {isSearchable && (
        <SearchField
          label={`${label}を検索`}
          onText={next => {
            setText(next)
            onSearch?.(next)
          }}
        />
      )}
      <ul aria-label={label} aria-busy={isLoading}>
        {found.map(option => (
          <li key={option.value}>
            <label>
              <input
                type="checkbox"
                checked={draft.includes(option.value)}
                disabled={isFull && !draft.includes(option.value)}
                onChange={() => toggle(option.value)}
              />
              <span>{option.label}</span>
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.hint}>{isLoading ? '読み込み中…' : '該当する候補がありません。'}</p>}
      {hasMore && <p className={styles.hint}>候補が多いため一部を表示しています。名前で検索してください。</p>}
      {isFull && (
        <p className={styles.hint} role="status">
          {`${most}件まで選べます。`}
        </p>
      )}
      {hint && !isFull && <p className={styles.hint}>{hint}</p>}
      <div className={styles.choiceActions}>
        <Button tone="quiet" disabled={draft.length === 0} onClick={() => onDraft([])}>
          すべて解除
        </Button>
        <Button tone="primary" onClick={onConfirm}>
          適用
        </Button>
      </div>
    </div>
  )
}

/** Ignores width, case and hiragana/katakana, as people do when they type a name. */
function matches(label: string, text: string): boolean {
  return fold(label).includes(fold(text))
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, char => String.fromCharCode(char.charCodeAt(0) - 0x60))
}

/** A search starts after this pause in typing. */
const SEARCH_DELAY_MS = 250

/** Reports typed text after a short pause, but never while the input method is composing. */
function SearchField({ label, onText }: { label: string; onText: (text: string) => void }) {
  const { typed, isComposing, input } = useTypedText('')
  const [reported, setReported] = useState('')
  const id = useId()
  useEffect(() => {
    if (isComposing || typed === reported) return
    const timer = setTimeout(() => {
      setReported(typed)
      onText(typed)
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed, isComposing, reported, onText])
  return (
    <div className={styles.search}>
      <IconSearch size={16} aria-hidden />
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <input {...input} id={id} placeholder="名前で検索" />
    </div>
  )
}
