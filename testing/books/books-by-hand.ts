import type { InputTaxTimingOf } from '@pc/domain/journal/close-journal.ts'
import type { JournalEntry } from '@pc/domain/journal/journal-entry.ts'
import type { TaxTable } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { DeductionTable } from '@pc/domain/settlement/deduction.ts'
import type { GeneratedBucket } from '@pc/domain/settlement/settlement-input.ts'

/**
 * For tests only: the books of one agreement over its months, kept a second time without the code of the product. They
 * hold the balance of each account by month of origin. An accrual or a payment defines the new balance; the postings
 * are the difference.
 */

/** Debits minus credits, by account, month of origin (or `-`), rate and deduction. Zeros are left out. */
export type Postings = ReadonlyMap<string, bigint>

/** The quotient rounded towards zero. */
const towardZero = (numerator: bigint, denominator: bigint) =>
  numerator < 0n ? -(-numerator / denominator) : numerator / denominator
const absolute = (value: bigint) => (value < 0n ? -value : value)

interface MonthBalance {
  yen: bigint
  deductible: bigint
  cost: bigint
}

export interface BooksFacts {
  readonly taxTable: TaxTable
  readonly deductionTable: DeductionTable
  readonly qualifiedMonths: readonly YearMonth[]
  readonly timingOf: InputTaxTimingOf
}

export class BooksByHand {
  /** Accrued amounts by month of origin, with the tax booked with each. */
  readonly #standing = new Map<number, MonthBalance>()
  readonly #facts: BooksFacts

  constructor(facts: BooksFacts, opening: readonly GeneratedBucket[]) {
    this.#facts = facts
    for (const [month, yen] of sums(opening)) this.#standing.set(month, this.#own(month, yen))
  }

