import { type DayRange, EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay } from '@pc/domain/month/year-month.ts'
import { IconCalendar } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './filter.module.css'

const RangeCalendar = lazyPart(async () => (await import('./range-calendar.tsx')).RangeCalendar)

interface RangePickerProps {
  label: string
  value: DayRange
  today: Day
  /** Undefined: back to the default range. */
  onChange: (range: DayRange | undefined) => void
}

/** Preset ranges. They end yesterday at the latest, the last day that can have data. */
export function rangePresets(today: Day): readonly { label: string; range: DayRange }[] {
  const yesterday = addDays(today, -1)
  const month = monthOfDay(today)
  const thisMonth = { from: firstDayOf(month), to: yesterday < firstDayOf(month) ? today : yesterday }
  const lastMonth = addMonths(month, -1)
  const presets = [
    { label: '今月', range: thisMonth },
    { label: '先月', range: { from: firstDayOf(lastMonth), to: lastDayOf(lastMonth) } },
    { label: '直近7日', range: { from: addDays(yesterday, -6), to: yesterday } },
    { label: '直近28日', range: { from: addDays(yesterday, -27), to: yesterday } },
  ]
  return presets.filter(preset => preset.range.from >= EARLIEST_DAY)
}

/** A period from 2020-12-01 to today, chosen from presets or from a calendar. */
export function RangePicker({ label, value, today, onChange }: RangePickerProps) {
  return (
    <Popover
      label={label}
      button={props => (
        <Button
          {...props}
          icon={<IconCalendar size={16} aria-hidden />}
          onPointerEnter={RangeCalendar.load}
          onFocus={RangeCalendar.load}
        >
          <span className="visually-hidden">{label}:</span>
          <span className="num">
            {dayText(value.from)}〜{dayText(value.to)}
          </span>
        </Button>
      )}
    >
      {close => (
        <Panel
          value={value}
          today={today}
          onChoose={range => {
            onChange(range)
            close()
          }}
        />
      )}
    </Popover>
  )
}

function Panel(props: { value: DayRange; today: Day; onChoose: (range: DayRange | undefined) => void }) {
  const [from, setFrom] = useState<Day>()
  return (
    <div className={styles.range}>
      <ul className={styles.presets} aria-label="期間の候補">
        {rangePresets(props.today).map(preset => (
          <li key={preset.label}>
            <button
              type="button"
              aria-pressed={preset.range.from === props.value.from && preset.range.to === props.value.to}
              onClick={() => props.onChoose(preset.range)}
            >
              {preset.label}
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => props.onChoose(undefined)}>
            既定の期間に戻す
          </button>
        </li>
      </ul>
      <div className={styles.calendar}>
        <Suspense fallback={<div className={styles.calendarWait} role="status" aria-label="読み込み中" />}>
          <RangeCalendar value={props.value} today={props.today} onFirst={setFrom} onChoose={props.onChoose} />
        </Suspense>
        <p className={styles.hint} aria-live="polite">
          {from ? `${dayText(from)} から。終了日を選んでください。` : '開始日と終了日を選んでください。'}
        </p>
      </div>
    </div>
  )
}
