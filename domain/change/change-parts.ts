import { magnitude, sumBy } from '../money/yen.ts'
import type { BaseFigure, BaseSums, ChangeUnit, Factor, MetricIdentity } from '../report/metric-identity.ts'
import { inExactUnits } from './exact-unit.ts'
import { compare, floor, type Rational, rational } from './rational.ts'
import { shapleyOfProduct } from './shapley.ts'
import { splitExactly } from './split-exactly.ts'

/** The sums of both periods. */
export interface Sides {
  readonly before: BaseSums
  readonly now: BaseSums
}

/**
 * - `factor`: a factor of the metric's own identity.
 * - `changed`: a member with figures on both sides.
 * - `new`, `gone`: a member with figures on one side only.
 * - `others`: the members that are not listed.
 * - `outside`: what belongs to no member, for example revenue that articles do not earn.
 */
export const PART_KINDS = ['factor', 'changed', 'new', 'gone', 'others', 'outside'] as const
export type PartKind = (typeof PART_KINDS)[number]

/** A part of a difference; the parts of one level sum to it exactly. */
export interface ChangePart {
  readonly id: string
  readonly kind: PartKind
  /** The unit of `before` and `now`. */
  readonly unit: ChangeUnit
  /** In the exact units of `exact-unit.ts`, a ratio rounded down; null when the divisor is 0. */
  readonly before: bigint | null
  readonly now: bigint | null
  /** In exact units of the metric, also for a factor, whose own `unit` differs. */
  readonly difference: bigint
  /** The share of the metric before (of a ratio: of its divisor), 0 to 1. */
  readonly shareBefore: number
}

/** The sum of some figures of a row; a figure that the row lacks counts as 0. */
export function figureOf(sums: BaseSums, figures: readonly BaseFigure[]): bigint {
  return sumBy(figures, figure => sums[figure] ?? 0n)
}

function numeratorOf({ of, less = [] }: MetricIdentity, sums: BaseSums): bigint {
  return figureOf(sums, of) - figureOf(sums, less)
}

/** A metric in exact units, a ratio rounded down; null when the divisor is 0. */
export function metricValue(identity: MetricIdentity, sums: BaseSums): bigint | null {
  const divisor = identity.per ? figureOf(sums, identity.per) : 1n
  if (divisor === 0n) return null
  return floor(inExactUnits(identity.unit, rational(numeratorOf(identity, sums), divisor)))
}

/** Now minus before in exact units; undefined when a divisor is 0, as there is no difference then. */
export function differenceOf(identity: MetricIdentity, { before, now }: Sides): bigint | undefined {
  const [earlier, later] = [metricValue(identity, before), metricValue(identity, now)]
  return earlier === null || later === null ? undefined : later - earlier
}

/** The first level: volume, rate and price, or the terms of a sum; one part for a metric that has neither. */
export function factorParts(identity: MetricIdentity, sides: Sides): readonly ChangePart[] {
  const difference = differenceOf(identity, sides)
  if (difference === undefined) return []
  const product = identity.products.find(factors => factors.every(factor => isKnown(factor, sides)))
  if (product) return productParts(identity, product, sides, difference)
  const terms = identity.terms ?? [{ id: 'itself', label: identity.label, of: identity.of, isSubtracted: false }]
  return terms.map(({ id, of, isSubtracted }) => {
    const [earlier, later] = [figureOf(sides.before, of), figureOf(sides.now, of)]
    const added = isSubtracted ? earlier - later : later - earlier
    return { ...factorPart(id, identity.unit), before: earlier, now: later, difference: added }
  })
}

const factorPart = (id: string, unit: ChangeUnit) => ({ id, unit, kind: 'factor', shareBefore: 1 }) as const

function productParts(
  identity: MetricIdentity,
  product: readonly Factor[],
  sides: Sides,
  difference: bigint,
): readonly ChangePart[] {
  const values = product.map(factor => ({
    before: factorValue(factor, sides.before),
    now: factorValue(factor, sides.now),
  }))
  const parts = shapleyOfProduct(values).map((value, place) => ({
    id: product[place]!.id,
    value: inExactUnits(identity.unit, value),
  }))
  const amounts = splitExactly(difference, parts)
  return product.map((factor, place) => ({
    ...factorPart(factor.id, factor.unit),
    before: shownFactor(factor, sides.before),
    now: shownFactor(factor, sides.now),
    difference: amounts[place]!,
  }))
}

function isKnown({ over }: Factor, { before, now }: Sides): boolean {
  return !over || (figureOf(before, over) !== 0n && figureOf(now, over) !== 0n)
}

function factorValue({ of, over }: Factor, sums: BaseSums): Rational {
  return rational(of ? figureOf(sums, of) : 1n, over ? figureOf(sums, over) : 1n)
}

