import { MAX_ENTRY_YEN } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import type { PaymentTiming } from '../month/due-date.ts'
import type { YearMonth } from '../month/year-month.ts'
import { monthOfDay } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { MinimumRevenueType } from './minimum-revenue.ts'

/** Who bears the bank's transfer fee: the platform (`product`) or the payee. */
export const FEE_PAYERS = ['product', 'publisher'] as const
export type FeePayer = (typeof FEE_PAYERS)[number]

/** The part of an agreement that has versions by month. */
export interface AgreementTerms {
  readonly feePaidBy: FeePayer
  readonly paymentTiming: PaymentTiming
  readonly minimumRevenueType: MinimumRevenueType
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
  /** Overrides the platform's payout threshold; null: the platform's applies. */
  readonly payoutThresholdYen: bigint | null
}

export type AgreementTermsRefusal = Refusal<'agreement/amount-negative' | 'agreement/amount-too-large'>

/** Refuses yen amounts that are negative or too large. Empty: the terms are allowed. */
export function checkAgreementTerms(terms: AgreementTerms): readonly AgreementTermsRefusal[] {
  const amounts = ['fixedRevenueYen', 'minimumRevenueYen', 'payoutThresholdYen'] as const
  return amounts.flatMap(field => checkTermsAmount(terms[field] ?? 0n, ['input', field]))
}

/** Checks one amount of an agreement's terms or of a publisher's rule. */
export function checkTermsAmount(
  amountYen: bigint,
  path: readonly (string | number)[],
): readonly AgreementTermsRefusal[] {
  if (amountYen < 0n) return [refusal('agreement/amount-negative', path)]
  return amountYen > MAX_ENTRY_YEN ? [refusal('agreement/amount-too-large', path)] : []
}

/** The month of termination counts in full; later months earn nothing. */
export function isActiveIn(month: YearMonth, terminatedOn: Day | null): boolean {
  return terminatedOn === null || monthOfDay(terminatedOn) >= month
}

/** Terminated on or before the last day of the month. The balance is then paid whatever the threshold. */
export function isTerminatedBy(month: YearMonth, terminatedOn: Day | null): boolean {
  return terminatedOn !== null && monthOfDay(terminatedOn) <= month
}

/**
 * Whether the termination has taken effect. Before its day it is only scheduled. `app.is_terminated` repeats this rule
 * in SQL.
 */
export function isTerminatedOn(today: Day, terminatedOn: Day | null): boolean {
  return terminatedOn !== null && terminatedOn <= today
}

/** The months in which an agreement pays a publisher. */
export interface EarningSpan {
  /** First months of the agreement's terms and of the publisher's rule. The later one is the first that earns. */
  readonly agreementFrom: number
  readonly ruleFrom: number
  readonly terminatedOn: Day | null
}

/**
 * Whether two agreements of one medium both earn for one publisher in the same month, which cannot be settled. A
 * successor may begin in the month in which the other agreement ends.
 * Tested by `domain/agreement/agreement.test.ts`.
 */
export function bothEarn(a: EarningSpan, b: EarningSpan): boolean {
  const from = Math.max(a.agreementFrom, a.ruleFrom, b.agreementFrom, b.ruleFrom)
  const lastMonth = ({ terminatedOn }: EarningSpan) =>
    terminatedOn ? monthOfDay(terminatedOn) : Number.POSITIVE_INFINITY
  const [first, last] = [Math.min(lastMonth(a), lastMonth(b)), Math.max(lastMonth(a), lastMonth(b))]
  return from < first || (from === first && first === last)
}

export interface AccountUse {
  readonly bankAccountId: bigint
  readonly usedFromMonth: YearMonth
}

/** The account used in a pay month: the latest one whose `usedFromMonth` has been reached. Null when there is none. */
export function accountInUse(accounts: readonly AccountUse[], payMonth: YearMonth): bigint | null {
  let found: AccountUse | undefined
  for (const account of accounts) {
    if (account.usedFromMonth > payMonth) continue
    if (!found || account.usedFromMonth > found.usedFromMonth) found = account
    else if (account.usedFromMonth === found.usedFromMonth && account.bankAccountId !== found.bankAccountId) {
      throw new RangeError(`two accounts from the same month ${account.usedFromMonth}`)
    }
  }
  return found?.bankAccountId ?? null
}
