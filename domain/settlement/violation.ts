/** The invariants of the books, I1 to I24. */
export const INVARIANTS = [
  'I1',
  'I2',
  'I3',
  'I4',
  'I5',
  'I6',
  'I7',
  'I8',
  'I9',
  'I10',
  'I11',
  'I12',
  'I13',
  'I14',
  'I15',
  'I16',
  'I17',
  'I18',
  'I19',
  'I20',
  'I21',
  'I22',
  'I23',
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
