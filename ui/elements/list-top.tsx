import { IconChevronLeft, IconChevronRight, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTypedText } from '../filter/use-typed-text.ts'
import { formatInteger } from '../text/format.ts'
import { Button } from './button.tsx'
import styles from './list-top.module.css'
import { usePressed } from './use-pressed.ts'

/** The title of a screen with its actions. */
export function ScreenTop(props: { title: string; note?: ReactNode; children?: ReactNode }) {
  return (
    <header className={styles.top}>
      <h1>{props.title}</h1>
      {props.note && <p>{props.note}</p>}
      {props.children && <div className={styles.tools}>{props.children}</div>}
    </header>
  )
}

export function Filters({ children }: { children: ReactNode }) {
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">絞り込み</legend>
      {children}
    </fieldset>
  )
}

/** A search starts after this pause in typing. */
const PAUSE_MS = 250

/** Searches after a short pause or on Enter, but never while the input method is composing. */
export function SearchFilter(props: {
  label: string
  placeholder: string
  value: string
  onSearch: (text: string) => void
}) {
  const { typed, setTyped, isComposing, input } = useTypedText(props.value)
  const [known, setKnown] = useState(props.value)
  const id = useId()
  if (props.value !== known) {
    // The address changed by itself, through a step back or a link.
    setKnown(props.value)
    if (typed.trim() !== props.value) setTyped(props.value)
  }
  const { onSearch, value } = props
  useEffect(() => {
    if (isComposing || typed.trim() === value) return
    const timer = setTimeout(() => onSearch(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, isComposing, value, onSearch])
  return (
    <div className={styles.search}>
      <IconSearch size={16} aria-hidden />
      <label htmlFor={id} className="visually-hidden">
        {props.label}
      </label>
      <input
        {...input}
        id={id}
        placeholder={props.placeholder}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onSearch(typed.trim())
        }}
      />
    </div>
  )
}

/** A choice from a short list, with its label in front. */
export function SelectFilter<const T extends string>(props: {
  label: string
  options: readonly { readonly value: T; readonly label: string }[]
  value: T
  onChange: (value: T) => void
}) {
  const [value, press] = usePressed(props.value, props.onChange)
  return (
    <label className={styles.select}>
      <span>{props.label}</span>
      <select className="control" value={value} onChange={event => press(event.target.value as T)}>
        {props.options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Shows which rows of how many are visible, with links to the neighbouring pages. */
export function Pager(props: { page: number; size: number; total: number; onPage: (page: number) => void }) {
  const { page, size, total, onPage } = props
  const last = Math.max(1, Math.ceil(total / size))
  const from = (page - 1) * size + 1
  if (total === 0) return null
  return (
    <nav className={styles.pager} aria-label="ページ">
      <p className="num">
        {`${formatInteger(total)}件中 ${
          page > last ? '0' : `${formatInteger(from)}〜${formatInteger(Math.min(total, page * size))}`
        }件`}
      </p>
      <Button aria-label="前のページ" disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, last))}>
        <IconChevronLeft size={16} aria-hidden />
      </Button>
      <span className="num">{`${page} / ${last}`}</span>
      <Button aria-label="次のページ" disabled={page >= last} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  )
}
