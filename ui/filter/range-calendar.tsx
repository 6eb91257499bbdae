import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/ja'
import './calendar.css'
import { DatePicker } from '@mantine/dates'
import { useMediaQuery } from '@mantine/hooks'
import { type DayRange, EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { addMonths, firstDayOf, monthOfDay } from '@pc/domain/month/year-month.ts'
import { useState } from 'react'
import { MantinePart } from '../theme/mantine-part.tsx'
import { CALENDAR_TEXTS } from './calendar-texts.ts'
import { nameOfDay, propsOfDay } from './marked-days.ts'

interface RangeCalendarProps {
  value: DayRange
  today: Day
  /** Called when the first of the two days has been chosen. */
  onFirst: (day: Day | undefined) => void
  onChoose: (range: DayRange) => void
}

export function RangeCalendar({ value, today, onFirst, onChoose }: RangeCalendarProps) {
  const isWide = useMediaQuery('(min-width: 900px)', true, { getInitialValueInEffect: false })
  const [days, setDays] = useState<[string | null, string | null]>([value.from, value.to])
  const month = monthOfDay(value.to)
  return (
    <MantinePart>
      <DatePicker
        type="range"
        {...CALENDAR_TEXTS}
        firstDayOfWeek={0}
        numberOfColumns={isWide ? 2 : 1}
        allowSingleDateInRange
        minDate={EARLIEST_DAY}
        maxDate={today}
        defaultDate={firstDayOf(isWide && month > monthOfDay(EARLIEST_DAY) ? addMonths(month, -1) : month)}
        value={days}
        getDayAriaLabel={nameOfDay}
        getDayProps={propsOfDay}
        onChange={next => {
          setDays(next)
          const [from, to] = [parseDay(next[0] ?? ''), parseDay(next[1] ?? '')]
          onFirst(to === undefined ? from : undefined)
          if (from !== undefined && to !== undefined) onChoose({ from, to })
        }}
      />
    </MantinePart>
  )
}
