import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'

/** One month of one medium: what is computed, closed and chained as a whole. */
export interface MonthKey {
  readonly mediumId: bigint
  readonly month: YearMonth
}

/** The month's name for staff with the medium's id, which `board-names.ts` replaces by its name. */
export function monthName({ mediumId, month }: MonthKey): string {
  return `媒体 ${mediumId} / ${formatYearMonth(month)}`
}
