import { larger, smaller, sumBy } from '../money/yen.ts'
import type { SettledPublisherPayment } from './settlement-result.ts'

/** What the console showed before the month was final, as it was recorded then. Yen after the rates. */
export interface Estimate {
  readonly adsRevenueYen: bigint
  readonly poolRevenueYen: bigint
  readonly fixedAndMinimumYen: bigint
}

export const BRIDGE_STEPS = [
  'estimate',
  'late_data',
  'invalid_traffic',
  'pool_allocation',
  'minimum',
  'adjustment',
  'final',
] as const
export type BridgeStepName = (typeof BRIDGE_STEPS)[number]

export interface BridgeStep {
  readonly name: BridgeStepName
  readonly label: string
  /** The change; for `estimate` and `final` the level itself. */
  readonly amountYen: bigint
  /** Where the running total stands after the step. */
  readonly levelYen: bigint
}

type Finals = Pick<
  SettledPublisherPayment,
  | 'adsRevenueYen'
  | 'sspRevenueYen'
  | 'videoSspRevenueYen'
  | 'liveSspRevenueYen'
  | 'fixedRevenueAppliedYen'
  | 'minimumTopUpRevenueYen'
  | 'revenueYen'
  | 'manualAdjustmentRevenueYen'
  | 'adjustments'
>

/**
 * From the estimate to the final amount in seven fixed steps (features, idea 9). The first six sum to the last exactly:
 * final = revenue + manual adjustment.
 */
export function estimateToFinal(estimate: Estimate, final: Finals): readonly BridgeStep[] {
  const invalidTrafficYen = sumBy(final.adjustments, row => (row.reason === 'invalid_traffic' ? row.appliedYen : 0n))
  const poolYen = final.sspRevenueYen + final.videoSspRevenueYen + final.liveSspRevenueYen
  const guaranteedYen = final.fixedRevenueAppliedYen + final.minimumTopUpRevenueYen
  const estimateYen = estimate.adsRevenueYen + estimate.poolRevenueYen + estimate.fixedAndMinimumYen
  const changes: readonly [BridgeStepName, string, bigint][] = [
    ['estimate', '速報値', estimateYen],
    ['late_data', '遅延データの反映', final.adsRevenueYen - estimate.adsRevenueYen],
    ['invalid_traffic', '無効トラフィックの控除', invalidTrafficYen],
    ['pool_allocation', 'SSP配分の確定', poolYen - estimate.poolRevenueYen],
    ['minimum', '固定額・最低保証', guaranteedYen - estimate.fixedAndMinimumYen],
    ['adjustment', 'その他の調整', final.manualAdjustmentRevenueYen - invalidTrafficYen],
  ]
  let levelYen = 0n
  const steps = changes.map(([name, label, amountYen]) => {
    levelYen += amountYen
    return { name, label, amountYen, levelYen }
  })
  const finalYen = final.revenueYen + final.manualAdjustmentRevenueYen
  return [...steps, { name: 'final', label: '確定値', amountYen: finalYen, levelYen: finalYen }]
}

/**
 * For an open month: the smallest and the largest difference between final and estimate of up to six finalised months
 * (newest last). Null without history, so that no range is made up.
 */
export function estimateErrorRange(
  history: readonly { readonly estimateYen: bigint; readonly finalYen: bigint }[],
): { readonly lowestYen: bigint; readonly highestYen: bigint; readonly months: number } | null {
  const errors = history.slice(-6).map(each => each.finalYen - each.estimateYen)
  if (errors.length === 0) return null
  return {
    lowestYen: errors.reduce(smaller),
    highestYen: errors.reduce(larger),
    months: errors.length,
  }
}
