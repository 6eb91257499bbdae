import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { closeLink } from './books-findings.ts'
import { type Finding, green, red } from './close-finding.ts'
import { monthsOfUnbookedCorrections } from './late-corrections.ts'
import { lacksCorrection } from './late-figures.ts'

/**
 * Finds late figures of closed months whose correction is not booked. Figures are compared only when a correction has
 * failed or was reversed; it is no finding when nothing is owed any more.
 */
export async function lateCorrectionsFinding(tx: Transaction, stats: StatsStore, key: MonthKey): Promise<Finding> {
  const missing: string[] = []
  for (const month of await monthsOfUnbookedCorrections(tx, key)) {
    if (await lacksCorrection(tx, stats, { mediumId: key.mediumId, month })) missing.push(formatYearMonth(month))
  }
  if (missing.length === 0) return green('確定後に届いた統計の差額に、登録漏れはありません。')
  return red(
    'late-correction-missing',
    `確定後に届いた統計（${missing.join('、')}分）の差額が、調整に入っていません。失敗した処理を取り下げると自動で登録し直します。夜間にも登録し直します。`,
    closeLink(key),
  )
}
