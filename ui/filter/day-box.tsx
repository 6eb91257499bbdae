import { parseDay } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { typedDay, typedMonth } from '@pc/domain/month/typed-date.ts'
import { EARLIEST_MONTH, formatYearMonth, monthOfDay, parseYearMonth } from '@pc/domain/month/year-month.ts'
import { IconCalendar } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, type Ref, Suspense, useId, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import { todayInTokyo } from '../text/clock-day.ts'
import styles from './day-box.module.css'
import filter from './filter.module.css'

const DayCalendar = lazyPart(async () => (await import('./day-calendar.tsx')).DayCalendar)
const MonthCalendar = lazyPart(async () => (await import('./month-calendar.tsx')).MonthCalendar)

export interface DayBoxProps extends Pick<ComponentProps<'input'>, 'id' | 'className' | 'onBlur' | 'readOnly'> {
  /** Names the calendar and its button, and the input where no label element does. */
  label: string
  isNamed?: boolean
  /** YYYY-MM-DD, of a month YYYY-MM; empty: none. */
  value: string
  min?: string | undefined
  max?: string | undefined
  /** What an empty input means; default: an example of the format. */
  placeholder?: string | undefined
  inputRef?: Ref<HTMLInputElement>
  /** A day or month, or empty. What is half typed changes nothing until the input is left. */
  onChange: (value: string) => void
  'aria-invalid'?: true | undefined
  'aria-required'?: true | undefined
  'aria-describedby'?: string | undefined
}

interface Unit {
  readonly noun: string
  readonly example: string
  /** The value that a text says; undefined while it is none. */
  read(text: string): string | undefined
  /** Whether more figures could make another value of it, as 2026/1 may become 2026/11. */
  mayGoOn(text: string): boolean
  inWords(value: string): string
  readonly load: () => void
  calendar(props: Pick<DayBoxProps, 'value' | 'min' | 'max'> & { onChoose: (value: string) => void }): ReactNode
}

const DAYS: Unit = {
  noun: '日付',
  example: '2026/11/30',
  read: text => typedDay(text, todayInTokyo()),
  mayGoOn: () => false,
  inWords: value => {
    const day = parseDay(value)
    return day === undefined ? value : dayText(day)
  },
  load: DayCalendar.load,
  calendar: ({ value, min, max, onChoose }) => (
    <DayCalendar value={parseDay(value)} min={parseDay(min ?? '')} max={parseDay(max ?? '')} onChoose={onChoose} />
  ),
}

const MONTHS: Unit = {
  noun: '月',
  example: '2026/11',
  read: text => {
    const month = typedMonth(text, monthOfDay(todayInTokyo()))
    return month === undefined ? undefined : formatYearMonth(month)
  },
  mayGoOn: text => /\D1$/.test(text.normalize('NFKC').trim()),
  inWords: value => {
    const month = parseYearMonth(value)
    return month === undefined ? value : monthText(month)
  },
  load: MonthCalendar.load,
  calendar: ({ value, min = '', max = '', onChoose }) => (
    <MonthCalendar
      value={parseYearMonth(value)}
      earliest={parseYearMonth(min) ?? EARLIEST_MONTH}
      latest={parseYearMonth(max)}
      onChoose={month => onChoose(formatYearMonth(month))}
    />
  ),
}

/** The one input of a day: typed in any usual form, or chosen from a calendar that marks public holidays. */
export function DayBox(props: DayBoxProps) {
  return <CalendarBox {...props} unit={DAYS} />
}

/** The one input of a month, likewise; its calendar is the month grid. */
export function MonthBox(props: DayBoxProps) {
  return <CalendarBox {...props} unit={MONTHS} />
}

