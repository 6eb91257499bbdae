import type { YearMonth } from '../month/year-month.ts'
import { ok, type Result } from '../result.ts'
import { ruleKeyText } from './rule-map.ts'
import { settleMonth } from './settle-month.ts'
import type { SettlementRefusal } from './settlement-check.ts'
import type { MonthInput } from './settlement-input.ts'
import type { SettledMonth } from './settlement-result.ts'

/** The difference that late figures make to a finalised month, for one rule. */
export interface LateDifference {
  readonly agreementId: bigint
  readonly publisherId: bigint
  /** Additional revenue of the rule, negative for less; never 0. */
  readonly amountYen: bigint
  readonly originMonth: YearMonth
}

/**
 * The difference that other own-ads figures would have made to a finalised month. The month is settled again from its
 * frozen input, with its terms and pools, and each rule's revenue is compared. Late revenue first uses up a minimum
 * that was topped up, so that nothing is paid twice.
 * @param ownAdsMicroYen today's figures by {@link ruleKeyText}; a rule that is missing has none
 * @param bookedYen late figures of the month that are booked already, by {@link ruleKeyText}
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
