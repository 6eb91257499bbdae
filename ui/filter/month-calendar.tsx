import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/ja'
import './calendar.css'
import { MonthPicker } from '@mantine/dates'
import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { firstDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { MantinePart } from '../theme/mantine-part.tsx'
import { CALENDAR_TEXTS } from './calendar-texts.ts'

export function MonthCalendar(props: { value: YearMonth; latest: YearMonth; onChoose: (month: YearMonth) => void }) {
  return (
    <MantinePart>
      <MonthPicker
        {...CALENDAR_TEXTS}
        minDate={EARLIEST_DAY}
        maxDate={firstDayOf(props.latest)}
        defaultDate={firstDayOf(props.value)}
        value={firstDayOf(props.value)}
        onChange={text => {
          const day = parseDay(text ?? '')
          if (day !== undefined) props.onChoose(monthOfDay(day))
        }}
      />
    </MantinePart>
  )
}
