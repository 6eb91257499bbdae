import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import styles from './searched-choice.module.css'
import { useTypedText } from './use-typed-text.ts'

export interface FoundChoice {
  readonly id: string
  readonly name: string
  /** Distinguishes choices with the same name. */
  readonly note?: string
}

interface SearchedChoiceProps {
  label: string
  /** Undefined: nothing is chosen. */
  chosen: FoundChoice | undefined
  /** Shown while nothing is chosen. */
  noneLabel: string
  /** Label of the first choice, which clears the value; without it something must be chosen. */
  clearLabel?: string
  placeholder: string
  /** Searches on the server; called after a short pause, and never while the input method is composing. */
  search: (text: string) => Promise<readonly FoundChoice[]>
  onChoose: (choice: FoundChoice | undefined) => void
}

/** A filter with one value out of thousands, searched on the server. */
export function SearchedChoice(props: SearchedChoiceProps) {
  const { label, chosen } = props
  return (
    <Popover
      label={label}
      button={popover => (
        <Button {...popover}>
          <span className={styles.label} data-active={chosen ? true : undefined}>
            {label}
            <span className="visually-hidden">:</span>
            <b>{chosen?.name ?? props.noneLabel}</b>
          </span>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      )}
    >
      {close => (
        <Menu
          {...props}
          onChoose={choice => {
            props.onChoose(choice)
            close()
          }}
        />
      )}
    </Popover>
  )
}

function Menu(props: SearchedChoiceProps) {
  const { label, chosen } = props
  const { typed, isComposing, input } = useTypedText('')
  const { choices, state } = useFound(props.search, isComposing ? undefined : typed.trim())
  const id = useId()
  return (
    <div className={styles.menu}>
      <label htmlFor={id} className="visually-hidden">
        {label}を検索
      </label>
      <input {...input} id={id} placeholder={props.placeholder} />
      <ul aria-label={`${label}の候補`} aria-busy={state === 'loading'}>
        {props.clearLabel !== undefined && typed === '' && (
          <li>
            <button type="button" aria-pressed={!chosen} onClick={() => props.onChoose(undefined)}>
              {props.clearLabel}
            </button>
          </li>
        )}
        {choices.map(choice => (
          <li key={choice.id}>
            <button type="button" aria-pressed={chosen?.id === choice.id} onClick={() => props.onChoose(choice)}>
              {choice.name}
              {choice.note && <small>{choice.note}</small>}
            </button>
          </li>
        ))}
      </ul>
      {state !== 'found' && (
        <p className={styles.hint} role="status">
          {HINTS[state]}
        </p>
      )}
    </div>
  )
}

/** A search starts after this pause in typing. */
const PAUSE_MS = 200
const HINTS = {
  loading: '検索しています…',
  nothing: '該当する候補がありません。',
  failed: '候補を読み込めませんでした。もう一度入力してください。',
} as const

interface Found {
  readonly choices: readonly FoundChoice[]
  readonly state: 'found' | keyof typeof HINTS
}

/** The results for the latest text. A late response to an earlier text is dropped. */
function useFound(search: SearchedChoiceProps['search'], text: string | undefined): Found {
  const [found, setFound] = useState<Found>({ choices: [], state: 'loading' })
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  })
  useEffect(() => {
    if (text === undefined) return
    let isCurrent = true
    const timer = setTimeout(
      () => {
        latest.current(text).then(
          choices => isCurrent && setFound({ choices, state: choices.length > 0 ? 'found' : 'nothing' }),
          () => isCurrent && setFound({ choices: [], state: 'failed' }),
        )
      },
      text === '' ? 0 : PAUSE_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  return found
}