function CalendarBox(props: DayBoxProps & { unit: Unit }) {
  const { unit, label, isNamed, value, min, max, placeholder, inputRef, onChange, onBlur, readOnly, ...aria } = props
  const { className = 'control', ...rest } = aria
  const id = useId()
  const [known, setKnown] = useState(value)
  const [sent, setSent] = useState('')
  const [typed, setTyped] = useState(shown(value))
  const [stage, setStage] = useState<'shown' | 'typing' | 'left'>('shown')
  if (value !== known) {
    setKnown(value)
    setSent('')
    // A filter that rejects what was typed becomes empty; the text stays, so that it can be corrected.
    const isRejected = value === '' && sent !== ''
    if (!isRejected && (unit.read(typed) ?? '') !== value) {
      setTyped(shown(value))
      setStage('shown')
    }
  }
  const emit = (next: string) => {
    if (next === value) return
    setSent(next)
    onChange(next)
  }
  /** What nobody has typed stays as it is, even where it is out of the bounds. */
  const settle = () => {
    if (stage !== 'typing') return
    const read = unit.read(typed)
    if (read !== undefined) setTyped(shown(read))
    emit(read ?? '')
    setStage('left')
  }
  // A form says it too, at the same field, when it is sent (`data-unreadable`).
  const problem = stage === 'left' && !aria['aria-invalid'] ? problemOf(unit, typed, min, max) : undefined
  const described = [props['aria-describedby'], problem && id].filter(Boolean).join(' ')
  return (
    <span className={styles.day}>
      <span className={styles.box}>
        <input
          {...rest}
          ref={inputRef}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          placeholder={placeholder ?? unit.example}
          className={className}
          {...(isNamed ? {} : { 'aria-label': label })}
          aria-invalid={problem !== undefined || props['aria-invalid'] || undefined}
          aria-describedby={described === '' ? undefined : described}
          value={typed}
          data-unreadable={isReadable(unit, typed) ? undefined : unreadableText(unit)}
          readOnly={readOnly}
          onChange={event => {
            const text = event.target.value
            setTyped(text)
            setStage('typing')
            const read = unit.read(text)
            if (read !== undefined && !unit.mayGoOn(text)) emit(read)
            else if (text.trim() === '') emit('')
          }}
          onKeyDown={event => {
            // Before the form is sent by the same key.
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) settle()
          }}
          onBlur={event => {
            settle()
            onBlur?.(event)
          }}
        />
        {!readOnly && (
          <Popover
            label={`${label}のカレンダー`}
            button={button => (
              <Button
                {...button}
                aria-label={`${label}をカレンダーから選択`}
                icon={<IconCalendar size={16} aria-hidden />}
                onPointerEnter={unit.load}
                onFocus={unit.load}
              />
            )}
          >
            {close => (
              <div className={filter.calendar}>
                <Suspense fallback={<div className={filter.calendarWait} role="status" aria-label="読み込み中" />}>
                  {unit.calendar({
                    ...{ value, min, max },
                    onChoose: chosen => {
                      setTyped(shown(chosen))
                      setStage('shown')
                      emit(chosen)
                      close()
                    },
                  })}
                </Suspense>
              </div>
            )}
          </Popover>
        )}
      </span>
      {problem && (
        <small id={id} className={styles.wrong} role="alert">
          {problem}
        </small>
      )}
    </span>
  )
}

/** A value outside of the bounds is passed on, so that the form or the server refuses it by its own rule too. */
function problemOf(unit: Unit, typed: string, min = '', max = ''): string | undefined {
  if (!isReadable(unit, typed)) return unreadableText(unit)
  const read = unit.read(typed)
  if (read === undefined) return undefined
  if (min !== '' && read < min) return `${unit.inWords(min)}以降の${unit.noun}を入力してください。`
  if (max !== '' && read > max) return `${unit.inWords(max)}までの${unit.noun}を入力してください。`
  return undefined
}

/** Empty, or a text that says a day or month. */
const isReadable = (unit: Unit, typed: string) => typed.trim() === '' || unit.read(typed) !== undefined

const unreadableText = (unit: Unit) => `${unit.noun}は ${unit.example} のように入力してください。`

function shown(value: string): string {
  return value.replaceAll('-', '/')
}
