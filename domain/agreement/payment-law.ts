import { type Day, daysBetween } from '../month/day.ts'
import { addMonths, lastDayOf, type YearMonth } from '../month/year-month.ts'
import { lawFindings } from './law-guard.ts'
import type { AgreementFacts } from './law-rule.ts'
import { FREELANCE_ACT_FROM, SMALL_SUPPLIER_ACT_FROM } from './law-rules.ts'

/**
 * The last legal day for a payee whom the acts protect: 60 days from receipt, which with a close at the end of the month
 * is the end of the next one (取適法第3条, フリーランス法第4条; their guidance counts whole months).
 */
export function statutoryDueOn(month: YearMonth): Day {
  return lastDayOf(addMonths(month, 1))
}

/** The longest shift over a bank holiday that may be agreed in writing (the authority's guidance). */
const AGREED_SHIFT_DAYS = 2

/** One payment of a computed month. */
export interface PaymentFacts
  extends Pick<AgreementFacts, 'feePaidBy' | 'isShiftAgreedInWriting' | 'smallSupplierCoverage' | 'freelanceCoverage'> {
  /** The revenue month. */
  readonly month: YearMonth
  /** The agreed day, before a bank holiday moves it. */
  readonly nominalOn: Day
  readonly dueOn: Day
  readonly isPaid: boolean
  /** The cumulative revenue, without tax. */
  readonly cumulativeYen: bigint
  /** An adjustment or a discard took something off. */
  readonly isReduced: boolean
}

/**
 * - `unlawful-terms`: a rule in force on the day of payment forbids its fee, term or shift.
 * - `shifted-too-far`: bank holidays move it further than may be agreed.
 * - `kept-back`: revenue that is not paid would pass the last legal day.
 * - `reduced`: revenue was taken off, which is forbidden unless the payee is at fault.
 */
export type PaymentBreach = 'unlawful-terms' | 'shifted-too-far' | 'kept-back' | 'reduced'

/** What the acts on small suppliers and freelancers forbid or question in one payment, by the rules of its due day. */
export function paymentBreaches(facts: PaymentFacts): readonly PaymentBreach[] {
  if (!isProtectedOn(facts, facts.dueOn)) return []
  const breaches: PaymentBreach[] = []
  if (facts.isPaid && hasUnlawfulTerms(facts)) breaches.push('unlawful-terms')
  if (facts.isPaid && isShiftedTooFar(facts)) breaches.push('shifted-too-far')
  if (!facts.isPaid && facts.cumulativeYen > 0n) breaches.push('kept-back')
  if (facts.isReduced) breaches.push('reduced')
  return breaches
}

/** An act covers the payee and is in force on the day. */
export function isProtectedOn(
  { smallSupplierCoverage, freelanceCoverage }: Pick<AgreementFacts, 'smallSupplierCoverage' | 'freelanceCoverage'>,
  on: Day,
): boolean {
  return (
    (smallSupplierCoverage === 'covered' && on >= SMALL_SUPPLIER_ACT_FROM) ||
    (freelanceCoverage === 'covered' && on >= FREELANCE_ACT_FROM)
  )
}

/** Why revenue of a protected payee would pass, or has passed, its last legal day. */
export type LateReason = 'kept-back' | 'returned' | 'not-sent' | 'due-late' | 'sent-late'

/** What is left to pay of a final month. */
export interface UnpaidFacts {
  /** The oldest revenue month in it. */
  readonly oldestMonth: YearMonth
  readonly dueOn: Day
  readonly state: 'kept-back' | 'returned' | 'scheduled' | 'sent'
  /** Of what was sent. */
  readonly transferOn: Day | null
}

/**
 * Why it is late by law; undefined: it can still be paid in time as it stands. What is kept back waits for the next close,
 * which is after the day. A due day that a bank holiday moved as far as may be agreed is in time.
 */
export function lateReason({ oldestMonth, dueOn, state, transferOn }: UnpaidFacts, today: Day): LateReason | undefined {
  if (state === 'kept-back' || state === 'returned') return state
  const lastLegalDay = statutoryDueOn(oldestMonth)
  const isDueLate = isBeyondAgreedShift(lastLegalDay, dueOn)
  const lastDay = dueOn > lastLegalDay && !isDueLate ? dueOn : lastLegalDay
  if (state === 'sent') return transferOn !== null && transferOn > lastDay ? 'sent-late' : undefined
  if (today > lastDay) return 'not-sent'
  return isDueLate ? 'due-late' : undefined
}

function isBeyondAgreedShift(lastLegalDay: Day, dueOn: Day): boolean {
  return daysBetween(lastLegalDay, dueOn) > AGREED_SHIFT_DAYS
}

/** What concerns only the saving of an agreement (threshold, registration number) is left in order here. */
function hasUnlawfulTerms({ month, nominalOn, dueOn, ...terms }: PaymentFacts): boolean {
  const facts: AgreementFacts = {
    ...terms,
    paymentTiming: nominalOn > statutoryDueOn(month) ? 'two_months_later' : 'a_month_later',
    businessDayShift: dueOn > nominalOn ? 'next' : 'previous',
    payoutThresholdYen: null,
    payeeKind: 'company',
    isQualifiedInvoiceIssuer: false,
    invoiceRegistrationNumber: null,
  }
  return lawFindings(facts, dueOn).some(({ severity }) => severity === 'error')
}

function isShiftedTooFar({ month, nominalOn, dueOn }: PaymentFacts): boolean {
  const lastLegalDay = statutoryDueOn(month)
  return nominalOn <= lastLegalDay && isBeyondAgreedShift(lastLegalDay, dueOn)
}
