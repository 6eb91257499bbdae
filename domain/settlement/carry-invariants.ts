import { sumBy } from '../money/yen.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { AgreementInput, GeneratedBucket, RuleInput } from './settlement-input.ts'
import type { Balance, SettledPayment } from './settlement-result.ts'
import { publisherRowOf, rowOf, type Violation, ViolationList } from './violation.ts'

type LeftOver = Pick<Balance, 'cumulativeRevenueYen' | 'paymentYen' | 'carriedOverToNextYen'>

/** What the month before left over; a whole settled month fits as well. */
export interface BalanceBefore extends LeftOver {
  readonly agreementId: bigint
  readonly publishers: readonly (LeftOver & {
    readonly publisherId: bigint
    /** The carried amount by the month of its revenue. */
    readonly nextCarried: readonly GeneratedBucket[]
  })[]
}

/** An opening balance of the previous system on record, which counts for the first time in this month. */
export interface OpeningBalance {
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly originMonth: YearMonth
  readonly amountYen: bigint
}

/**
 * I5 over the whole history of one agreement, oldest month first.
 * Tested by `domain/payment/invariants.test.ts`.
 * @param openingYen its opening balances; null: unknown, so the first month's own start is taken as correct
 */
export function conservationViolations(
  history: readonly (Pick<SettledPayment, 'agreementId'> & Omit<Balance, 'cumulativeRevenueYen'>)[],
  openingYen: bigint | null = null,
): readonly Violation[] {
  const list = new ViolationList()
  const last = history.at(-1)
  if (last) {
    const startYen = openingYen ?? history[0]!.carriedOverRevenueYen
    const earnedYen = sumBy(history, each => each.revenueYen + each.manualAdjustmentRevenueYen)
    const paidYen = sumBy(history, each => each.paymentYen)
    list.expectEqual('I5', rowOf(last), '支払の累計と繰越', paidYen + last.carriedOverToNextYen, startYen + earnedYen)
  }
  return list.violations
}

/** I4: the opening balances frozen with the month are those on record, and part of what it carries. */
export function checkOpening(
  list: ViolationList,
  payment: SettledPayment,
  agreement: AgreementInput,
  recorded: readonly OpeningBalance[],
): void {
  for (const { publisherId, opening } of agreement.rules) {
    const row = publisherRowOf(payment, { publisherId })
    const expected = recorded.filter(balance => balance.publisherId === publisherId)
    for (const { originMonth, amountYen } of expected) {
      const countedYen = sumBy(opening ?? [], each => (each.generatedMonth === originMonth ? each.amountYen : 0n))
      list.expectEqual('I4', row, `${originMonth}の期首残高`, countedYen, amountYen)
    }
    list.expectEqual(
      'I4',
      row,
      '期首残高の合計',
      openingOf(opening),
      sumBy(expected, each => each.amountYen),
    )
  }
  for (const { publisherId } of recorded) {
    const isThere = agreement.rules.some(rule => rule.publisherId === publisherId)
    list.expect('I4', publisherRowOf(payment, { publisherId }), isThere, '期首残高のある媒体の行がありません。')
  }
}

/** The first month in which two lists differ. A list may contain a month several times. */
function firstDifference(found: readonly GeneratedBucket[], expected: readonly GeneratedBucket[]) {
  const foundBy = sumsByMonth(found)
  const expectedBy = sumsByMonth(expected)
  for (const month of [...foundBy.keys(), ...expectedBy.keys()]) {
    const [foundYen = 0n, expectedYen = 0n] = [foundBy.get(month), expectedBy.get(month)]
    if (foundYen !== expectedYen) return { month, foundYen, expectedYen }
  }
  return undefined
}

function sumsByMonth(buckets: readonly GeneratedBucket[]): ReadonlyMap<YearMonth, bigint> {
  const sums = new Map<YearMonth, bigint>()
  for (const { generatedMonth, amountYen } of buckets)
    sums.set(generatedMonth, (sums.get(generatedMonth) ?? 0n) + amountYen)
  return sums
}

const openingOf = (opening: RuleInput['opening']) => sumBy(opening ?? [], each => each.amountYen)

/**
 * I4 between two months, also for each publisher and month of revenue. A new agreement starts with its opening
 * balances.
 */
export function checkCarry(
  list: ViolationList,
  payment: SettledPayment,
  earlier: BalanceBefore | undefined,
  { rules }: AgreementInput,
): void {
  const leftYen = earlier ? earlier.cumulativeRevenueYen - earlier.paymentYen : 0n
  const expectedYen = leftYen + sumBy(rules, rule => openingOf(rule.opening))
  list.expectEqual('I4', rowOf(payment), '前月繰越', payment.carriedOverRevenueYen, expectedYen)
  for (const each of payment.publishers) {
    const previous = earlier?.publishers.find(publisher => publisher.publisherId === each.publisherId)
    const left = previous ? previous.cumulativeRevenueYen - previous.paymentYen : 0n
    const rule = rules.find(one => one.publisherId === each.publisherId)
    const row = publisherRowOf(payment, each)
    list.expectEqual('I4', row, '前月繰越', each.carriedOverRevenueYen, left + openingOf(rule?.opening))
    // A wrong sum is reported once; months are compared only when the sum is right. They decide tax rates and
    // deductions.
    if (each.carriedOverRevenueYen === left + openingOf(rule?.opening)) {
      const moved = firstDifference(rule?.carried ?? [], [...(previous?.nextCarried ?? []), ...(rule?.opening ?? [])])
      if (moved) list.expectEqual('I4', row, `${moved.month}分の前月繰越`, moved.foundYen, moved.expectedYen)
    }
  }
  for (const previous of earlier?.publishers ?? []) {
    const isGone = !payment.publishers.some(each => each.publisherId === previous.publisherId)
    list.expect(
      'I4',
      publisherRowOf(payment, previous),
      !(isGone && previous.carriedOverToNextYen !== 0n),
      '残高のある媒体の行がなくなっています。',
    )
  }
}
