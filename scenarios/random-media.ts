import { compareBigints } from '@pc/domain/money/allocate.ts'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { randomMonth } from '@pc/domain/settlement/random-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'

// Random months as the books of a running system can hold them: medium after medium, each with a first month of its own.

/** The month that every case settles. */
const START = 202601 as YearMonth

/** Beside the media that the system's own test data has. */
export const mediumIdOf = (index: number) => BigInt(index + 101)

/**
 * The random month of seed `firstSeed + index`, moved to this medium: all start in the same month, with the settings of the
 * whole database, and no id occurs in two media. Ids of a rule or an account have one or two digits more than those of its
 * agreement, so the shift has them too.
 */
export function monthOfMedium(firstSeed: number, index: number): MonthInput {
  const input = randomMonth(firstSeed + index)
  const mediumId = mediumIdOf(index)
  const shift = mediumId * 1_000n
  const moved = <T extends { agreementId: bigint; publisherId: bigint }>(row: T): T => ({
    ...row,
    agreementId: row.agreementId + shift,
    publisherId: row.publisherId + shift,
  })
  return {
    ...input,
    mediumId,
    month: START,
    settings: { payoutThresholdYen: 5_000n, businessDayShift: 'previous' },
    taxTable: [...STANDARD_TAX_TABLE, { validFromMonth: 202604 as YearMonth, ratePercent: 8 }],
    agreements: input.agreements.map(agreement => ({
      ...agreement,
      mediumId,
      agreementId: agreement.agreementId + shift,
      accounts: agreement.accounts.map(each => ({ ...each, bankAccountId: each.bankAccountId + shift * 100n })),
      rules: agreement.rules.map(rule => ({
        ...rule,
        mediumId,
        ruleId: rule.ruleId + shift * 10n,
        publisherId: rule.publisherId + shift,
      })),
    })),
    poolJobs: input.poolJobs.map(job => ({ ...job, weights: job.weights.map(moved) })),
    adjustments: input.adjustments.map(row => ({
      ...moved(row),
      originMonth: row.originMonth !== null && row.originMonth < START ? row.originMonth : null,
    })),
  }
}

/**
 * What the database can hold: no adjustment of 0 yen, and no pool job whose weights are all 0. Adjustments stand in the order
 * in which the database reads them.
 */
export function enterable(input: MonthInput): MonthInput {
  return {
    ...input,
    adjustments: input.adjustments
      .filter(row => row.amountYen !== 0n)
      .toSorted((a, b) => compareBigints(a.jobId, b.jobId) || a.method.localeCompare(b.method) || a.line - b.line),
    poolJobs: input.poolJobs.filter(job => job.weights.some(weight => weight.weight > 0n)),
  }
}
