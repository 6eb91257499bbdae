import { floorDivide } from '../money/floor-division.ts'
import { smaller } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { day } from '../month/day.ts'

/** Income tax withheld from manuscript and licence fees. Rates in 1/100 % (1,021 = 10.21 %). */
export interface WithholdingPeriod {
  /** Day of payment from which it holds. */
  readonly validFrom: Day
  readonly thresholdYen: bigint
  readonly rateUpToThreshold: number
  readonly rateAboveThreshold: number
  /** Of non-residents, on the whole amount. */
  readonly rateNonResident: number
}
export type WithholdingTable = readonly WithholdingPeriod[]

/**
 * Income Tax Act articles 204, 205, 212 and 213, with the special income taxes of 2.1 % on top of them since 2013 (Act on
 * reconstruction funding, article 28). From 2027 on another tax takes 1 % of them, and the sum stays: see withheld-taxes.
 * @internal Tests call it.
 */
export const STANDARD_WITHHOLDING_TABLE: WithholdingTable = [
  {
    ...{ validFrom: day('2013-01-01'), thresholdYen: 1_000_000n, rateUpToThreshold: 1021, rateAboveThreshold: 2042 },
    rateNonResident: 2042,
  },
]

export const RESIDENCES = ['resident', 'non_resident'] as const
/** 居住者・内国法人 or 非居住者・外国法人. */
export type Residence = (typeof RESIDENCES)[number]

/** A treaty form (租税条約に関する届出書) that was received, and the rate that the treaty gives. */
export interface TreatyForm {
  readonly validFrom: Day
  /** The last day of payment that it covers; null: it has no end. */
  readonly validTo: Day | null
  readonly rate: number
}

/** The highest rate that a treaty form can name: there is nothing to reduce above it. */
export const MAX_TREATY_RATE = 2042

/** What decides about the withholding of a payee, besides the day. */
export interface WithheldPayee {
  readonly payeeKind: 'company' | 'individual'
  readonly payeeResidence: Residence
  /** Only a non-resident's counts. */
  readonly treatyForm: TreatyForm | null
}

/** How one transfer is withheld from; what a transfer keeps of the decision. */
export interface WithholdingDecision {
  /** The one rate of a non-resident; null for residents. */
  readonly nonResidentRate: number | null
  readonly hasTreatyForm: boolean
}

/** The same, as rows keep it. */
export interface WithheldPayeeRow {
  readonly payeeKind: string
  readonly payeeResidence: string
  readonly treatyFormFrom: string | null
  readonly treatyFormTo: string | null
  readonly treatyFormRate: number | null
}

export function withheldPayeeOf(row: WithheldPayeeRow): WithheldPayee {
  const { treatyFormFrom: validFrom, treatyFormTo: validTo, treatyFormRate: rate } = row
  return {
    payeeKind: row.payeeKind as WithheldPayee['payeeKind'],
    payeeResidence: row.payeeResidence as Residence,
    treatyForm:
      validFrom === null || rate === null
        ? null
        : { validFrom: validFrom as Day, validTo: validTo as Day | null, rate },
  }
}

/** Whether anything can be withheld: from residents who are individuals, and from every non-resident. */
export function isWithheldFrom({ payeeKind, payeeResidence }: Omit<WithheldPayee, 'treatyForm'>): boolean {
  return payeeResidence === 'non_resident' || payeeKind === 'individual'
}

/**
 * By the day on which the bank moves the money: a treaty form counts where that day is covered by it
 * (租税条約等実施特例法第3条の2).
 */
export function withholdingDecision(
  { payeeResidence, treatyForm }: WithheldPayee,
  paidOn: Day,
  table: WithholdingTable,
): WithholdingDecision {
  if (payeeResidence === 'resident') return { nonResidentRate: null, hasTreatyForm: false }
  if (treatyForm && treatyForm.validFrom <= paidOn && (treatyForm.validTo === null || paidOn <= treatyForm.validTo)) {
    return { nonResidentRate: treatyForm.rate, hasTreatyForm: true }
  }
  return { nonResidentRate: periodOf(paidOn, table).rateNonResident, hasTreatyForm: false }
}

/**
 * What is withheld from one payment, on the amount without tax, because the statement shows the tax separately; one floor.
 * Resident companies: nothing.
 */
export function withholdingYen(baseYen: bigint, payee: WithheldPayee, paidOn: Day, table: WithholdingTable): bigint {
  const { nonResidentRate } = withholdingDecision(payee, paidOn, table)
  if (nonResidentRate !== null) return floorDivide(baseYen * BigInt(nonResidentRate), 10_000n)
  if (payee.payeeKind === 'company') return 0n
  const period = periodOf(paidOn, table)
  const lowerYen = smaller(baseYen, period.thresholdYen)
  const weighted =
    lowerYen * BigInt(period.rateUpToThreshold) + (baseYen - lowerYen) * BigInt(period.rateAboveThreshold)
  return floorDivide(weighted, 10_000n)
}

function periodOf(paidOn: Day, table: WithholdingTable): WithholdingPeriod {
  const period = table.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1)).find(each => each.validFrom <= paidOn)
  if (!period) throw new RangeError(`no withholding rate for ${paidOn}`)
  return period
}
