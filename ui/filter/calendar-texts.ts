/** Japanese texts of Mantine's calendars: 2026年11月 instead of 11月 2026, and labelled arrow buttons. */
export const CALENDAR_TEXTS = {
  locale: 'ja',
  monthLabelFormat: 'YYYY年M月',
  yearLabelFormat: 'YYYY年',
  monthsListFormat: 'M月',
  ariaLabels: {
    nextMonth: '翌月',
    previousMonth: '前月',
    nextYear: '翌年',
    previousYear: '前年',
    nextDecade: '次の10年',
    previousDecade: '前の10年',
  },
} as const
