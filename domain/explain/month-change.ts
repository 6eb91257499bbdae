import type { RevenueShare } from '../agreement/revenue-share.ts'
import { add, floor, rational } from '../change/rational.ts'
import { shapleyOfProduct } from '../change/shapley.ts'
import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import { RATE_UNITS_PER_WHOLE, rateText } from '../money/rate.ts'
import { formatYen, magnitude, sumBy } from '../money/yen.ts'
import type { YearMonth } from '../month/year-month.ts'
import {
  type Balance,
  type PoolShare,
  REVENUE_PART_LABELS,
  type RevenueParts,
} from '../settlement/settlement-result.ts'
import type { BridgeLine, BridgeStep } from './bridge.ts'
import { monthLabel } from './explain-node.ts'

/** One publisher's part of a month's payment, with what its amounts are computed from. */
export interface MonthPart extends RevenueParts, Balance {
  readonly publisherId: bigint
  readonly share: RevenueShare
  readonly ownAdsMicroYen: bigint
  readonly poolShares: readonly PoolShare[]
}
/** A payment with its parts, or one part alone, which has no tax. */
export interface MonthAmount {
  readonly parts: readonly MonthPart[]
  readonly taxYen: bigint | undefined
}

export const MONTH_CHANGE_STEPS = [
  ...(['before', 'own_ads', 'ssp', 'rates', 'guarantee', 'adjustment'] as const),
  ...(['carried_over', 'carried_to_next', 'tax', 'now'] as const),
] as const
export type MonthChangeStepName = (typeof MONTH_CHANGE_STEPS)[number]

export type MonthChangeStep = BridgeStep<MonthChangeStepName>

export interface MonthChange {
  readonly sentence: string
  readonly steps: readonly MonthChangeStep[]
}

interface ChangedMonths {
  readonly months: { readonly before: YearMonth; readonly now: YearMonth }
  readonly before: MonthAmount
  readonly now: MonthAmount
  readonly nameOf: (publisherId: bigint) => string
  /**
   * Whether the effect of a changed rate gets lines of its own. It stays in the revenue when the reader may not see
   * rates.
   */
  readonly splits: { readonly ownAds: boolean; readonly pools: boolean }
}

/**
 * Why an amount differs from that of the month before: steps that sum to the difference in whole yen. Where a revenue is
 * base × rate, its change is split by Shapley values (`shapley.ts`), which do not depend on the order of the two.
 */
export function monthChange(given: ChangedMonths): MonthChange {
  const { months, before, now } = given
  const publishers = pairs(given)
  const revenues = publishers.flatMap(pair =>
    REVENUES.map(revenue => ({ ...pair, ...changeOfRevenue(pair, revenue, given) })),
  )
  const [ownAds, pools] = [true, false].map(isOwn => revenues.filter(each => (each.name === 'own_ads') === isOwn))
  const lineOf = (label: string, pick: (part: MonthPart) => bigint): BridgeLine => ({
    label,
    amountYen: sumBy(publishers, pair => differenceIn(pair, pick)),
  })
  const changes: readonly [keyof typeof LABELS, readonly BridgeLine[]][] = [
    ['own_ads', ownAds!.map(({ label, volumeYen }) => ({ label, amountYen: volumeYen }))],
    ['ssp', poolLines(pools!)],
    ['rates', revenues.map(each => ({ label: each.rateLabel, amountYen: each.rateYen }))],
    ['guarantee', GUARANTEES.map(name => lineOf(REVENUE_PART_LABELS[name], part => part[name]))],
    ['adjustment', publisherLines(publishers, part => part.manualAdjustmentRevenueYen)],
    ['carried_over', publisherLines(publishers, part => part.carriedOverRevenueYen)],
    ['carried_to_next', publisherLines(publishers, part => -part.carriedOverToNextYen)],
    ['tax', [{ label: '消費税', amountYen: (now.taxYen ?? 0n) - (before.taxYen ?? 0n) }]],
  ]
  let levelYen = amountOf(before)
  const steps = changes.flatMap(([name, lines]): MonthChangeStep[] => {
    const named = lines.filter(line => line.amountYen !== 0n)
    const amountYen = sumBy(named, line => line.amountYen)
    levelYen += amountYen
    // A single line that has the step's own label would only repeat it.
    const shown = named.length === 1 && named[0]!.label === LABELS[name] ? [] : named
    return named.length === 0 ? [] : [{ name, label: LABELS[name], amountYen, levelYen, lines: shown }]
  })
  const level = (name: 'before' | 'now', yen: bigint): MonthChangeStep => ({
    ...{ name, label: `${monthLabel(months[name])}の支払額`, amountYen: yen, levelYen: yen, lines: [] },
  })
  return {
    sentence: sentenceOf(steps, amountOf(now) - amountOf(before), months.before),
    steps: [level('before', amountOf(before)), ...steps, level('now', amountOf(now))],
  }
}

