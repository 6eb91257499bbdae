import { IconSelector, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import form from './form.module.css'
import styles from './suggest-field.module.css'

/** A chosen record with its name, so that a form can show it without fetching it. */
export interface Choice {
  readonly id: string
  readonly name: string
  /** Distinguishes choices with the same name: a code, an organisation. */
  readonly note?: string
}

interface SuggestProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  /** Searches on the server; called after a short pause, and never while the input method is composing. */
  search: (text: string) => Promise<readonly Choice[]>
  placeholder?: string
  /** Called at once with the choice, for example to clear a branch together with its bank. */
  onChoose?: (choice: Choice | null) => void
}

/** A search starts after this pause in typing. */
const PAUSE_MS = 200

/** Suggestions from a list that only the server has. The form's value is a {@link Choice} or null. */
export function SuggestField<V extends FieldValues, N extends FieldPath<V>>(props: SuggestProps<V, N>) {
  const field = useField(props, value => (isChoice(value) ? value.name : '（未選択）'))
  const chosen = isChoice(field.value) ? field.value : null
  const [typed, setTyped] = useState<string>()
  const [isComposing, setComposing] = useState(false)
  const [active, setActive] = useState(0)
  const place = useRef<HTMLInputElement>(null)
  const isOpen = typed !== undefined
  const found = useFound(props.search, isOpen && !isComposing ? typed : undefined)
  const listId = `${field.id}-list`

  const choose = (choice: Choice | null) => {
    field.set(choice)
    props.onChoose?.(choice)
    setTyped(undefined)
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || field.isReadOnly || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setTyped(undefined)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return setTyped('')
      const count = found.choices.length
      if (count > 0) setActive((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count)
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      const choice = found.choices[active]
      if (choice && !found.isLoading) choose(choice)
    }
  }
  return (
    <FieldFrame field={field} props={props}>
      <span className={styles.suggest}>
        <input
          {...field.aria}
          ref={element => {
            place.current = element
            field.focusRef(element)
          }}
          className={form.input}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && found.choices[active] ? `${listId}-${active}` : undefined}
          autoComplete="off"
          placeholder={props.placeholder ?? '名前で検索'}
          readOnly={field.isReadOnly}
          value={typed ?? chosen?.name ?? ''}
          onChange={event => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onClick={() => {
            if (!field.isReadOnly && !isOpen) {
              setTyped('')
              setActive(0)
            }
          }}
          onKeyDown={onKeyDown}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={event => {
            setComposing(false)
            setTyped(event.currentTarget.value)
          }}
          onBlur={() => {
            setTyped(undefined)
            field.onBlur()
          }}
        />
        {chosen && !field.isReadOnly && !props.isRequired && (
          <button
            type="button"
            className={styles.clear}
            aria-label={`${props.label}を消す`}
            onClick={() => choose(null)}
          >
            <IconX size={16} aria-hidden />
          </button>
        )}
        <IconSelector size={16} aria-hidden />
        {isOpen && (
          <Suggestions
            id={listId}
            label={props.label}
            found={found}
            active={active}
            onChoose={choice => {
              choose(choice)
              place.current?.focus()
            }}
          />
        )}
      </span>
    </FieldFrame>
  )
}

interface Found {
  readonly choices: readonly Choice[]
  readonly isLoading: boolean
  readonly hasFailed: boolean
}

function Suggestions(props: {
  id: string
  label: string
  found: Found
  active: number
  onChoose: (choice: Choice) => void
}) {
  const { choices, isLoading, hasFailed } = props.found
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const hint = hasFailed
    ? '候補を読み込めませんでした。もう一度入力してください。'
    : isLoading
      ? '検索しています…'
      : choices.length === 0
        ? '該当する候補がありません。'
        : undefined
  return (
    <div className={styles.suggestions} aria-busy={isLoading}>
      <div ref={list} id={props.id} role="listbox" aria-label={`${props.label}の候補`}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses in the field
          <div
            key={choice.id}
            id={`${props.id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === props.active}
            // The field keeps the focus, and with it the open list.
            onPointerDown={event => event.preventDefault()}
            onClick={() => props.onChoose(choice)}
          >
            {choice.name}
            {choice.note && <small>{choice.note}</small>}
          </div>
        ))}
      </div>
      {hint && (
        <p className={form.hint} role="status">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The results for the typed text. A late response to an earlier text is dropped. */
function useFound(search: (text: string) => Promise<readonly Choice[]>, text: string | undefined): Found {
  const [found, setFound] = useState<{ text: string; choices: readonly Choice[]; hasFailed: boolean }>()
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  })
  useEffect(() => {
    if (text === undefined) return setFound(undefined)
    let isCurrent = true
    const timer = setTimeout(
      () => {
        latest.current(text.trim()).then(
          choices => isCurrent && setFound({ text, choices, hasFailed: false }),
          () => isCurrent && setFound({ text, choices: [], hasFailed: true }),
        )
      },
      text === '' ? 0 : PAUSE_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  return {
    choices: found?.choices ?? [],
    isLoading: text !== undefined && found?.text !== text,
    hasFailed: found?.hasFailed ?? false,
  }
}

function isChoice(value: unknown): value is Choice {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value
}
