import type { AgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import { isRateUnits } from '@pc/domain/money/rate.ts'
import type { MonthInput, RuleInput } from '@pc/domain/payment/settlement-input.ts'
import { type MonthDifference, monthDifference } from '@pc/domain/payment/what-if.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { type ComputeRefusal, previewMonth } from './compute-month.ts'
import type { MonthKey } from './month-key.ts'

/** What would be different; everything that is not named stays. */
export interface WhatIf {
  readonly payoutThresholdYen?: bigint | undefined
  readonly agreements: readonly {
    readonly agreementId: bigint
    readonly terms: Partial<Pick<AgreementTerms, 'fixedRevenueYen' | 'minimumRevenueYen' | 'minimumRevenueType'>>
    readonly isPaymentDisabled?: boolean | undefined
  }[]
  readonly rates: readonly {
    readonly agreementId: bigint
    readonly publisherId: bigint
    readonly share: Partial<RuleInput['share']>
  }[]
  readonly pools: readonly { readonly jobId: bigint; readonly poolYen: bigint }[]
}

/** The month as it would be against the month as it stands, both computed now; nothing is written (features, idea 5). */
export async function whatIfMonth(
  parts: { readonly database: Database; readonly stats: StatsStore },
  key: MonthKey,
  change: WhatIf,
): Promise<Result<MonthDifference, ComputeRefusal>> {
  const before = await previewMonth(parts, key)
  if (!before.ok) return before
  const after = await previewMonth(parts, key, input => changed(input, change))
  return after.ok ? ok(monthDifference(before.value.settled, after.value.settled)) : after
}

function changed(input: MonthInput, change: WhatIf): MonthInput {
  const terms = new Map(change.agreements.map(each => [each.agreementId, each]))
  const rates = new Map(change.rates.map(each => [`${each.agreementId}/${each.publisherId}`, each.share]))
  const pools = new Map(change.pools.map(each => [each.jobId, each.poolYen]))
  return {
    ...input,
    settings: {
      ...input.settings,
      payoutThresholdYen: change.payoutThresholdYen ?? input.settings.payoutThresholdYen,
    },
    poolJobs: input.poolJobs.map(job => ({ ...job, poolYen: pools.get(job.jobId) ?? job.poolYen })),
    agreements: input.agreements.map(agreement => {
      const asked = terms.get(agreement.agreementId)
      return {
        ...agreement,
        isPaymentDisabled: asked?.isPaymentDisabled ?? agreement.isPaymentDisabled,
        terms: { ...agreement.terms, ...asked?.terms },
        rules: agreement.rules.map(rule => ({
          ...rule,
          share: { ...rule.share, ...rates.get(`${agreement.agreementId}/${rule.publisherId}`) },
        })),
      }
    }),
  }
}

/** Rates of an input in units; undefined leaves the rate as it is. */
export function rateOrNothing<Name extends string>(name: Name, units: number | null | undefined) {
  if (units === null || units === undefined || !isRateUnits(units)) return {}
  return { [name]: units } as { readonly [key in Name]: number }
}
