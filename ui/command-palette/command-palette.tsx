import { IconCornerDownLeft, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '../feedback/dialog.tsx'
import { goTo } from '../routing/hash-location.ts'
import styles from './command-palette.module.css'
import { foldText } from './fold-text.ts'

/** A destination of the palette. */
export interface Command {
  readonly group: string
  readonly label: string
  readonly note?: string
  /** `#/…`, of another application: `/iam/#/…`, or of the manual, which opens in a tab of its own: `/docs/…`. */
  readonly address: string
}

interface PaletteProps {
  /** Shown first while nothing is typed; each destination once. */
  suggested?: readonly Command[]
  /** Screens and actions, searched in the browser. */
  commands: readonly Command[]
  /** Records, searched by the server after a short pause and never while the input method is composing. */
  search: (text: string) => Promise<readonly Command[]>
  onGo?: (command: Command) => void
  onClose: () => void
}

const NONE: readonly Command[] = []
/** A search starts after this pause in typing. */
const PAUSE_MS = 200
/** In characters. */
const MIN_SEARCH_LENGTH = 1

/** Opens any screen or record by typing: arrow keys select, Enter opens. */
export function CommandPalette({ suggested = NONE, commands, search, onGo, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [isComposing, setComposing] = useState(false)
  const [active, setActive] = useState(0)
  const found = useFound(search, isComposing ? undefined : typed.trim())
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const first = typed.trim() === '' ? suggested : NONE
  const known = new Set(first.map(command => command.address))
  const named = [...first, ...commands.filter(command => matches(command, typed) && !known.has(command.address))]
  const addresses = new Set(named.map(command => command.address))
  const ungrouped = [...named, ...found.commands.filter(command => !addresses.has(command.address))]
  const groups = [...new Set(ungrouped.map(command => command.group))]
  // Later results may belong to a group above, so the arrow keys follow the visible order.
  const shown = groups.flatMap(group => ungrouped.filter(command => command.group === group))
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const go = (command: Command) => {
    onGo?.(command)
    onClose()
    if (command.address.startsWith('#')) goTo(command.address)
    else if (command.address.startsWith('/docs/')) open(command.address, '_blank', 'noopener')
    else location.assign(command.address)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : shown.length - 1
      if (shown.length > 0) setActive((active + step) % shown.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const command = shown[active]
      if (command) go(command)
    }
  }
  return (
    <Dialog title="移動・検索" onClose={onClose} size="large">
      <div className={styles.search}>
        <IconSearch size={18} aria-hidden />
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label="画面・組織・契約・パブリッシャー・支払通知書・フィード・記事・ユーザーを検索"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={shown[active] ? `${listId}-${active}` : undefined}
          placeholder="画面、組織、契約、支払通知書（例：2026年10月 あおい）など"
          autoComplete="off"
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={event => {
            setComposing(false)
            setTyped(event.currentTarget.value)
          }}
        />
      </div>
      <div
        ref={list}
        id={listId}
        className={styles.list}
        role="listbox"
        aria-label="移動先"
        aria-busy={found.isLoading}
      >
        {groups.map(group => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options inside of a listbox
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden>{group}</p>
            {shown.map((command, index) =>
              command.group !== group ? null : (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses in the field
                <div
                  key={command.address}
                  id={`${listId}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === active}
                  onPointerMove={() => setActive(index)}
                  onClick={() => go(command)}
                >
                  <span>{command.label}</span>
                  {command.note && <small>{command.note}</small>}
                  {index === active && <IconCornerDownLeft size={15} aria-hidden />}
                </div>
              ),
            )}
          </div>
        ))}
      </div>
      <p className={styles.hint} role="status">
        {found.hasFailed
          ? '一部を検索できませんでした。もう一度入力してください。'
          : found.isLoading
            ? '検索しています…'
            : shown.length === 0
              ? '見つかりませんでした。別の言葉で検索してください。'
              : '↑↓で選び、Enterで移動します'}
      </p>
    </Dialog>
  )
}

function matches({ label, group, note }: Command, text: string): boolean {
  return foldText(`${group} ${label} ${note ?? ''}`).includes(foldText(text.trim()))
}

interface Found {
  readonly commands: readonly Command[]
  readonly isLoading: boolean
  readonly hasFailed: boolean
}

/** A response that arrives after a later search is dropped. */
function useFound(search: PaletteProps['search'], text: string | undefined): Found {
  const [found, setFound] = useState<{ text: string; commands: readonly Command[]; hasFailed: boolean }>()
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  })
  const isRequested = text !== undefined && text.length >= MIN_SEARCH_LENGTH
  useEffect(() => {
    if (text === undefined || text.length < MIN_SEARCH_LENGTH) return
    let isCurrent = true
    const timer = setTimeout(() => {
      latest.current(text).then(
        commands => isCurrent && setFound({ text, commands, hasFailed: false }),
        () => isCurrent && setFound({ text, commands: [], hasFailed: true }),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  const isAnswered = isRequested && found?.text === text
  return {
    commands: isAnswered ? (found?.commands ?? []) : [],
    isLoading: isRequested && !isAnswered,
    hasFailed: isAnswered && (found?.hasFailed ?? false),
  }
}