const LABELS: Readonly<Record<Exclude<MonthChangeStepName, 'before' | 'now'>, string>> = {
  own_ads: '自社広告の収益',
  ssp: 'SSPの収益',
  rates: '支払率の変更',
  guarantee: '固定額・最低保証',
  adjustment: '調整',
  carried_over: '前月からの繰越',
  carried_to_next: '次月への繰越',
  tax: '消費税',
}

const amountOf = ({ parts, taxYen }: MonthAmount): bigint => sumBy(parts, part => part.paymentYen) + (taxYen ?? 0n)

/** A publisher's part in both months; undefined: the publisher has no part in that month. */
interface Pair {
  readonly label: string
  readonly before: MonthPart | undefined
  readonly now: MonthPart | undefined
}

function pairs({ before, now, nameOf }: ChangedMonths): readonly Pair[] {
  const partIn = ({ parts }: MonthAmount, id: bigint) => parts.find(part => part.publisherId === id)
  const ids = [...new Set([...now.parts, ...before.parts].map(part => part.publisherId))]
  return ids.map(id => ({ label: nameOf(id), before: partIn(before, id), now: partIn(now, id) }))
}

const differenceIn = ({ before, now }: Pair, pick: (part: MonthPart) => bigint): bigint =>
  (now ? pick(now) : 0n) - (before ? pick(before) : 0n)

const publisherLines = (publishers: readonly Pair[], pick: (part: MonthPart) => bigint): readonly BridgeLine[] =>
  publishers.map(pair => ({ label: pair.label, amountYen: differenceIn(pair, pick) }))

/** A revenue in yen is `amount` × `rateUnits` ÷ the scale of its {@link Revenue}, rounded. */
interface RevenueBase {
  readonly amount: bigint
  readonly rateUnits: number
}
interface Revenue {
  readonly name: 'own_ads' | PoolShare['kind']
  readonly label: string
  readonly scale: bigint
  readonly yenOf: (part: MonthPart) => bigint
  /** Undefined: there is not exactly one amount, so no base. */
  readonly baseOf: (part: MonthPart) => RevenueBase | undefined
}

/** The parts of the revenue that are not base × rate. */
const GUARANTEES = ['fixedRevenueAppliedYen', 'minimumTopUpRevenueYen'] as const

/** The parts that are. The type refuses a new part of `RevenueParts` until it stands here or in {@link GUARANTEES}. */
const REVENUE_OF_PART: Readonly<
  Record<Exclude<keyof RevenueParts, (typeof GUARANTEES)[number]>, Omit<Revenue, 'yenOf'>>
> = {
  adsRevenueYen: {
    ...{ name: 'own_ads', label: '自社広告', scale: RATE_UNITS_PER_WHOLE * MICRO_YEN_PER_YEN },
    baseOf: ({ ownAdsMicroYen, share }) => ({ amount: ownAdsMicroYen, rateUnits: share.ownAdsRateUnits }),
  },
  sspRevenueYen: pool('ssp', 'SSP'),
  videoSspRevenueYen: pool('ssp_video', '動画SSP'),
  liveSspRevenueYen: pool('ssp_live', 'ライブSSP'),
}
const REVENUES: readonly Revenue[] = (Object.keys(REVENUE_OF_PART) as (keyof typeof REVENUE_OF_PART)[]).map(name => ({
  ...REVENUE_OF_PART[name],
  yenOf: part => part[name],
}))

