import { useQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { FirstOpenMonthDocument } from './first-open-month.gen.ts'

/** The default first month of new terms; undefined until it is known. */
export function useFirstOpenMonth(today: Day): YearMonth | undefined {
  const { data, error } = useQuery(FirstOpenMonthDocument)
  const month = data?.firstOpenMonth as YearMonth | null | undefined
  return month ?? (data || error ? monthOfDay(today) : undefined)
}