/** The value that is shown of a factor: one with a divisor alone shows the divisor, not its inverse. */
function shownFactor({ unit, of, over }: Factor, sums: BaseSums): bigint {
  if (!of) return figureOf(sums, over ?? [])
  return floor(inExactUnits(unit, rational(figureOf(sums, of), over ? figureOf(sums, over) : 1n)))
}

export interface Member extends Sides {
  readonly id: string
}

/**
 * The second level: what each member of a dimension contributes. For a sum it is the member's own difference. For a
 * ratio N/D it is ΔNᵢ × (1/D₀ + 1/D₁)/2 − ΔDᵢ × (N₀ + N₁)/(2·D₀·D₁), the Shapley value of numerator and divisor. That
 * is linear in the member: members sum to the whole, and one that grows in step with the ratio contributes nothing.
 * @param all the figures of the whole; what its members do not cover becomes `outside`
 * @param limit how many members are listed, largest contributions first; the rest becomes one part
 * @param ofMembers the figures of all members, also those that are not in `members`
 */
export function memberParts(
  identity: MetricIdentity,
  all: Sides,
  members: readonly Member[],
  limit: number,
  ofMembers: Sides = all,
): readonly ChangePart[] {
  const difference = differenceOf(identity, all)
  if (difference === undefined) return []
  const valueIn = contributionIn(identity, all)
  const listed = members
    .map(member => ({ ...member, value: valueIn(member) }))
    .filter(({ value }) => value.numerator !== 0n)
    .sort((a, b) => bySize(a.value, b.value) || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
  const others = less(ofMembers, listed)
  const rest = [
    { id: 'others', kind: 'others' as const, ...others },
    { id: 'outside', kind: 'outside' as const, ...less(all, [ofMembers]) },
  ].map(part => ({ ...part, value: valueIn(part) }))
  const parts = [
    ...listed.map(member => ({ ...member, kind: kindOf(member) })),
    ...rest.filter(({ value }) => value.numerator !== 0n),
  ]
  const amounts = splitExactly(difference, parts)
  return parts.map(({ id, kind, before, now }, place) => ({
    ...{ id, kind, unit: identity.unit, before: metricValue(identity, before), now: metricValue(identity, now) },
    ...{ difference: amounts[place]!, shareBefore: shareOf(identity, before, all.before) },
  }))
}

/** A member's contribution. All have the same denominator, so their numerators can be compared. */
function contributionIn(identity: MetricIdentity, all: Sides): (member: Sides) => Rational {
  const { per } = identity
  const addedTo = (of: (sums: BaseSums) => bigint, { before, now }: Sides) => of(now) - of(before)
  const numerator = (sums: BaseSums) => numeratorOf(identity, sums)
  if (!per) return member => inExactUnits(identity.unit, rational(addedTo(numerator, member)))
  const divisor = (sums: BaseSums) => figureOf(sums, per)
  const [before, now] = [divisor(all.before), divisor(all.now)]
  const both = numerator(all.before) + numerator(all.now)
  return member =>
    inExactUnits(
      identity.unit,
      rational(addedTo(numerator, member) * (before + now) - addedTo(divisor, member) * both, 2n * before * now),
    )
}

function bySize(a: Rational, b: Rational): number {
  const sizeOf = ({ numerator, denominator }: Rational) => rational(magnitude(numerator), denominator)
  return compare(sizeOf(b), sizeOf(a))
}

/** Whether a part is a member of its dimension, not the rest of it. */
export function isMember({ kind }: ChangePart): boolean {
  return kind !== 'others' && kind !== 'outside'
}

function less(all: Sides, parts: readonly Sides[]): Sides {
  const rest = (side: keyof Sides): BaseSums =>
    Object.fromEntries(
      Object.entries(all[side]).map(([figure, sum]) => [
        figure,
        sum - sumBy(parts, part => part[side][figure as BaseFigure] ?? 0n),
      ]),
    )
  return { before: rest('before'), now: rest('now') }
}

/** Every known figure of the member counts: one that is still shown but no longer earns anything is not `gone`. */
function kindOf({ before, now }: Sides): PartKind {
  const has = (sums: BaseSums) => Object.values(sums).some(sum => sum !== 0n)
  if (!has(before)) return 'new'
  return has(now) ? 'changed' : 'gone'
}

function shareOf(identity: MetricIdentity, sums: BaseSums, all: BaseSums): number {
  const of = (each: BaseSums) => (identity.per ? figureOf(each, identity.per) : numeratorOf(identity, each))
  const whole = of(all)
  return whole === 0n ? 0 : Math.min(1, Math.max(0, Number(of(sums)) / Number(whole)))
}
