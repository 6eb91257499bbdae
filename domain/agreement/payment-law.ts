import { type Day, daysBetween } from '../month/day.ts'
import { addMonths, lastDayOf, type YearMonth } from '../month/year-month.ts'
import type { FeePayer } from './agreement-terms.ts'
import { lawFindings } from './law-guard.ts'
import type { Coverage } from './law-rule.ts'

/**
 * The last legal day for a payee whom the acts protect: 60 days from receipt, which with a close at the end of the month
 * is the end of the next one (取適法第3条, フリーランス法第4条; their guidance counts whole months).
 */
export function statutoryDueOn(month: YearMonth): Day {
  return lastDayOf(addMonths(month, 1))
}

/** So far a bank holiday may shift the day, where that was agreed in writing. */
const AGREED_SHIFT_DAYS = 2

/** One payment of a month as it is about to be made, or kept back. */
export interface PaymentFacts {
  readonly month: YearMonth
  readonly nominalOn: Day
  readonly dueOn: Day
  readonly feePaidBy: FeePayer
  readonly isShiftAgreedInWriting: boolean
  readonly smallSupplierCoverage: Coverage
  readonly freelanceCoverage: Coverage
  readonly isPaid: boolean
  /** C: what the payee is owed, without tax. */
  readonly cumulativeYen: bigint
  /** Something was taken off by an adjustment or discarded. */
  readonly isReduced: boolean
}

/**
 * `unlawful-terms`: the payment would be made by terms that a rule in force on its day forbids. `shifted-too-far`: bank
 * holidays move it further than may be agreed. `kept-back`: what is owed would pass the last legal day. `reduced`: taken
 * off, which is a forbidden reduction unless it is the payee's own fault.
 */
export type PaymentBreach = 'unlawful-terms' | 'shifted-too-far' | 'kept-back' | 'reduced'

/** What the acts on small suppliers and freelancers say about one payment, on the day on which it is due. */
export function paymentBreaches(facts: PaymentFacts): readonly PaymentBreach[] {
  const { month, nominalOn, dueOn, isPaid } = facts
  if (!isProtected(facts)) return []
  const lastLegalDay = statutoryDueOn(month)
  const forbidden = lawFindings(
    {
      ...{ feePaidBy: facts.feePaidBy, payoutThresholdYen: null },
      paymentTiming: nominalOn > lastLegalDay ? 'two_months_later' : 'a_month_later',
      businessDayShift: dueOn > nominalOn ? 'next' : 'previous',
      isShiftAgreedInWriting: facts.isShiftAgreedInWriting,
      ...{ smallSupplierCoverage: facts.smallSupplierCoverage, freelanceCoverage: facts.freelanceCoverage },
      ...{ payeeKind: 'company', isQualifiedInvoiceIssuer: false, invoiceRegistrationNumber: null },
    },
    dueOn,
  ).some(({ severity }) => severity === 'error')
  const isShiftedTooFar = nominalOn <= lastLegalDay && daysBetween(lastLegalDay, dueOn) > AGREED_SHIFT_DAYS
  return [
    ...(isPaid && forbidden ? ['unlawful-terms' as const] : []),
    ...(isPaid && isShiftedTooFar ? ['shifted-too-far' as const] : []),
    ...(!isPaid && facts.cumulativeYen > 0n ? ['kept-back' as const] : []),
    ...(facts.isReduced ? ['reduced' as const] : []),
  ]
}

/** Either act protects the payee, and is in force on the day of payment. */
function isProtected({ smallSupplierCoverage, freelanceCoverage, dueOn }: PaymentFacts): boolean {
  return (
    (smallSupplierCoverage === 'covered' && dueOn >= '2026-01-01') ||
    (freelanceCoverage === 'covered' && dueOn >= '2024-11-01')
  )
}
