import type { HoldReason, SettlementOutcome } from './settlement-result.ts'

export interface DecisionFacts {
  /** The agreement's balance without tax: carried over + revenue + adjustment. */
  readonly cumulativeRevenueYen: bigint
  readonly isPaymentDisabled: boolean
  readonly hasAccount: boolean
  /** Terminated by the end of the month. */
  readonly isTerminated: boolean
  readonly payoutThresholdYen: bigint
}

/** Nothing is paid when returned months (返還) take away more tax than the payment is worth. */
export const NON_POSITIVE_TOTAL: PaymentDecision = {
  outcome: 'carried_over',
  reason: { code: 'NON_POSITIVE_TOTAL' },
}

export interface PaymentDecision {
  readonly outcome: SettlementOutcome
  readonly reason: HoldReason | null
}

/**
 * Paid, held or carried over: the first line that fits decides. A balance is paid whole or carried whole. What is to be paid
 * may still become `NON_POSITIVE_TOTAL` once its tax is known (`settle-month.ts`).
 * Tested by `domain/settlement/settle-month.test.ts`.
 */
export function decidePayment(facts: DecisionFacts): PaymentDecision {
  if (facts.cumulativeRevenueYen <= 0n) return { outcome: 'carried_over', reason: { code: 'NON_POSITIVE_BALANCE' } }
  if (facts.isPaymentDisabled) return { outcome: 'held', reason: { code: 'PAYMENT_DISABLED' } }
  if (!facts.hasAccount) return { outcome: 'held', reason: { code: 'NO_BANK_ACCOUNT' } }
  if (facts.isTerminated || facts.cumulativeRevenueYen >= facts.payoutThresholdYen) {
    return { outcome: 'scheduled', reason: null }
  }
  return {
    outcome: 'carried_over',
    reason: { code: 'BELOW_THRESHOLD', thresholdYen: facts.payoutThresholdYen },
  }
}
