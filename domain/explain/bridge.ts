import type { PoolKind } from '../agreement/revenue-share.ts'
import { larger, smaller, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { enteredText } from '../payment/job-text.ts'
import { shownYen } from '../report/shown-yen.ts'
import type { AdjustmentReason } from '../settlement/settlement-input.ts'
import { REVENUE_PART_LABELS, REVENUE_PARTS, type RevenueParts } from '../settlement/settlement-result.ts'
import { monthLabel } from './explain-node.ts'
import { POOL_LABELS } from './pool-labels.ja.ts'

/**
 * What the steps from the estimate to the final amount are computed from: what reports showed before the month was
 * final, and what it came to. Every step opens into lines that sum to it exactly.
 */
export interface BridgeFacts extends RevenueParts {
  /** Sum of the publishers' revenue as the reports showed it, in micro-yen; reports round only this sum. */
  readonly shownMicroYen: bigint
  /**
   * What the final rates give for own ads, and for pools, of the figures known at that time. Yen, rounded down once per
   * row.
   */
  readonly adsThenYen: bigint
  readonly poolThenYen: bigint
  readonly manualAdjustmentRevenueYen: bigint
  readonly pools: readonly BridgePool[]
  readonly adjustments: readonly BridgeAdjustment[]
}

export interface BridgePool {
  readonly jobId: bigint
  /** The day of the entry, by which people identify it. */
  readonly enteredOn: Day
  readonly kind: PoolKind
  readonly bookedYen: bigint
}

export interface BridgeAdjustment {
  readonly jobId: bigint
  readonly enteredOn: Day
  readonly reason: AdjustmentReason
  readonly originMonth: YearMonth | null
  readonly appliedYen: bigint
  /** How many rows of the entry the amount sums. */
  readonly rows: number
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

const BRIDGE_STEP_LABELS: Readonly<Record<BridgeStepName, string>> = {
  estimate: '速報値',
  late_data: '遅延データの反映',
  invalid_traffic: '無効トラフィックの控除',
  pool_allocation: 'SSP配分の確定',
  minimum: '固定額・最低保証',
  adjustment: 'その他の調整',
  final: '確定値',
}

export interface BridgeLine {
  readonly label: string
  readonly amountYen: bigint
}

/** @template Name of the steps */
export interface BridgeStep<Name extends string = BridgeStepName> {
  readonly name: Name
  readonly label: string
  /** The change by this step; in the first and the last step, the whole amount. */
  readonly amountYen: bigint
  /** The running total after the step. */
  readonly levelYen: bigint
  /** Their amounts sum to the step's exactly; a remainder has a line of its own. */
  readonly lines: readonly BridgeLine[]
}

const REASON_LABELS: Readonly<Record<AdjustmentReason, string>> = {
  invalid_traffic: '無効トラフィック',
  correction: '訂正',
  other: '個別調整',
}

/** Seven fixed steps. The first six sum to the last exactly: final = revenue + manual adjustment. */
export function estimateToFinal(facts: BridgeFacts): readonly BridgeStep[] {
  const changes: readonly [BridgeStepName, bigint, readonly BridgeLine[]][] = [
    ['estimate', shownYen(facts.shownMicroYen), estimateLines(facts)],
    ['late_data', facts.adsRevenueYen - adsShownYen(facts), lateLines(facts)],
    ['invalid_traffic', invalidTrafficYen(facts), adjustmentLines(facts, reason => reason === 'invalid_traffic')],
    ['pool_allocation', poolsYen(facts) - facts.poolThenYen, poolLines(facts)],
    ['minimum', facts.fixedRevenueAppliedYen + facts.minimumTopUpRevenueYen, guaranteeLines(facts)],
    [
      'adjustment',
      facts.manualAdjustmentRevenueYen - invalidTrafficYen(facts),
      adjustmentLines(facts, reason => reason !== 'invalid_traffic'),
    ],
  ]
  let levelYen = 0n
  const steps = changes.map(([name, amountYen, lines]) => {
    levelYen += amountYen
    return stepOf(name, amountYen, levelYen, lines)
  })
  const finalYen = revenueYen(facts) + facts.manualAdjustmentRevenueYen
  return [...steps, stepOf('final', finalYen, finalYen, finalLines(facts))]
}

/** A step with its lines, and one more line for any remainder, so that nothing disappears. */
function stepOf(name: BridgeStepName, amountYen: bigint, levelYen: bigint, lines: readonly BridgeLine[]): BridgeStep {
  const restYen = amountYen - sumBy(lines, line => line.amountYen)
  const rest = { label: '内訳のない差額', amountYen: restYen }
  const named = lines.filter(line => line.amountYen !== 0n)
  return {
    name,
    label: BRIDGE_STEP_LABELS[name],
    amountYen,
    levelYen,
    lines: restYen === 0n ? named : [...named, rest],
  }
}

/** The part of the estimate that does not come from pools. */
function adsShownYen({ shownMicroYen, poolThenYen }: BridgeFacts): bigint {
  return shownYen(shownMicroYen) - poolThenYen
}

function estimateLines(facts: BridgeFacts): readonly BridgeLine[] {
  return [
    { label: '自社広告分（速報）', amountYen: adsShownYen(facts) },
    { label: 'SSP分（速報）', amountYen: facts.poolThenYen },
  ]
}

function lateLines(facts: BridgeFacts): readonly BridgeLine[] {
  return [
    { label: '速報のあとに届いた統計', amountYen: facts.adsRevenueYen - facts.adsThenYen },
    { label: '支払率と端数の差', amountYen: facts.adsThenYen - adsShownYen(facts) },
  ]
}

function poolLines({ pools, poolThenYen }: BridgeFacts): readonly BridgeLine[] {
  return [
    ...pools.map(({ enteredOn, kind, bookedYen }) => ({
      label: `${POOL_LABELS[kind]}の分配（${enteredText(enteredOn)}）`,
      amountYen: bookedYen,
    })),
    { label: '速報に含まれていたSSP分', amountYen: -poolThenYen },
  ]
}

function guaranteeLines(facts: BridgeFacts): readonly BridgeLine[] {
  return [revenueLine(facts, 'fixedRevenueAppliedYen'), revenueLine(facts, 'minimumTopUpRevenueYen')]
}

const revenueLine = (facts: RevenueParts, part: keyof RevenueParts): BridgeLine => ({
  label: REVENUE_PART_LABELS[part],
  amountYen: facts[part],
})

function adjustmentLines(
  { adjustments }: BridgeFacts,
  isIn: (reason: AdjustmentReason) => boolean,
): readonly BridgeLine[] {
  return adjustments
    .filter(each => isIn(each.reason))
    .map(({ enteredOn, reason, originMonth, appliedYen, rows }) => {
      const origin = originMonth === null ? '' : `、${monthLabel(originMonth)}`
      const count = rows === 1 ? '' : `、${rows}行`
      return { label: `${REASON_LABELS[reason]}（${enteredText(enteredOn)}${origin}${count}）`, amountYen: appliedYen }
    })
}

function finalLines(facts: BridgeFacts): readonly BridgeLine[] {
  return [
    ...REVENUE_PARTS.map(part => revenueLine(facts, part)),
    { label: '調整額', amountYen: facts.manualAdjustmentRevenueYen },
  ]
}

function invalidTrafficYen({ adjustments }: BridgeFacts): bigint {
  return sumBy(adjustments, row => (row.reason === 'invalid_traffic' ? row.appliedYen : 0n))
}

function poolsYen({ sspRevenueYen, videoSspRevenueYen, liveSspRevenueYen }: RevenueParts): bigint {
  return sspRevenueYen + videoSspRevenueYen + liveSspRevenueYen
}

function revenueYen(facts: RevenueParts): bigint {
  return sumBy(REVENUE_PARTS, part => facts[part])
}

/**
 * For an open month: the smallest and the largest difference between final amount and estimate among the last six
 * finalised months.
 * @param history newest last
 * @returns null without history
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
