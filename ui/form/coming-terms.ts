import { comingVersions, type History } from '@pc/domain/agreement/terms-history.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, parseYearMonth } from '@pc/domain/month/year-month.ts'

/** A hint beside the first month of terms: a later version exists that will replace what is entered. */
export function comingTermsHint(histories: readonly History<unknown>[], validFromMonth: string | null): string {
  const month = parseYearMonth(validFromMonth ?? '')
  if (month === undefined) return ''
  const coming = histories.flatMap(history => comingVersions(history, month)).map(version => version.validFromMonth)
  if (coming.length === 0) return ''
  const next = coming.reduce((first, each) => (each < first ? each : first))
  return `${monthText(next)}からの条件が登録されています。ここで変更する条件は${monthText(addMonths(next, -1))}までです。その後の条件も変えるときは、適用開始月を${monthText(next)}にして、もう一度保存してください。`
}
