import { compareBigints } from '@pc/domain/money/allocate.ts'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { followingMonth, randomMonth } from '@pc/domain/payment/random-month.ts'
import { settleMonth } from '@pc/domain/payment/settle-month.ts'
import type { MonthInput } from '@pc/domain/payment/settlement-input.ts'
import type { SettledMonth } from '@pc/domain/payment/settlement-result.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { finalizeMonth } from '@pc/features/payments/server/finalize-month.ts'
import { verifyMediumChain } from '@pc/features/payments/server/finalized-chain.ts'
import { readStoredMonth } from '@pc/features/payments/server/stored-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import {
  bookDividends,
  changeAgreement,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
  writeSettings,
} from '@pc/testing/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'

/**
 * Random months through the real database: entered, booked by jobs, computed, read back, checked and finalised, month
 * after month, and compared with what the pure engine says about the same month. Each medium is a case of its own.
 */
const MEDIA = Number(process.env.RANDOM_MONTH_MEDIA ?? 10)
const MONTHS = 8
const SIDE_BY_SIDE = 5
const FIRST_SEED = Number(process.env.RANDOM_MONTH_SEED ?? 1)
const START = 202601 as YearMonth

const tested = await testDatabase()
const stats = await openTestDuckDb()
const { database } = tested
const books = await settlementBooks(database, stats.store)
afterAll(async () => {
  await stats.drop()
  await tested.drop()
})

/** The same month with ids of its own medium, and with the settings that the whole database has. */
function caseOf(index: number): MonthInput {
  const input = randomMonth(FIRST_SEED + index)
  const mediumId = BigInt(index + 1)
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

/** What the database can hold: no empty corrections, and no weights that are all 0. */
function enterable(input: MonthInput): MonthInput {
  return {
    ...input,
    adjustments: input.adjustments
      .filter(row => row.amountYen !== 0n)
      .toSorted((a, b) => compareBigints(a.jobId, b.jobId) || a.method.localeCompare(b.method) || a.line - b.line),
    poolJobs: input.poolJobs.filter(job => job.weights.some(weight => weight.weight > 0n)),
  }
}

function settled(input: MonthInput): SettledMonth {
  const result = settleMonth(input)
  if (!result.ok) throw new Error(JSON.stringify(result.refusals))
  return result.value
}

/** Amounts that do not depend on ids that the database gives. */
function amountsOf(month: SettledMonth) {
  return month.payments.map(payment => ({
    ...payment,
    paidBuckets: payment.paidBuckets.map(({ generatedMonth, amountYen, taxYen }) => ({
      generatedMonth,
      amountYen,
      taxYen,
    })),
    partnerName: '',
    qualifiedInvoiceIssuer: false,
    publishers: payment.publishers.map(publisher => ({
      ...publisher,
      poolShares: publisher.poolShares.map(({ jobId: _job, ...share }) => share),
      adjustments: publisher.adjustments.map(row => row.appliedYen),
    })),
  }))
}

/** Enters, computes and closes one month; answers the one that follows. The close itself checks every invariant. */
async function closeCase(input: MonthInput, step: number): Promise<MonthInput | null> {
  const key = { mediumId: input.mediumId, month: input.month }
  if (step > 0) {
    await database.inScope(SYSTEM, async tx => {
      for (const agreement of input.agreements) await changeAgreement(tx, agreement)
    })
  }
  await bookDividends(books, input)
  const computed = await computeMonth(books.payments, key)
  if (!computed.ok) throw new Error(`${JSON.stringify(key, bigintText)} ${JSON.stringify(computed.refusals)}`)
  const expected = settled(input)
  const stored = await database.inScope(SYSTEM, tx => readStoredMonth(tx, key))
  const present = new Set(stored!.settled.payments.map(each => each.agreementId))
  expect(amountsOf(stored!.settled), `medium ${input.mediumId} month ${input.month}`).toEqual(
    amountsOf(expected).filter(payment => present.has(payment.agreementId)),
  )
  for (const payment of expected.payments) {
    if (!present.has(payment.agreementId)) expect(payment.cumulativeRevenueYen).toBe(0n)
  }
  const finalized = await finalizeMonth(books.payments, key, books.userUid)
  expect(finalized, JSON.stringify(finalized, bigintText)).toMatchObject({ ok: true })
  const following = followingMonth(FIRST_SEED * 7 + Number(input.mediumId) * 31 + step, input, expected)
  return following && enterable(following)
}

test(
  `${MEDIA * MONTHS} random months: no yen lost or created, no invariant violated`,
  async () => {
    let cases = Array.from({ length: MEDIA }, (_, index) => enterable(caseOf(index)))
    await database.inScope(SYSTEM, async tx => {
      await writeSettings(tx, cases[0]!)
      await writeAgreements(tx, cases)
    })
    let closed = 0
    for (let step = 0; step < MONTHS; step += 1) {
      await writeOwnAds(stats.store, cases, BigInt(step + 1))
      const next: (MonthInput | null)[] = []
      for (let first = 0; first < cases.length; first += SIDE_BY_SIDE) {
        const some = cases.slice(first, first + SIDE_BY_SIDE)
        next.push(...(await Promise.all(some.map(input => closeCase(input, step)))))
        closed += some.length
      }
      cases = next.filter(input => input !== null)
    }
    const breaks = await database.inScope(SYSTEM, async tx => {
      const found = []
      for (let index = 0; index < MEDIA; index += 1) found.push(...(await verifyMediumChain(tx, BigInt(index + 1))))
      return found
    })
    expect(breaks).toEqual([])
    expect(closed).toBe(MEDIA * MONTHS)
  },
  MEDIA * MONTHS * 15_000,
)

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
