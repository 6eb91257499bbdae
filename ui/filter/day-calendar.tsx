import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/ja'
import './calendar.css'
import { DatePicker } from '@mantine/dates'
import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { MantinePart } from '../theme/mantine-part.tsx'
import { CALENDAR_TEXTS } from './calendar-texts.ts'
import { nameOfDay, propsOfDay } from './marked-days.ts'

export function DayCalendar(props: {
  value: Day | undefined
  min: Day | undefined
  max: Day | undefined
  onChoose: (day: Day) => void
}) {
  const { value, min = EARLIEST_DAY, max } = props
  return (
    <MantinePart>
      <DatePicker
        {...CALENDAR_TEXTS}
        firstDayOfWeek={0}
        minDate={min}
        {...(max ? { maxDate: max } : {})}
        {...(value ? { defaultDate: value } : {})}
        value={value ?? null}
        getDayAriaLabel={nameOfDay}
        getDayProps={propsOfDay}
        onChange={text => {
          const chosen = parseDay(text ?? '')
          if (chosen !== undefined) props.onChoose(chosen)
        }}
      />
    </MantinePart>
  )
}
