import type { YearMonth } from '../month/year-month.ts'
import { ok, type Result } from '../result.ts'
import { ruleKeyText } from './pool-allocation.ts'
import { settleMonth } from './settle-month.ts'
import type { SettlementRefusal } from './settlement-check.ts'
import type { MonthInput } from './settlement-input.ts'
import type { SettledMonth } from './settlement-result.ts'

/** What late figures change of a finalised month, for one rule. */
export interface LateDifference {
  readonly agreementId: bigint
  readonly publisherId: bigint
  /** Revenue that the rule should have had more; negative for less. Never 0. */
  readonly amountYen: bigint
  readonly originMonth: YearMonth
}

/**
 * What a finalised month would have come to with other own-ads figures: it is settled once more from its frozen input,
 * terms and pools as they were, and the revenue of each rule is compared. A guarantee that was topped up takes late
 * revenue into itself, so that nothing is paid twice.
 * @param ownAdsMicroYen the figures of today by {@link ruleKeyText}; a rule that is missing has none
 * @param bookedYen what earlier late figures of the month have already brought, likewise
 */
export function lateDifferences(
  month: { readonly input: MonthInput; readonly settled: SettledMonth },
  ownAdsMicroYen: ReadonlyMap<string, bigint>,
  bookedYen: ReadonlyMap<string, bigint>,
): Result<readonly LateDifference[], SettlementRefusal> {
  const { input, settled } = month
  const again = settleMonth({
    ...input,
    agreements: input.agreements.map(agreement => ({
      ...agreement,
      rules: agreement.rules.map(rule => ({
        ...rule,
        ownAdsMicroYen: ownAdsMicroYen.get(ruleKeyText({ ...rule, agreementId: agreement.agreementId })) ?? 0n,
      })),
    })),
  })
  if (!again.ok) return again
  const before = new Map(
    settled.payments.flatMap(({ agreementId, publishers }) =>
      publishers.map(({ publisherId, revenueYen }) => [ruleKeyText({ agreementId, publisherId }), revenueYen] as const),
    ),
  )
  return ok(
    again.value.payments.flatMap(({ agreementId, publishers }) =>
      publishers.flatMap(({ publisherId, revenueYen }): LateDifference[] => {
        const key = ruleKeyText({ agreementId, publisherId })
        const amountYen = revenueYen - (before.get(key) ?? 0n) - (bookedYen.get(key) ?? 0n)
        return amountYen === 0n ? [] : [{ agreementId, publisherId, amountYen, originMonth: input.month }]
      }),
    ),
  )
}
