import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../button.tsx'
import { Popover } from '../popover.tsx'
import styles from './filter.module.css'

export interface Option {
  readonly value: string
  readonly label: string
}

interface MultiSelectProps {
  label: string
  icon?: ReactNode
  options: readonly Option[]
  /** Empty: all. */
  value: readonly string[]
  onChange: (value: readonly string[]) => void
  /** Asks for other options; without it the given ones are searched. */
  onSearch?: (text: string) => void
  onOpen?: () => void
  isLoading?: boolean
  /** There are more options than shown. */
  hasMore?: boolean
}

const SEARCHABLE_FROM = 8

/** A filter with several values. Nothing changes until the choice is confirmed or the panel is left. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, value, options, onChange } = props
  const [draft, setDraft] = useState(value)
  const names = value.map(id => options.find(option => option.value === id)?.label ?? `ID ${id}`)
  const commit = (next: readonly string[]) => {
    if (next.length !== value.length || next.some(id => !value.includes(id))) onChange(next)
  }
  return (
    <Popover
      label={label}
      onOpenChange={isOpen => {
        if (isOpen) {
          setDraft(value)
          props.onOpen?.()
        } else commit(draft)
      }}
      button={popover => (
        <Button {...popover} data-active={value.length > 0 || undefined} icon={props.icon}>
          <span className={styles.selectLabel}>
            {label}
            <span className="visually-hidden">:</span>
            <b>{names.length === 0 ? 'すべて' : names.length === 1 ? names[0] : `${names.length}件`}</b>
            {names.length > 1 && <span className="visually-hidden">（{names.join('、')}）</span>}
          </span>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      )}
    >
      {close => <Choices {...props} draft={draft} onDraft={setDraft} onConfirm={close} />}
    </Popover>
  )
}

interface ChoicesProps extends MultiSelectProps {
  draft: readonly string[]
  onDraft: (draft: readonly string[]) => void
  onConfirm: () => void
}

function Choices({ options, draft, onDraft, onConfirm, onSearch, isLoading, hasMore, label }: ChoicesProps) {
  const [text, setText] = useState('')
  const isSearchable = onSearch !== undefined || options.length >= SEARCHABLE_FROM
  const found = onSearch ? options : options.filter(option => matches(option.label, text))
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
              <input type="checkbox" checked={draft.includes(option.value)} onChange={() => toggle(option.value)} />
              <span>{option.label}</span>
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.hint}>{isLoading ? '読み込み中…' : '該当する候補がありません。'}</p>}
      {hasMore && <p className={styles.hint}>候補が多いため一部を表示しています。名前で検索してください。</p>}
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

/** Ignores width, case and hiragana/katakana, as a person does who types a name. */
function matches(label: string, text: string): boolean {
  return fold(label).includes(fold(text))
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, char => String.fromCharCode(char.charCodeAt(0) - 0x60))
}

const SEARCH_DELAY_MS = 250

/** Reports what was typed after a short pause, and never while the input method is still composing. */
function SearchField({ label, onText }: { label: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState('')
  const [isComposing, setComposing] = useState(false)
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
      <input
        id={id}
        type="search"
        placeholder="名前で検索"
        autoComplete="off"
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={event => {
          setComposing(false)
          setTyped(event.currentTarget.value)
        }}
      />
    </div>
  )
}
