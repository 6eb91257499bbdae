import { floorDivide } from '../money/floor-division.ts'
import { smaller } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { day } from '../month/day.ts'

/** Income tax withheld from manuscript and licence fees. Rates in 1/100 % (1,021 = 10.21 %). */
export interface WithholdingPeriod {
  /** First day of payment to which it applies. */
  readonly validFrom: Day
  readonly thresholdYen: bigint
  readonly rateUpToThreshold: number
  readonly rateAboveThreshold: number
  /** For non-residents, on the whole amount. */
  readonly rateNonResident: number
}
export type WithholdingTable = readonly WithholdingPeriod[]

/**
 * Income Tax Act articles 204, 205, 212 and 213, with special income taxes of 2.1 % of the income tax since 2013 (Act
 * on Reconstruction Funding, article 28). From 2027 a second tax takes over a part of the 2.1 %; see
 * `withheld-taxes.ja.ts`.
 * @internal Tests call it.
 */
export const STANDARD_WITHHOLDING_TABLE: WithholdingTable = [
  {
    ...{ validFrom: day('2013-01-01'), thresholdYen: 1_000_000n, rateUpToThreshold: 1021, rateAboveThreshold: 2042 },
    rateNonResident: 2042,
  },
]

/** 居住者・内国法人 or 非居住者・外国法人. */
export const RESIDENCES = ['resident', 'non_resident'] as const
export type Residence = (typeof RESIDENCES)[number]

/** A tax treaty form (租税条約に関する届出書) that was received, and the rate that the treaty gives. */
export interface TreatyForm {
  readonly validFrom: Day
  /** The last day of payment that it covers; null: no end. */
  readonly validTo: Day | null
  readonly rate: number
}

/** The highest rate of a treaty form, in 1/100 %: the rate that applies without one. */
export const MAX_TREATY_RATE = 2042

/** What decides the withholding of a payee, together with the day. */
export interface WithheldPayee {
  readonly payeeKind: 'company' | 'individual'
  readonly payeeResidence: Residence
  /** Counts only for a non-resident; null: none was received. */
  readonly treatyForm: TreatyForm | null
}

/** How tax is withheld from a transfer; the transfer stores this decision. */
export interface WithholdingDecision {
  /** The rate of a non-resident; null for residents. */
  readonly nonResidentRate: number | null
  readonly hasTreatyForm: boolean
}

/** The payee's fields as rows store them. */
export interface WithheldPayeeRow {
  readonly payeeKind: string
  readonly payeeResidence: string
  readonly treatyFormFrom: string | null
  readonly treatyFormTo: string | null
  readonly treatyFormRate: number | null
}

/** Reads the row of a payee. Without a start or a rate there is no treaty form. */
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

/** Whether tax can be withheld: from resident individuals and from every non-resident. */
export function isWithheldFrom({ payeeKind, payeeResidence }: Omit<WithheldPayee, 'treatyForm'>): boolean {
  return payeeResidence === 'non_resident' || payeeKind === 'individual'
}

/**
 * The decision for the day on which the bank moves the money: a treaty form counts if it covers that day
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
 * The tax withheld from one payment, rounded down once. The base is the amount without consumption tax, because the
 * statement shows that tax separately. Nothing is withheld from resident companies.
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
