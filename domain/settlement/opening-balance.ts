import { MAX_ENTRY_YEN, magnitude } from '../money/yen.ts'
import { addMonths, EARLIEST_MONTH, formatYearMonth, type YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'

/** Revenue that an operator carries over from the system before: of a rule, by the month in which it arose. */
export interface OpeningBalanceEntry {
  readonly agreementId: bigint
  readonly publisherId: bigint
  /** Says the tax rate and, with `isQualified`, how much of the tax is deductible. */
  readonly originMonth: YearMonth
  /** It counts in the first month from this one on that is settled. */
  readonly bookedMonth: YearMonth
  /** Without tax; negative where the payee owes. 0: there is no such balance. */
  readonly amountYen: bigint
  /** Whether the payee was a qualified invoice issuer on the last day of the origin month. Not known: it was not. */
  readonly isQualified: boolean
}

/** `named-by-row`: an adjustment names the origin month, so the balance cannot go. */
export type OpeningBalanceRefusal = Refusal<
  | 'opening-balance/agreement-unknown'
  | 'opening-balance/rule-unknown'
  | 'opening-balance/twice'
  | 'opening-balance/origin-month-not-earlier'
  | 'opening-balance/origin-month-without-rate'
  | 'opening-balance/origin-month-settled'
  | 'opening-balance/booked-month-finalized'
  | 'opening-balance/booked-month-too-early'
  | 'opening-balance/amount-too-large'
  | 'opening-balance/qualification-differs'
  | 'opening-balance/named-by-row'
>

/** What the books know about the place of a balance. */
export interface OpeningBalanceFacts {
  /** Null: there is no such agreement. */
  readonly mediumId: bigint | null
  /** Whether a rule joins the agreement and the publisher. */
  readonly hasRule: boolean
  /** The last final month of the medium; null when none is. */
  readonly lastFinalized: YearMonth | null
  /** The first final month that settled the agreement; null when none did. */
  readonly firstSettled: YearMonth | null
  /** An adjustment of a month that is not final and names the origin month; null when none does. */
  readonly namedBy: { readonly month: YearMonth; readonly jobId: bigint; readonly line: number } | null
  /** The first month with a tax rate and a rate of deduction. */
  readonly firstTaxedMonth: YearMonth
}

/**
 * Why a balance cannot be recorded, by field.
 * @param stored the balance of the same rule and month as it is on record
 * @param isLeft whether the agreement has a balance of the origin month afterwards: it alone says how much of the tax is deductible
 */
export function checkOpeningBalance(
  entry: OpeningBalanceEntry,
  facts: OpeningBalanceFacts,
  stored: OpeningBalanceEntry | undefined,
  isLeft: boolean,
): readonly OpeningBalanceRefusal[] {
  const { originMonth, bookedMonth, amountYen } = entry
  const { lastFinalized, firstSettled, firstTaxedMonth } = facts
  if (facts.mediumId === null) return [refusal('opening-balance/agreement-unknown', ['agreementId'])]
  if (!facts.hasRule) return [refusal('opening-balance/rule-unknown', ['publisherId'])]
  const refusals: OpeningBalanceRefusal[] = []
  const isFrozen = (month: YearMonth | undefined) =>
    month !== undefined && lastFinalized !== null && month <= lastFinalized
  if (isFrozen(bookedMonth) || isFrozen(stored?.bookedMonth)) {
    const first = formatYearMonth(addMonths(lastFinalized!, 1))
    refusals.push(refusal('opening-balance/booked-month-finalized', ['bookedMonth'], { first }))
  }
  if (bookedMonth < EARLIEST_MONTH) {
    const first = formatYearMonth(EARLIEST_MONTH)
    refusals.push(refusal('opening-balance/booked-month-too-early', ['bookedMonth'], { first }))
  }
  if (originMonth >= bookedMonth) {
    const booked = formatYearMonth(bookedMonth)
    refusals.push(refusal('opening-balance/origin-month-not-earlier', ['originMonth'], { booked }))
  }
  if (originMonth < firstTaxedMonth) {
    const first = formatYearMonth(firstTaxedMonth)
    refusals.push(refusal('opening-balance/origin-month-without-rate', ['originMonth'], { first }))
  }
  if (firstSettled !== null && originMonth >= firstSettled) {
    const first = formatYearMonth(firstSettled)
    refusals.push(refusal('opening-balance/origin-month-settled', ['originMonth'], { first }))
  }
  if (!isLeft && facts.namedBy) {
    const { month, jobId, line } = facts.namedBy
    const data = { month: formatYearMonth(month), job: `${jobId}`, line, origin: formatYearMonth(originMonth) }
    refusals.push(refusal('opening-balance/named-by-row', ['amountYen'], data))
  }
  if (magnitude(amountYen) > MAX_ENTRY_YEN) {
    refusals.push(refusal('opening-balance/amount-too-large', ['amountYen']))
  }
  return refusals
}

/** Whether recording the entry would leave everything as it is. */
export function isSameBalance(entry: OpeningBalanceEntry, stored: OpeningBalanceEntry | undefined): boolean {
  if (!stored) return entry.amountYen === 0n
  return (
    entry.amountYen === stored.amountYen &&
    entry.bookedMonth === stored.bookedMonth &&
    entry.isQualified === stored.isQualified
  )
}
