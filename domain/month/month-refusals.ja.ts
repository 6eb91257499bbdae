import type { RefusalTexts } from '../refusal-text.ts'

export const MONTH_REFUSALS_JA = {
  'month/not-a-month': () =>
    '月は2020年12月から2099年12月までを、西暦4桁と月2桁の数字（例：202604）で指定してください。',
  'month/not-a-year': () => '年は2020年以降を、西暦4桁（例：2026）で指定してください。',
} as const satisfies RefusalTexts
