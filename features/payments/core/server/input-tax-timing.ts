import { valueAsOf } from '@pc/domain/agreement/terms-history.ts'
import type { InputTaxTiming, InputTaxTimingOf } from '@pc/domain/journal/close-journal.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { RuleVersion } from '@pc/domain/settlement/settlement-input.ts'
import { ruleSettings, settlementRulesOf } from '@pc/domain/settlement/settlement-rules.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/**
 * When the input tax of a month is booked: at the accrual only where the rules of the month allow it.
 */
export async function readInputTaxTiming(tx: Transaction): Promise<InputTaxTimingOf> {
  const rows = await tx.selectFrom('paymentSettings').select(['validFromMonth', 'inputTaxTiming']).execute()
  const history = rows.map(row => ({
    validFromMonth: row.validFromMonth as YearMonth,
    value: row.inputTaxTiming as InputTaxTiming,
  }))
  const lines = await tx.selectFrom('settlementRules').select(['validFromMonth', 'version']).execute()
  const versions = lines.map(line => ({
    validFromMonth: line.validFromMonth as YearMonth,
    value: ruleSettings(line.version as RuleVersion),
  }))
  return month => {
    const { canBookTaxAtAccrual } = settlementRulesOf(valueAsOf(versions, month) ?? {})
    return (canBookTaxAtAccrual ? valueAsOf(history, month) : undefined) ?? 'finalising'
  }
}
