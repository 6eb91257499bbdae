import type { Refusal } from '../refusal.ts'
import type { HolidayCalendarRefusal } from './holiday-calendar.ts'

/** Japanese texts of the refusals of this folder; every code has one. */
export const HOLIDAY_CALENDAR_REFUSALS_JA = {
  'holiday-calendar/header-unknown': () =>
    '祝日ファイルの1行目が内閣府の形式と異なります。内閣府の「国民の祝日」CSVをそのまま取り込んでください。',
  'holiday-calendar/line-unreadable': data =>
    `祝日ファイルの${data.line}行目を読み取れません。「年/月/日,名称」の形式にしてください。`,
  'holiday-calendar/day-twice': data => `祝日ファイルの${data.line}行目の日付（${data.day}）が重複しています。`,
  'holiday-calendar/empty': () => '祝日ファイルに祝日がありません。ファイルを確認してください。',
  'holiday-calendar/year-incomplete': data =>
    `祝日ファイルに${data.year}年の${data.name}がありません。途中で切れていないか確認し、完全なファイルを取り込んでください。`,
  'holiday-calendar/older': data =>
    `このファイルの祝日は${data.lastYear}年までです。登録済みの祝日は${data.knownYear}年まであるため、取り込みませんでした。内閣府の最新のファイルを取り込んでください。`,
} as const satisfies Record<HolidayCalendarRefusal['code'], (data: Refusal['data']) => string>
