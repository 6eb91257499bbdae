import { compareBigints } from '../money/allocate.ts'
import { magnitude, sumBy } from '../money/yen.ts'
import type { SettledMonth, SettledPayment } from './settlement-result.ts'

/** Longest name of a saved scenario, in characters. */
export const MAX_SCENARIO_NAME = 100

/** The difference that a scenario makes to one payee. */
export interface PayeeDifference {
  readonly agreementId: bigint
  readonly partnerName: string
  /** Null: the agreement has no row on this side. */
  readonly before: PayeeAmounts | null
  readonly after: PayeeAmounts | null
  readonly revenueChangeYen: bigint
  readonly paymentChangeYen: bigint
}

export type PayeeAmounts = Pick<
  SettledPayment,
  'revenueYen' | 'paymentYen' | 'paymentIncludingTaxYen' | 'carriedOverToNextYen' | 'outcome' | 'reason'
>

export interface MonthDifference {
  /** Rows that change, the largest change of the payment first, then of the revenue. */
  readonly payees: readonly PayeeDifference[]
  readonly revenueChangeYen: bigint
  readonly paymentChangeYen: bigint
  readonly paymentIncludingTaxChangeYen: bigint
  readonly retainedChangeYen: bigint
  readonly before: MonthSums
  readonly after: MonthSums
}

/** A month's sums over all payees. */
export interface MonthSums {
  readonly payees: number
  /** How many payees are paid. */
  readonly paid: number
  readonly revenueYen: bigint
  readonly paymentYen: bigint
  readonly paymentIncludingTaxYen: bigint
  readonly carriedOverToNextYen: bigint
  /** The part of the pools that the platform keeps. */
  readonly retainedYen: bigint
}

/** Compares two settlements of the same month for a what-if preview; nothing is stored. */
export function monthDifference(before: SettledMonth, after: SettledMonth): MonthDifference {
  const rowsBefore = new Map(before.payments.map(payment => [payment.agreementId, payment]))
  const rowsAfter = new Map(after.payments.map(payment => [payment.agreementId, payment]))
  const ids = [...new Set([...rowsBefore.keys(), ...rowsAfter.keys()])]
  const payees = ids
    .map(id => payeeDifference(id, rowsBefore.get(id), rowsAfter.get(id)))
    .filter(isChanged)
    .toSorted(
      (a, b) =>
        compareBigints(magnitude(b.paymentChangeYen), magnitude(a.paymentChangeYen)) ||
        compareBigints(magnitude(b.revenueChangeYen), magnitude(a.revenueChangeYen)) ||
        compareBigints(a.agreementId, b.agreementId),
    )
  const sums = { before: sumsOf(before), after: sumsOf(after) }
  return {
    payees,
    revenueChangeYen: sums.after.revenueYen - sums.before.revenueYen,
    paymentChangeYen: sums.after.paymentYen - sums.before.paymentYen,
    paymentIncludingTaxChangeYen: sums.after.paymentIncludingTaxYen - sums.before.paymentIncludingTaxYen,
    retainedChangeYen: sums.after.retainedYen - sums.before.retainedYen,
    ...sums,
  }
}

function sumsOf({ payments, pools }: SettledMonth): MonthSums {
  return {
    payees: payments.length,
    paid: payments.filter(payment => payment.paymentYen > 0n).length,
    revenueYen: sumBy(payments, payment => payment.revenueYen),
    paymentYen: sumBy(payments, payment => payment.paymentYen),
    paymentIncludingTaxYen: sumBy(payments, payment => payment.paymentIncludingTaxYen),
    carriedOverToNextYen: sumBy(payments, payment => payment.carriedOverToNextYen),
    retainedYen: sumBy(pools, pool => pool.retainedYen),
  }
}

function payeeDifference(
  agreementId: bigint,
  before: SettledPayment | undefined,
  after: SettledPayment | undefined,
): PayeeDifference {
  return {
    agreementId,
    partnerName: (after ?? before)?.partnerName ?? '',
    before: before ? amountsOf(before) : null,
    after: after ? amountsOf(after) : null,
    revenueChangeYen: (after?.revenueYen ?? 0n) - (before?.revenueYen ?? 0n),
    paymentChangeYen: (after?.paymentYen ?? 0n) - (before?.paymentYen ?? 0n),
  }
}

function amountsOf(payment: SettledPayment): PayeeAmounts {
  const { revenueYen, paymentYen, paymentIncludingTaxYen, carriedOverToNextYen, outcome, reason } = payment
  return { revenueYen, paymentYen, paymentIncludingTaxYen, carriedOverToNextYen, outcome, reason }
}

function isChanged({ before, after }: PayeeDifference): boolean {
  if (!before || !after) return true
  return (
    before.revenueYen !== after.revenueYen ||
    before.paymentIncludingTaxYen !== after.paymentIncludingTaxYen ||
    before.carriedOverToNextYen !== after.carriedOverToNextYen ||
    before.outcome !== after.outcome ||
    before.reason?.code !== after.reason?.code
  )
}
