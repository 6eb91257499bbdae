import type { Day } from '@pc/domain/month/day.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, EARLIEST_MONTH, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './filter.module.css'

const MonthCalendar = lazyPart(async () => (await import('./month-calendar.tsx')).MonthCalendar)

type MonthPickerProps = {
  label: string
  value: YearMonth
  /** Default: the first month that the product knows. */
  earliest?: YearMonth | undefined
  onChange: (month: YearMonth) => void
} & ({ today: Day } | { latest: YearMonth })

/** One month from the earliest to the latest, otherwise this one: steps to the neighbours, or a calendar of months. */
export function MonthPicker(props: MonthPickerProps) {
  const { label, value, earliest = EARLIEST_MONTH, onChange } = props
  const latest = 'latest' in props ? props.latest : monthOfDay(props.today)
  const step = (months: number) => onChange(addMonths(value, months))
  return (
    <fieldset className={styles.monthPicker}>
      <legend className="visually-hidden">{label}</legend>
      <Button aria-label="前月" disabled={value <= earliest} onClick={() => step(-1)}>
        <IconChevronLeft size={16} aria-hidden />
      </Button>
      <Popover
        label={label}
        button={button => (
          <Button
            {...button}
            icon={<IconCalendar size={16} aria-hidden />}
            onPointerEnter={MonthCalendar.load}
            onFocus={MonthCalendar.load}
          >
            <span className="visually-hidden">{label}:</span>
            <span className="num">{monthText(value)}</span>
          </Button>
        )}
      >
        {close => (
          <div className={styles.calendar}>
            <Suspense fallback={<div className={styles.calendarWait} role="status" aria-label="読み込み中" />}>
              <MonthCalendar
                value={value}
                earliest={earliest}
                latest={latest}
                onChoose={month => {
                  onChange(month)
                  close()
                }}
              />
            </Suspense>
          </div>
        )}
      </Popover>
      <Button aria-label="翌月" disabled={value >= latest} onClick={() => step(1)}>
        <IconChevronRight size={16} aria-hidden />
      </Button>
    </fieldset>
  )
}