  /** The credit balance of the account of accrued costs. */
  accruedYen(): bigint {
    return [...this.#standing.values()].reduce((sum, { yen, deductible, cost }) => sum + yen + deductible + cost, 0n)
  }

  /** @param open the balance after the month's revenue and adjustments, before its payment */
  accrue(open: readonly GeneratedBucket[]): Postings {
    const after = sums(open)
    const postings = new Map<string, bigint>()
    for (const month of new Set([...this.#standing.keys(), ...after.keys()])) {
      const stood = this.#standing.get(month) ?? { yen: 0n, deductible: 0n, cost: 0n }
      const stands = this.#own(month, after.get(month) ?? 0n)
      const move = {
        yen: stands.yen - stood.yen,
        deductible: stands.deductible - stood.deductible,
        cost: stands.cost - stood.cost,
      }
      const origin = this.#isAccrued(month) ? this.#origin(month) : '-'
      post(postings, `publisher_cost ${origin}`, move.yen)
      post(postings, `input_tax ${origin}`, move.deductible)
      post(postings, `non_deductible_tax ${origin}`, move.cost)
      post(postings, 'accrued_cost -', -(move.yen + move.deductible + move.cost))
      this.#standing.set(month, stands)
    }
    return withoutZeros(postings)
  }

  /** Pays the whole balance. */
  pay(): Postings {
    const postings = new Map<string, bigint>()
    for (const [month, split] of this.#splitOfPayment()) {
      const stood = this.#standing.get(month)!
      post(postings, 'accrued_cost -', stood.yen + stood.deductible + stood.cost)
      post(postings, 'payable -', -(stood.yen + split.deductible + split.cost))
      if (this.#isAccrued(month)) {
        post(postings, 'input_tax -', split.deductible - stood.deductible)
        post(postings, 'non_deductible_tax -', split.cost - stood.cost)
      } else {
        const origin = this.#origin(month)
        post(postings, 'publisher_cost -', -stood.yen)
        post(postings, `publisher_cost ${origin}`, stood.yen)
        post(postings, `input_tax ${origin}`, split.deductible)
        post(postings, `non_deductible_tax ${origin}`, split.cost)
      }
    }
    this.#standing.clear()
    return withoutZeros(postings)
  }

  /** Tax and deductible tax in hundredths of yen, so that nothing is rounded except where the rules say so. */
  #splitOfPayment(): ReadonlyMap<number, { readonly deductible: bigint; readonly cost: bigint }> {
    const taxes = new Map<number, bigint>()
    for (const rate of new Set([...this.#standing.keys()].map(month => this.#rate(month)))) {
      const group = [...this.#standing].filter(([month, { yen }]) => yen !== 0n && this.#rate(month) === rate)
      const net = group.reduce((sum, [, { yen }]) => sum + yen, 0n)
      let left = towardZero(net * rate, 100n)
      for (const [month, { yen }] of group) {
        const whole = towardZero(yen * rate, 100n)
        taxes.set(month, whole)
        left -= whole
      }
      const step = left < 0n ? -1n : 1n
      while (left !== 0n) {
        let best: { readonly month: number; readonly fraction: bigint; readonly size: bigint } | undefined
        for (const [month, { yen }] of group) {
          const whole = towardZero(yen * rate, 100n)
          const fraction = (yen * rate - whole * 100n) * step
          if (taxes.get(month) !== whole || fraction <= 0n) continue
          const size = absolute(yen)
          const isBetter =
            best === undefined ||
            fraction > best.fraction ||
            (fraction === best.fraction && (size > best.size || (size === best.size && month < best.month)))
          if (isBetter) best = { month, fraction, size }
        }
        if (!best) throw new Error('nobody takes the yen that is left')
        taxes.set(best.month, taxes.get(best.month)! + step)
        left -= step
      }
    }
    return new Map([...taxes].map(([month, tax]) => [month, this.#divided(month, tax)]))
  }

  /** A month's balance with its own tax; without tax where that is booked later. */
  #own(month: number, yen: bigint): MonthBalance {
    if (!this.#isAccrued(month)) return { yen, deductible: 0n, cost: 0n }
    return { yen, ...this.#divided(month, towardZero(yen * this.#rate(month), 100n)) }
  }

  #divided(month: number, tax: bigint) {
    const deductible = towardZero(tax * this.#deduction(month), 100n)
    return { deductible, cost: tax - deductible }
  }

  #isAccrued(month: number): boolean {
    return this.#facts.timingOf(month as YearMonth) === 'accrual'
  }

  #rate(month: number): bigint {
    return BigInt(inForce(this.#facts.taxTable, month).ratePercent)
  }

  #deduction(month: number): bigint {
    if (this.#facts.qualifiedMonths.some(each => each === month)) return 100n
    return BigInt(inForce(this.#facts.deductionTable, month).deductiblePercent)
  }

  #origin(month: number): string {
    return originText(month, this.#rate(month), this.#deduction(month))
  }
}

/** The postings of the product's entry, with the same keys. */
export function postingsOf(entry: JournalEntry | null): Postings {
  const postings = new Map<string, bigint>()
  for (const line of entry?.lines ?? []) {
    const sign = line.side === 'debit' ? 1n : -1n
    const { taxCategory: category, generatedMonth: month } = line
    const origin =
      month === null
        ? '-'
        : category.kind === 'outside'
          ? `${month} outside`
          : originText(month, BigInt(category.ratePercent), BigInt(category.deductiblePercent))
    post(postings, `${line.account} ${origin}`, sign * line.amountYen)
    post(postings, `input_tax ${origin}`, sign * line.deductibleTaxYen)
    post(postings, `non_deductible_tax ${origin}`, sign * line.nonDeductibleTaxYen)
  }
  return withoutZeros(postings)
}

function originText(month: number, rate: bigint, deduction: bigint): string {
  return deduction === 0n ? `${month} outside` : `${month} ${rate} % of which ${deduction} %`
}

function inForce<T extends { readonly validFromMonth: number }>(table: readonly T[], month: number): T {
  let found: T | undefined
  for (const line of table) {
    if (line.validFromMonth <= month && (!found || line.validFromMonth > found.validFromMonth)) found = line
  }
  if (!found) throw new Error(`nothing in force in ${month}`)
  return found
}

function sums(buckets: readonly GeneratedBucket[]): Map<number, bigint> {
  const byMonth = new Map<number, bigint>()
  for (const { generatedMonth, amountYen } of buckets) {
    byMonth.set(generatedMonth, (byMonth.get(generatedMonth) ?? 0n) + amountYen)
  }
  return byMonth
}

function post(postings: Map<string, bigint>, key: string, yen: bigint): void {
  postings.set(key, (postings.get(key) ?? 0n) + yen)
}

function withoutZeros(postings: Map<string, bigint>): Postings {
  return new Map([...postings].filter(([, yen]) => yen !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
