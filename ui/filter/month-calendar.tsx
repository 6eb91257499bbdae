import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/ja'
import './calendar.css'
import { MonthPicker } from '@mantine/dates'
import { parseDay } from '@pc/domain/month/day.ts'
import { EARLIEST_MONTH, firstDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { MantinePart } from '../theme/mantine-part.tsx'
import { CALENDAR_TEXTS } from './calendar-texts.ts'

/** The month grid, a year at a time; months out of the bounds are disabled. */
export function MonthCalendar(props: {
  value: YearMonth | undefined
  /** Default: the first month that the product knows. */
  earliest?: YearMonth
  latest: YearMonth | undefined
  onChoose: (month: YearMonth) => void
}) {
  const { value, earliest = EARLIEST_MONTH, latest } = props
  return (
    <MantinePart>
      <MonthPicker
        {...CALENDAR_TEXTS}
        minDate={firstDayOf(earliest)}
        {...(latest ? { maxDate: firstDayOf(latest) } : {})}
        {...(value ? { defaultDate: firstDayOf(value) } : {})}
        value={value ? firstDayOf(value) : null}
        onChange={text => {
          const day = parseDay(text ?? '')
          if (day !== undefined) props.onChoose(monthOfDay(day))
        }}
      />
    </MantinePart>
  )
}
