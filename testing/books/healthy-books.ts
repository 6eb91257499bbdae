import { corporateCheckDigit } from '@pc/domain/bank/registration-number.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { writeAgreements, writeTransferFees } from './settlement-books.ts'

/** For tests only: agreements without a finding on the close board. */

/** A month of one medium; the ids of agreement, organisation, publisher and account follow from the medium's. */
export function healthyMonth(month: YearMonth, mediumId: bigint, ownAdsYen = 500_000n): MonthInput {
  const share = { sspRateUnits: 5000, isTargetForSspAllocation: true }
  const rule = { ...sampleRule(mediumId * 100n + 1n, ownAdsYen, { share }), mediumId }
  const agreement = { ...sampleAgreement(mediumId, [rule], { organizationId: mediumId }), mediumId }
  return { ...sampleMonth(month, { agreements: [agreement] }), mediumId }
}

/** A registration number: T and a corporate number with a valid check digit. */
export function registrationNumberOf(seed: bigint): string {
  const base = seed.toString().padStart(12, '0')
  return `T${corporateCheckDigit(base)}${base}`
}

/**
 * Writes the agreements with accounts of their own and numbers that the register contains: everything that a close
 * needs.
 */
export async function writeHealthyBooks(tx: Transaction, inputs: readonly MonthInput[]): Promise<void> {
  // Each agreement has its own account.
  await writeAgreements(tx, inputs, id => `${1_000_000n + id}`)
  await writeTransferFees(tx)
  const numbers = inputs.flatMap(({ agreements }) => agreements.flatMap(each => each.invoiceRegistrationNumber ?? []))
  if (numbers.length === 0) return
  await tx
    .insertInto('invoiceRegisterResults')
    .values(
      numbers.map(registrationNumber => ({
        ...{ registrationNumber, registeredOn: day('2023-10-01'), endedOn: null, source: 'test' },
      })),
    )
    .execute()
}
