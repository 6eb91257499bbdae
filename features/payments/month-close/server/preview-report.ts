import { sumBy } from '@pc/domain/money/yen.ts'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { monthDifference } from '@pc/domain/settlement/what-if.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { previewMonth } from '../../core/server/compute-month.ts'
import { mediaWithAgreements } from '../../core/server/media-with-agreements.ts'
import { readStoredMonth } from '../../core/server/stored-month.ts'

const yen = (amount: bigint) => `${amount.toLocaleString('ja-JP')}円`
/** Payees of each medium that are listed. */
const MAX_PAYEES = 20

/** For the command line: computes a month without storing it and compares it with what is stored, as Japanese text. */
export async function previewReport(
  parts: { readonly database: Database; readonly stats: StatsStore },
  month: YearMonth,
): Promise<readonly string[]> {
  const media = await mediaWithAgreements(parts.database)
  const lines = [`${formatYearMonth(month)} の試算（何も保存していません）`]
  for (const { id: mediumId, name } of media) {
    const previewed = await previewMonth(parts, { mediumId, month })
    if (!previewed.ok) {
      lines.push(
        `${name}: 計算できません`,
        ...previewed.refusals.slice(0, 5).map(each => `  ${refusalMessageJa(each)}`),
      )
      continue
    }
    const { settled } = previewed.value
    const revenue = sumBy(settled.payments, payment => payment.revenueYen)
    const payment = sumBy(settled.payments, each => each.paymentIncludingTaxYen)
    lines.push(`${name}: 契約 ${settled.payments.length} 件、収益 ${yen(revenue)}、支払（税込） ${yen(payment)}`)
    const stored = await parts.database.inScope(SYSTEM, tx => readStoredMonth(tx, { mediumId, month }))
    if (!stored) {
      lines.push('  保存された計算はありません。')
      continue
    }
    const difference = monthDifference(stored.settled, settled)
    if (difference.payees.length === 0) lines.push('  保存された計算と同じです。')
    for (const payee of difference.payees.slice(0, MAX_PAYEES)) {
      lines.push(
        `  契約 ${payee.agreementId} ${payee.partnerName}: 収益 ${yen(payee.revenueChangeYen)}、支払 ${yen(payee.paymentChangeYen)} の差`,
      )
    }
  }
  return lines
}
