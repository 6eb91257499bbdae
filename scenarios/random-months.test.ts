import { sumBy } from '@pc/domain/money/yen.ts'
import { followingMonth } from '@pc/domain/settlement/random-month.ts'
import { settleMonth } from '@pc/domain/settlement/settle-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import type { SettledMonth } from '@pc/domain/settlement/settlement-result.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { readStoredMonth } from '@pc/features/payments/core/server/stored-month.ts'
import { verifyMediumChain } from '@pc/features/payments/month-close/server/finalized-chain.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import {
  bookManualOperations,
  changeAgreement,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
  writeSettings,
  writeTransferFees,
} from '@pc/testing/books/settlement-books.ts'
import { startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { enterable, mediumIdOf, monthOfMedium } from './random-media.ts'

/**
 * Random months through the real database and the API: entered, booked by jobs, computed, read back, checked, finalised by
 * the mutation and listed by the query, month after month, and compared with what the pure engine says about the same
 * month. Each medium is a case of its own. `RANDOM_MONTH_MEDIA=1250` makes ten thousand of them.
 */
const MEDIA = Number(process.env.RANDOM_MONTH_MEDIA ?? 8)
const MONTHS = 8
const SIDE_BY_SIDE = 4
const CLOSED_AT_ONCE = 4
const FIRST_SEED = Number(process.env.RANDOM_MONTH_SEED ?? 1)

const system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2028-01-10T12:00:00+09:00') })
const { database, stats } = system.dependencies
const books = await settlementBooks(database, stats)
afterAll(() => system.close())

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

interface Case {
  readonly input: MonthInput
  readonly expected: SettledMonth
}

/** Enters and computes one month, and compares what is stored with what the pure engine says. */
async function computeCase(input: MonthInput, step: number): Promise<Case> {
  const key = { mediumId: input.mediumId, month: input.month }
  if (step > 0) {
    await database.inScope(SYSTEM, async tx => {
      for (const agreement of input.agreements) await changeAgreement(tx, agreement)
    })
  }
  await bookManualOperations(books, input)
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
  return { input, expected }
}

const CLOSE = `mutation ($id: ID!, $media: [ID!]!) { finalizeMonthlyDividendManualOperation(id: $id, mediumIds: $media) { id } }`
const TOTALS = `query ($medium: ID!) {
  monthlyPayments(limit: 1, offset: 0, param: { mediumId: $medium }) { total sum sumWithoutTax sumRevenueWithoutTax }
}`

async function ask(query: string, variables: object): Promise<unknown> {
  const token = await system.tokenOf(system.rows.users['insight:admin'].email)
  const { json } = await system.ask('insight', query, token, variables)
  if (json.errors) throw new Error(JSON.stringify(json.errors))
  return json.data
}

/** The close itself checks every invariant: one that is violated refuses it. */
async function close(cases: readonly Case[]): Promise<void> {
  const { month } = cases[0]!.input
  const { id } = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('dividendOperations').select('id').where('month', '=', month).executeTakeFirstOrThrow(),
  )
  await ask(CLOSE, { id: `${id}`, media: cases.map(({ input }) => `${input.mediumId}`) })
}

test(
  `${MEDIA * MONTHS} random months: no yen lost or created, no invariant violated`,
  async () => {
    const started = performance.now()
    let inputs = Array.from({ length: MEDIA }, (_, index) => enterable(monthOfMedium(FIRST_SEED, index)))
    await database.inScope(SYSTEM, async tx => {
      await writeSettings(tx, inputs[0]!)
      await writeAgreements(tx, inputs)
      await writeTransferFees(tx)
    })
    const paid = new Map<bigint, { paymentYen: bigint; revenueYen: bigint }>()
    let closed = 0
    for (let step = 0; step < MONTHS; step += 1) {
      await writeOwnAds(stats, inputs, BigInt(step + 1))
      const next: (MonthInput | null)[] = []
      for (let first = 0; first < inputs.length; first += CLOSED_AT_ONCE) {
        const cases: Case[] = []
        const some = inputs.slice(first, first + CLOSED_AT_ONCE)
        for (let index = 0; index < some.length; index += SIDE_BY_SIDE) {
          const beside = some.slice(index, index + SIDE_BY_SIDE).map(input => computeCase(input, step))
          cases.push(...(await Promise.all(beside)))
        }
        await close(cases)
        closed += cases.length
        for (const { input, expected } of cases) {
          const before = paid.get(input.mediumId) ?? { paymentYen: 0n, revenueYen: 0n }
          paid.set(input.mediumId, {
            paymentYen: before.paymentYen + sumBy(expected.payments, each => each.paymentYen),
            revenueYen: before.revenueYen + sumBy(expected.payments, each => each.revenueYen),
          })
          const following = followingMonth(FIRST_SEED * 7 + Number(input.mediumId) * 31 + step, input, expected)
          next.push(following && enterable(following))
        }
      }
      inputs = next.filter(input => input !== null)
    }
    for (const [mediumId, { paymentYen, revenueYen }] of paid) {
      expect(await ask(TOTALS, { medium: `${mediumId}` })).toMatchObject({
        monthlyPayments: { sumWithoutTax: Number(paymentYen), sumRevenueWithoutTax: Number(revenueYen) },
      })
    }
    expect(await differenceYen()).toBe(0n)
    const breaks = await database.inScope(SYSTEM, async tx => {
      const found = []
      for (let index = 0; index < MEDIA; index += 1) found.push(...(await verifyMediumChain(tx, mediumIdOf(index))))
      return found
    })
    expect(breaks).toEqual([])
    expect(closed).toBe(MEDIA * MONTHS)
    const seconds = Math.round((performance.now() - started) / 1000)
    process.stdout.write(`${closed} random months in ${seconds} s: 0 invariants violated, 0 yen lost or created\n`)
  },
  MEDIA * MONTHS * 15_000,
)

/** What was earned and corrected, less what was paid and what is still owed: 0, or yen were lost or created. */
async function differenceYen(): Promise<bigint> {
  const { rows } = await database.inScope(SYSTEM, tx =>
    sql<{ difference: bigint }>`
      select (coalesce(sum(revenue_yen + manual_adjustment_revenue_yen - payment_yen), 0)
        - coalesce(sum(carried_over_to_next_yen) filter (where is_last), 0)
        + coalesce(sum(carried_over_revenue_yen) filter (where is_first), 0))::bigint as difference
      from (select p.*, month = max(month) over (partition by agreement_id) as is_last,
        month = min(month) over (partition by agreement_id) as is_first from monthly_payments p) x`.execute(tx),
  )
  return rows[0]!.difference
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
