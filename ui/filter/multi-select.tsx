import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './filter.module.css'
import type { Option } from './option.ts'

const Choices = lazyPart(async () => (await import('./choices.tsx')).Choices)

interface MultiSelectProps {
  label: string
  icon?: ReactNode
  options: readonly Option[]
  /** Empty: all. */
  value: readonly string[]
  onChange: (value: readonly string[]) => void
  /** Fetches other options; without it, the given ones are searched. */
  onSearch?: (text: string) => void
  onOpen?: () => void
  isLoading?: boolean
  /** There are more options than shown. */
  hasMore?: boolean
  /** The most values that can be chosen; without it there is no limit. */
  most?: number
  /** A hint about the choice. */
  hint?: string
}

/** A filter with several values. Nothing changes until the choice is confirmed or the panel is closed. */
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
        <Button
          {...popover}
          data-active={value.length > 0 || undefined}
          icon={props.icon}
          onPointerEnter={Choices.load}
          onFocus={Choices.load}
        >
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
      {close => (
        <Suspense fallback={<div className={styles.choices} role="status" aria-label="読み込み中" />}>
          <Choices {...props} draft={draft} onDraft={setDraft} onConfirm={close} />
        </Suspense>
      )}
    </Popover>
  )
}