function pool(name: PoolShare['kind'], label: string): Omit<Revenue, 'yenOf'> {
  return {
    ...{ name, label, scale: RATE_UNITS_PER_WHOLE },
    baseOf({ poolShares }) {
      const [only, ...others] = poolShares.filter(share => share.kind === name && share.bookedYen !== 0n)
      return only && others.length === 0 ? { amount: only.allocatedYen, rateUnits: only.rateUnits } : undefined
    },
  }
}

/** The change of a revenue in whole yen: what the base changed (`volumeYen`) and what the rate changed (`rateYen`). */
function changeOfRevenue(pair: Pair, revenue: Revenue, { splits }: ChangedMonths) {
  const differenceYen = differenceIn(pair, revenue.yenOf)
  const whole = { name: revenue.name, kindLabel: revenue.label, volumeYen: differenceYen, rateYen: 0n, rateLabel: '' }
  const isShown = revenue.name === 'own_ads' ? splits.ownAds : splits.pools
  const [before, now] = [baseIn(pair.before, revenue), baseIn(pair.now, revenue)]
  if (!isShown || !before || !now || before.rateUnits === now.rateUnits) return whole
  const [, rate] = shapleyOfProduct([
    { before: rational(before.amount, revenue.scale), now: rational(now.amount, revenue.scale) },
    { before: rational(BigInt(before.rateUnits)), now: rational(BigInt(now.rateUnits)) },
  ])
  // Rounded to the nearest yen. The rounding of the months themselves stays in `volumeYen`.
  const rateYen = floor(add(rate!, rational(1n, 2n)))
  const percents = `${rateText(before.rateUnits)} → ${rateText(now.rateUnits)}`
  return {
    ...{ ...whole, rateYen, volumeYen: differenceYen - rateYen },
    rateLabel: `${pair.label}の${revenue.label}（${percents}）`,
  }
}

/** Undefined when the revenue is not base × rate, as in an agreement that has ended and earns nothing. */
function baseIn(part: MonthPart | undefined, { baseOf, yenOf, scale }: Revenue): RevenueBase | undefined {
  const base = part && baseOf(part)
  if (!part || !base) return undefined
  return magnitude(yenOf(part) * scale - base.amount * BigInt(base.rateUnits)) < scale ? base : undefined
}

/** One line for each kind of pool, over all publishers. */
function poolLines(
  revenues: readonly { readonly kindLabel: string; readonly volumeYen: bigint }[],
): readonly BridgeLine[] {
  return [...Map.groupBy(revenues, each => each.kindLabel)].map(([label, all]) => ({
    label,
    amountYen: sumBy(all, each => each.volumeYen),
  }))
}

/** Names first the step that moved the amount most in the direction of its difference. */
function sentenceOf(steps: readonly MonthChangeStep[], differenceYen: bigint, before: YearMonth): string {
  const than = `支払額は、${monthLabel(before)}`
  if (differenceYen === 0n) return `${than}と変わっていません。`
  const way = differenceYen < 0n ? '減りました' : '増えました'
  const first = `${than}より${formatYen(magnitude(differenceYen))}円${way}。`
  const leading = steps
    .filter(({ amountYen }) => amountYen < 0n === differenceYen < 0n)
    .toSorted((a, b) => (magnitude(a.amountYen) > magnitude(b.amountYen) ? -1 : 1))[0]
  if (!leading) return first
  const sign = leading.amountYen < 0n ? '−' : '+'
  return `${first}いちばんの要因は、${leading.label}（${sign}${formatYen(magnitude(leading.amountYen))}円）です。`
}
