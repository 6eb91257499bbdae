import { type Day, daysBetween } from '../month/day.ts'
import { type BusinessDayShift, dueDateOf } from '../month/due-date.ts'
import type { HolidayCalendar } from '../month/holiday-calendar.ts'
import { addMonths, lastDayOf, monthOfDay, monthRange, type YearMonth, yearOf } from '../month/year-month.ts'
import type { FeePayer } from './agreement-terms.ts'
import { lawFindings } from './law-guard.ts'
import type { AgreementFacts } from './law-rule.ts'
import { isProtectedOn } from './protected-payee.ts'

/**
 * The last legal day of payment for a payee whom the acts protect: 60 days from receipt, which for a monthly close is
 * the end of the next month (取適法第3条, フリーランス法第4条; the guidelines count whole months).
 */
export function statutoryDueOn(month: YearMonth): Day {
  return lastDayOf(addMonths(month, 1))
}

/** The largest shift over a bank holiday that may be agreed in writing, in days (the authority's guidelines). */
const AGREED_SHIFT_DAYS = 2

/** One payment of a computed month, as far as the acts look at it. */
export interface PaymentFacts
  extends Pick<AgreementFacts, 'feePaidBy' | 'isShiftAgreedInWriting' | 'smallSupplierCoverage' | 'freelanceCoverage'> {
  /** The revenue month. */
  readonly month: YearMonth
  /** The agreed day, before bank holidays move it. */
  readonly nominalOn: Day
  readonly dueOn: Day
  readonly isPaid: boolean
  /** The cumulative revenue without tax. */
  readonly cumulativeYen: bigint
  /** An adjustment or a discard reduced the revenue. */
  readonly isReduced: boolean
}

/**
 * - `unlawful-terms`: a rule in force on the day of payment forbids its fee, term or shift.
 * - `shifted-too-far`: bank holidays move the payment further than may be agreed.
 * - `kept-back`: unpaid revenue would pass the last legal day.
 * - `overdue`: the last legal day has passed and the month is still open.
 * - `reduced`: revenue was taken off, which is forbidden unless the payee is at fault.
 * - `fee-of-unknown`: a payee bears the fee, and it is unknown whether the acts protect it.
 */
export type PaymentBreach =
  | 'unlawful-terms'
  | 'shifted-too-far'
  | 'kept-back'
  | 'overdue'
  | 'reduced'
  | 'fee-of-unknown'

/**
 * What the acts on small suppliers and freelancers forbid or question in a payment of an open month, by the rules of
 * its due day.
 */
export function paymentBreaches(facts: PaymentFacts, today: Day): readonly PaymentBreach[] {
  if (!isProtectedOn(facts, facts.dueOn)) return facts.isPaid && isFeeOfUnknown(facts) ? ['fee-of-unknown'] : []
  const breaches: PaymentBreach[] = []
  if (facts.isPaid && hasUnlawfulTerms(facts)) breaches.push('unlawful-terms')
  if (facts.isPaid && isShiftedTooFar(facts)) breaches.push('shifted-too-far')
  if (!facts.isPaid && facts.cumulativeYen > 0n) breaches.push('kept-back')
  const { month: oldestMonth, dueOn, isShiftAgreedInWriting } = facts
  const unsent = { oldestMonth, dueOn, isShiftAgreedInWriting, state: 'scheduled', transferOn: null } as const
  if (facts.isPaid && lateReason(unsent, today) === 'not-sent') breaches.push('overdue')
  if (facts.isReduced) breaches.push('reduced')
  return breaches
}

/**
 * Who bears the bank's fee of a payment sent on this day. Where an act forbids charging the payee, the payer does,
 * whatever was agreed when the month was closed.
 */
export function lawfulFeePayer(
  agreed: FeePayer,
  coverage: Pick<AgreementFacts, 'smallSupplierCoverage' | 'freelanceCoverage'>,
  on: Day,
): FeePayer {
  const facts: AgreementFacts = { ...NEUTRAL_FACTS, ...coverage, feePaidBy: agreed }
  const isForbidden = lawFindings(facts, on).some(each => each.field === 'feePaidBy' && each.severity === 'error')
  return isForbidden ? 'product' : agreed
}

/** How many months ahead due days are examined. */
const MONTHS_AHEAD = 24

export interface ShiftedMonth {
  readonly month: YearMonth
  readonly dueOn: Day
}

/**
 * Revenue months whose payment in the next month is moved by bank holidays further than may be agreed: those still to
 * be paid, and the 24 months from the current one. Months with unknown holidays are left out.
 */
