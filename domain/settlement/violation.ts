/** The invariants of the books. Where each is checked and tested: docs/payment-rules.md, "Invariants". */
export const INVARIANTS = [
  // The parts of revenue sum to it, none is negative, own ads follow from the rate.
  'I1',
  // An agreement is the sum of its publishers, and has the rows of the input.
  'I2',
  // Cumulative = carried over + revenue + adjustment.
  'I3',
  // Next carry = cumulative − payment; the next month starts with it.
  'I4',
  // Over the whole history: paid + carried = opening + earned.
  'I5',
  // A payment is not negative, and is the whole balance or nothing with a reason.
  'I6',
  // Nothing is paid while payment is off or an account is missing.
  'I7',
  // A pool is booked or retained to the yen.
  'I8',
  // A pool reaches only publishers whose terms take part in it.
  'I9',
  // An ended agreement earns nothing; its minimum is reached exactly.
  'I10',
  // A publisher's own minimum is reached exactly.
  'I11',
  // Tax is rounded once per rate, and the statement adds up.
  'I12',
  // The deductible part of the tax follows from the rate and the payee's qualification in the month of origin.
  'I13',
  // Balances and payments sum up by month of origin, and each month follows from what was carried, earned and corrected.
  'I14',
  // A manual operation that was reset leaves 0 in the books.
  'I15',
  // Settling the frozen input again gives the stored result.
  'I16',
  // The hashes of agreements, months, statements and bank files fit their contents.
  'I17',
  // Months close in order, with nothing unfinished.
  'I18',
  // A payment that is to be sent is in exactly one active transfer, and records and bank files sum to their transfers.
  'I19',
  // The journal balances, and its payables are the statements.
  'I20',
  // Totals of lists are those of their rows.
  'I21',
  // Days sum to the month, and to the statistics.
  'I22',
  // A due date is a business day on the right side of the nominal one.
  'I23',
  // A qualified issuer has a registered number.
  'I24',
] as const
export type Invariant = (typeof INVARIANTS)[number]

/** A row that breaks an invariant. The text is Japanese and meant for staff. */
export interface Violation {
  readonly invariant: Invariant
  /** Names the row by its ids, for example `契約 5 / パブリッシャー 201`; screens replace them by names. */
  readonly row: string
  readonly detail: string
}

/** Collects violations: `expect` records one when the condition is false. */
export class ViolationList {
  readonly #violations: Violation[] = []

  expect(invariant: Invariant, row: string, holds: boolean, detail: string): void {
    if (!holds) this.#violations.push({ invariant, row, detail })
  }

  expectEqual(invariant: Invariant, row: string, what: string, actual: bigint, expected: bigint): void {
    // The text is built only for a violation: a month compares millions of equal amounts.
    if (actual === expected) return
    this.expect(invariant, row, false, `${what}が ${actual} です。${expected} でなければなりません。`)
  }

  get violations(): readonly Violation[] {
    return this.#violations
  }
}

/** How a violation names a payment. */
export function rowOf(payment: { readonly agreementId: bigint }): string {
  return `契約 ${payment.agreementId}`
}

/** How a violation names one publisher's part of a payment. */
export function publisherRowOf(
  payment: { readonly agreementId: bigint },
  publisher: { readonly publisherId: bigint },
): string {
  return `契約 ${payment.agreementId} / パブリッシャー ${publisher.publisherId}`
}
