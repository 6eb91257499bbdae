import type { AgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { settleSteps } from '@pc/domain/settlement/settle-month.ts'
import type { MonthInput, RuleInput } from '@pc/domain/settlement/settlement-input.ts'
import { settlementSteps } from '@pc/domain/settlement/settlement-invariants.ts'
import type { SettledMonth } from '@pc/domain/settlement/settlement-result.ts'
import type { Violation } from '@pc/domain/settlement/violation.ts'
import { type MonthDifference, monthDifference } from '@pc/domain/settlement/what-if.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { ComputeRefusal } from '../../core/server/compute-month.ts'
import { loadMonth } from '../../core/server/load-month.ts'
import type { MonthKey } from '../../core/server/month-key.ts'

/** The changes of a scenario. Everything that they do not name stays as it is. */
export interface WhatIf {
  readonly payoutThresholdYen?: bigint | undefined
  readonly agreements: readonly {
    readonly agreementId: bigint
    readonly terms: Partial<
      Pick<AgreementTerms, 'fixedRevenueYen' | 'minimumRevenueYen' | 'minimumRevenueType' | 'payoutThresholdYen'>
    >
    readonly isPaymentDisabled?: boolean | undefined
    readonly terminatedOn?: Day | undefined
  }[]
  readonly rates: readonly {
    readonly agreementId: bigint
    readonly publisherId: bigint
    readonly share: Partial<RuleInput['share']>
    readonly amounts: Partial<Pick<RuleInput, 'fixedRevenueYen' | 'minimumRevenueYen'>>
  }[]
  readonly pools: readonly { readonly jobId: bigint; readonly poolYen: bigint }[]
}

export interface WhatIfResult extends MonthDifference {
  readonly checks: readonly WhatIfCheck[]
}

/** A violation or warning that the scenario would cause and that the month does not have now. */
export interface WhatIfCheck {
  readonly state: 'red' | 'amber'
  readonly label: string
  readonly detail: string
}

type WhatIfRefusal = ComputeRefusal | Refusal<'what-if/agreement-unknown' | 'what-if/pool-unknown'>

/** Compares the month with the changes to the month without them. Both are computed now, and nothing is written. */
export async function whatIfMonth(
  parts: { readonly database: Database; readonly stats: StatsStore },
  key: MonthKey,
  change: WhatIf,
): Promise<Result<WhatIfResult, WhatIfRefusal>> {
  const loaded = await loadMonth(parts, key)
  if (!loaded.ok) return loaded
  const { input } = loaded.value
  const unknown = unknownRows(input, change)
  if (unknown.length > 0) return refused(...unknown)
  const before = await runCooperatively(settleSteps(input))
  if (!before.ok) return before
  const changedInput = changed(input, change)
  const after = await runCooperatively(settleSteps(changedInput))
  if (!after.ok) return after
  const difference = monthDifference(before.value, after.value)
  const violations = await runCooperatively(settlementSteps(after.value, changedInput, null))
  return ok({ ...difference, checks: newChecks(violations, before.value, after.value) })
}

function unknownRows(input: MonthInput, change: WhatIf): readonly WhatIfRefusal[] {
  const agreements = new Map(input.agreements.map(each => [each.agreementId, each]))
  const jobs = new Set(input.poolJobs.map(job => job.jobId))
  const hasRule = ({ agreementId, publisherId }: WhatIf['rates'][number]) =>
    agreements.get(agreementId)?.rules.some(rule => rule.publisherId === publisherId) ?? false
  const missing = new Set([
    ...change.agreements.map(each => each.agreementId).filter(id => !agreements.has(id)),
    ...change.rates.filter(each => !hasRule(each)).map(each => each.agreementId),
  ])
  return [
    ...[...missing].map(id =>
      refusal('what-if/agreement-unknown', ['change', 'agreements'], { agreementId: id.toString() }),
    ),
    ...change.pools
      .filter(pool => !jobs.has(pool.jobId))
      .map(pool => refusal('what-if/pool-unknown', ['change', 'pools'], { dividendId: pool.jobId.toString() })),
  ]
}

function newChecks(
  violations: readonly Violation[],
  before: SettledMonth,
  after: SettledMonth,
): readonly WhatIfCheck[] {
  const was = new Map(before.payments.map(payment => [payment.agreementId, payment]))
  const stopped = after.payments.filter(
    payment => payment.paymentYen === 0n && (was.get(payment.agreementId)?.paymentYen ?? 0n) > 0n,
  )
  const negative = after.payments.filter(
    payment => payment.cumulativeRevenueYen < 0n && (was.get(payment.agreementId)?.cumulativeRevenueYen ?? 0n) >= 0n,
  )
  const checks: WhatIfCheck[] = violations.slice(0, 20).map(each => ({
    state: 'red',
    label: '自動検査',
    detail: `${each.invariant} ${each.row}：${each.detail}`,
  }))
  if (stopped.length > 0) {
    checks.push({ state: 'amber', label: '支払', detail: `支払がなくなる契約が${stopped.length}件あります。` })
  }
  if (negative.length > 0) {
    checks.push({ state: 'amber', label: '残高', detail: `残高が負になる契約が${negative.length}件あります。` })
  }
  return checks
}

function changed(input: MonthInput, change: WhatIf): MonthInput {
  const terms = new Map(change.agreements.map(each => [each.agreementId, each]))
  const rates = new Map(change.rates.map(each => [`${each.agreementId}/${each.publisherId}`, each]))
  const pools = new Map(change.pools.map(each => [each.jobId, each.poolYen]))
  return {
    ...input,
    settings: {
      ...input.settings,
      payoutThresholdYen: change.payoutThresholdYen ?? input.settings.payoutThresholdYen,
    },
    poolJobs: input.poolJobs.map(job => ({ ...job, poolYen: pools.get(job.jobId) ?? job.poolYen })),
    agreements: input.agreements.map(agreement => {
      const changedTerms = terms.get(agreement.agreementId)
      return {
        ...agreement,
        isPaymentDisabled: changedTerms?.isPaymentDisabled ?? agreement.isPaymentDisabled,
        terminatedOn: changedTerms?.terminatedOn ?? agreement.terminatedOn,
        terms: { ...agreement.terms, ...changedTerms?.terms },
        rules: agreement.rules.map(rule => {
          const wanted = rates.get(`${agreement.agreementId}/${rule.publisherId}`)
          return { ...rule, ...wanted?.amounts, share: { ...rule.share, ...wanted?.share } }
        }),
      }
    }),
  }
}