export function monthsShiftedTooFar(
  today: Day,
  shiftOf: (month: YearMonth) => BusinessDayShift,
  calendar: HolidayCalendar,
): readonly ShiftedMonth[] {
  const found: ShiftedMonth[] = []
  // Revenue of two months ago may be due in the current month.
  const from = addMonths(monthOfDay(today), -2)
  for (const month of monthRange(from, addMonths(from, MONTHS_AHEAD + 1))) {
    if (yearOf(month) < calendar.firstYear || yearOf(addMonths(month, 2)) > calendar.lastYear) continue
    const { dueOn } = dueDateOf(month, 'a_month_later', shiftOf(month), calendar)
    if (dueOn >= today && isBeyondAgreedShift(statutoryDueOn(month), dueOn)) found.push({ month, dueOn })
  }
  return found
}

/** Why revenue of a protected payee will pass, or has passed, its last legal day. */
export type LateReason = 'kept-back' | 'returned' | 'not-closed' | 'not-sent' | 'due-late' | 'sent-late'

/** The unpaid part of a month that is over. */
export interface UnpaidFacts extends Pick<AgreementFacts, 'isShiftAgreedInWriting'> {
  /** The oldest revenue month in the unpaid amount. */
  readonly oldestMonth: YearMonth
  /** Null: the month has not been computed. */
  readonly dueOn: Day | null
  /** `open`: the month is not finalised. */
  readonly state: 'open' | 'kept-back' | 'returned' | 'scheduled' | 'sent'
  /** The day of the transfer; null unless sent. */
  readonly transferOn: Day | null
}

/**
 * Days that a close, the bank file and the bank's processing take. An open month is reported this many days before its
 * last legal day.
 */
const DAYS_TO_CLOSE_AND_SEND = 7

/**
 * Why the payment is late by law; undefined: it can still be paid in time. Revenue that is kept back waits for the next
 * close, which is after the last legal day. A due day moved by a bank holiday is in time as far as the shift was, and
 * may be, agreed in writing.
 */
export function lateReason(
  { oldestMonth, dueOn, isShiftAgreedInWriting, state, transferOn }: UnpaidFacts,
  today: Day,
): LateReason | undefined {
  if (state === 'kept-back' || state === 'returned') return state
  const lastLegalDay = statutoryDueOn(oldestMonth)
  const isTooNear = daysBetween(today, lastLegalDay) <= DAYS_TO_CLOSE_AND_SEND
  if (state === 'open' || dueOn === null) return isTooNear ? 'not-closed' : undefined
  const isDueLate = isShiftAgreedInWriting ? isBeyondAgreedShift(lastLegalDay, dueOn) : dueOn > lastLegalDay
  const lastDay = dueOn > lastLegalDay && !isDueLate ? dueOn : lastLegalDay
  if (state === 'sent') return transferOn !== null && transferOn > lastDay ? 'sent-late' : undefined
  if (today > lastDay) return 'not-sent'
  return isDueLate ? 'due-late' : undefined
}

function isBeyondAgreedShift(lastLegalDay: Day, dueOn: Day): boolean {
  return daysBetween(lastLegalDay, dueOn) > AGREED_SHIFT_DAYS
}

/** Whether a payee bears the fee although it is unknown whether the acts protect it. */
export function isFeeOfUnknown({
  feePaidBy,
  smallSupplierCoverage,
  freelanceCoverage,
}: Pick<AgreementFacts, 'feePaidBy' | 'smallSupplierCoverage' | 'freelanceCoverage'>): boolean {
  return feePaidBy === 'publisher' && [smallSupplierCoverage, freelanceCoverage].includes('unknown')
}

/** An agreement to which no rule objects. */
const NEUTRAL_FACTS: AgreementFacts = {
  feePaidBy: 'product',
  paymentTiming: 'a_month_later',
  businessDayShift: 'previous',
  payoutThresholdYen: null,
  isShiftAgreedInWriting: false,
  smallSupplierCoverage: 'not_covered',
  freelanceCoverage: 'not_covered',
  payeeKind: 'company',
  isQualifiedInvoiceIssuer: false,
  invoiceRegistrationNumber: null,
}

/** Threshold and registration number concern only the saving of an agreement, so they are neutral here. */
function hasUnlawfulTerms({ month, nominalOn, dueOn, ...terms }: PaymentFacts): boolean {
  const facts: AgreementFacts = {
    ...NEUTRAL_FACTS,
    ...terms,
    paymentTiming: nominalOn > statutoryDueOn(month) ? 'two_months_later' : 'a_month_later',
    businessDayShift: dueOn > nominalOn ? 'next' : 'previous',
  }
  return lawFindings(facts, dueOn).some(({ severity }) => severity === 'error')
}

function isShiftedTooFar({ month, nominalOn, dueOn }: PaymentFacts): boolean {
  const lastLegalDay = statutoryDueOn(month)
  return nominalOn <= lastLegalDay && isBeyondAgreedShift(lastLegalDay, dueOn)
}
