import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { typedDay } from '@pc/domain/month/public-holidays.ts'
import { IconCalendar } from '@tabler/icons-react'
import { type ComponentProps, type Ref, Suspense, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './day-box.module.css'
import filter from './filter.module.css'

const DayCalendar = lazyPart(async () => (await import('./day-calendar.tsx')).DayCalendar)

export interface DayBoxProps extends Pick<ComponentProps<'input'>, 'id' | 'className' | 'onBlur' | 'readOnly'> {
  /** Names the input where no label element does. */
  label: string
  isNamed?: boolean
  /** YYYY-MM-DD; empty: none. */
  value: string
  min?: string | undefined
  max?: string | undefined
  inputRef?: Ref<HTMLInputElement>
  /** Called with a day or an empty text. An incomplete text is not reported until the input is left. */
  onChange: (value: string) => void
  'aria-invalid'?: true | undefined
  'aria-required'?: true | undefined
  'aria-describedby'?: string | undefined
}

/** The input for a day: typed in any usual notation, or chosen from a calendar that marks public holidays. */
export function DayBox(props: DayBoxProps) {
  const {
    label,
    isNamed,
    value,
    min,
    max,
    inputRef,
    onChange,
    onBlur,
    readOnly,
    className = 'control',
    ...rest
  } = props
  const [known, setKnown] = useState(value)
  const [typed, setTyped] = useState(shownDay(value))
  const [isWrong, setWrong] = useState(false)
  if (value !== known) {
    setKnown(value)
    if ((typedDay(typed) ?? '') !== value) setTyped(shownDay(value))
    setWrong(false)
  }
  const emit = (next: string) => {
    setKnown(next)
    if (next !== value) onChange(next)
  }
  return (
    <span className={styles.day}>
      <span className={styles.box}>
        <input
          {...rest}
          ref={inputRef}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          placeholder="2026/11/30"
          className={className}
          {...(isNamed ? {} : { 'aria-label': label })}
          aria-invalid={isWrong || props['aria-invalid'] || undefined}
          value={typed}
          readOnly={readOnly}
          onChange={event => {
            const text = event.target.value
            setTyped(text)
            setWrong(false)
            const day = typedDay(text)
            if (day !== undefined) emit(day)
            else if (text.trim() === '') emit('')
          }}
          onBlur={event => {
            const day = typedDay(typed)
            if (day !== undefined) setTyped(shownDay(day))
            else if (typed.trim() !== '') {
              setWrong(true)
              emit('')
            }
            onBlur?.(event)
          }}
        />
        {!readOnly && (
          <Popover
            label="カレンダー"
            button={button => (
              <Button
                {...button}
                aria-label="カレンダーから選択"
                icon={<IconCalendar size={16} aria-hidden />}
                onPointerEnter={DayCalendar.load}
                onFocus={DayCalendar.load}
              />
            )}
          >
            {close => (
              <div className={filter.calendar}>
                <Suspense fallback={<div className={filter.calendarWait} role="status" aria-label="読み込み中" />}>
                  <DayCalendar
                    value={parseDay(value)}
                    min={parseDay(min ?? '')}
                    max={parseDay(max ?? '')}
                    onChoose={day => {
                      setTyped(shownDay(day))
                      setWrong(false)
                      emit(day)
                      close()
                    }}
                  />
                </Suspense>
              </div>
            )}
          </Popover>
        )}
      </span>
      {isWrong && (
        <small className={styles.wrong} role="alert">
          日付は 2026/11/30 のように入力してください。
        </small>
      )}
    </span>
  )
}

function shownDay(value: Day | string): string {
  return value.replaceAll('-', '/')
}
