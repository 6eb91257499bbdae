import { fromJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import { parseZenginFile } from '@pc/domain/bank/zengin-record.ts'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { readTransferRules } from '@pc/features/payments/core/server/transfer-settings.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportTransferBatch, readExportedFile } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { generateStatements, statementOfContent } from '@pc/features/statements/server/generate-statements.ts'
import { issueStatementsOfClose, issueWaitingStatements } from '@pc/features/statements/server/issue-statements.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { moneyDependencies } from '../apps/server/money-dependencies.ts'
import { accepted } from './transfer-fixture.ts'

/**
 * Several media are closed one by one, and their payees share accounts. The statements contain what each close knew,
 * the bank file what was sent for all of them together, and both agree to the yen.
 */
const { tested, stats, database, books, clock, actor, inBooks } = await openBooks({ maxConnections: 8 })
const issuing = { clock, jobs: books.manualOperations.jobs, readTransferRules }
const money = moneyDependencies({
  ...books.payments,
  jobs: books.manualOperations.jobs,
  webOrigin: 'https://console.example.jp',
})
const MONTH = 202606 as YearMonth
const DUE = day('2026-07-31')
const MEDIA = 3

beforeAll(() =>
  inBooks(async tx => {
    await writeSettings(tx, {
      settings: { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' },
      taxTable: STANDARD_TAX_TABLE,
    })
    await writeTransferSettings(tx)
    // A rate of the dated table, not one that the program contains.
    await tx
      .insertInto('withholdingRates')
      .values({
        validFrom: day('2026-07-01'),
        thresholdYen: 900_000n,
        rateUpToThreshold: 1000,
        rateAboveThreshold: 2000,
        rateNonResident: 2000,
      })
      .execute()
  }),
)

/** A payee has an agreement with every medium, and one account for all of them. */
const payee = fc.record({
  isIndividual: fc.boolean(),
  feePaidBy: fc.constantFrom('product' as const, 'publisher' as const),
  yens: fc.array(fc.oneof(fc.bigInt({ min: 100n, max: 40_000n }), fc.bigInt({ min: 400_000n, max: 1_200_000n })), {
    minLength: MEDIA,
    maxLength: MEDIA,
  }),
})
const ROUNDS = fc.sample(fc.array(payee, { minLength: 3, maxLength: 5 }), { numRuns: 4, seed: 20_260_630 })

/** Closes the media of a round one after the other, each with its statements. */
async function closeRound(round: number, payees: (typeof ROUNDS)[number]): Promise<readonly bigint[]> {
  const mediumIds = Array.from({ length: MEDIA }, (_, index) => BigInt(100 * (round + 1) + index))
  for (const [index, mediumId] of mediumIds.entries()) {
    const agreements = payees.map(({ feePaidBy, yens }, number) => {
      const owner = BigInt(1_000 * (round + 1) + number)
      const id = owner * 10n + BigInt(index)
      return sampleAgreement(id, [{ ...sampleRule(id * 10n, yens[index]!), mediumId }], {
        mediumId,
        organizationId: owner,
        accounts: [{ bankAccountId: owner, usedFromMonth: MONTH }],
        terms: { feePaidBy },
      })
    })
    await inBooks(async tx => {
      await writeAgreements(tx, [{ mediumId, agreements }])
      const individuals = agreements.filter((_, number) => payees[number]!.isIndividual)
      await tx
        .updateTable('agreements')
        .set({ payeeKind: 'individual' })
        .where('id', 'in', [...individuals.map(each => each.agreementId), -1n])
        .execute()
    })
    await writeOwnAds(stats.store, [{ ...sampleMonth(MONTH, { agreements }), mediumId }], mediumId)
    const key = { mediumId, month: MONTH }
    accepted(await computeMonth(books.payments, key))
    accepted(await closeMonth(money, key, books.userUid))
  }
  return mediumIds
}

test.each(ROUNDS.map((payees, round) => [round, payees] as const))(
  'round %i: bank file = Σ transfers = Σ statements − withholding − fees of the payees',
  async (round, payees) => {
    clock.set('2026-07-10T12:00:00+09:00')
    const mediumIds = await closeRound(round, payees)
    const request = { dueOn: DUE, transferOn: DUE, mediumIds, accounts: new Map<bigint, bigint>() }
    const plan = accepted(await inBooks(tx => planBatch(tx, clock, { ...request, excludedPaymentIds: [] })))
    const excludedPaymentIds = plan.problems.flatMap(problem => problem.paymentIds)
    const { id } = accepted(
      await inBooks(tx => createTransferBatch(tx, actor, { ...request, excludedPaymentIds }, undefined)),
    )
    accepted(await inBooks(tx => exportTransferBatch(tx, actor, id)))
    // Statements that a close could not issue alone are issued now, with their part of the transfer.
    accepted(await inBooks(tx => issueWaitingStatements(tx, issuing, MONTH, null)))

    const transfers = await inBooks(tx => tx.selectFrom('transfers').selectAll().where('batchId', '=', id).execute())
    const parts = await inBooks(tx =>
      tx
        .selectFrom('transferPayments')
        .selectAll()
        .where('transferId', 'in', [...transfers.map(each => each.id), -1n])
        .execute(),
    )
    const rows = await inBooks(tx =>
      tx
        .selectFrom('statements')
        .selectAll()
        .where('monthlyPaymentId', 'in', [...parts.map(each => each.monthlyPaymentId), -1n])
        .orderBy('mediumId')
        .execute(),
    )
    const statements = rows.map(row => ({ ...row, document: statementOfContent(row.content) }))
    expect(statements).toHaveLength(parts.length)
    const file = accepted(await inBooks(tx => readExportedFile(tx, id)))
    const read = accepted(parseZenginFile(fromJisX0201(file.bytes) ?? ''))
    const withheldYen = sumBy(transfers, each => each.withholdingYen)
    const feesYen = sumBy(transfers, each => each.feeBorneByPayeeYen)
    expect(read.totalYen).toBe(sumBy(transfers, each => each.transferAmountYen))
    expect(read.totalYen).toBe(sumBy(statements, each => each.document.totalYen) - withheldYen - feesYen)

    for (const part of parts) {
      const { document } = statements.find(each => each.monthlyPaymentId === part.monthlyPaymentId)!
      expect(document.totalYen).toBe(part.paymentIncludingTaxYen)
      // A statement gives the final amounts of the transfer, or says that it is planned.
      if (!document.isTransferPlanned) {
        expect(document).toMatchObject({
          withholdingYen: part.withholdingYen,
          feeYen: part.feeBorneByPayeeYen,
          transferAmountYen: part.transferAmountYen,
        })
      }
      const { value } = (await inBooks(tx =>
        generateStatements(tx, readTransferRules, { kind: 'payment', monthlyPaymentId: part.monthlyPaymentId }, DUE),
      )) as Extract<Awaited<ReturnType<typeof generateStatements>>, { ok: true }>
      // Generated again, as a revision would be, it has the final amounts of the transfer.
      expect(value.generated[0]?.statement).toMatchObject({
        isTransferPlanned: false,
        withholdingYen: part.withholdingYen,
        feeYen: part.feeBorneByPayeeYen,
        transferAmountYen: part.transferAmountYen,
      })
    }
    // The last close knew all payments of the transfer.
    for (const { document, monthlyPaymentId } of statements.filter(each => each.mediumId === mediumIds.at(-1))) {
      const part = parts.find(each => each.monthlyPaymentId === monthlyPaymentId)!
      expect(document.transferAmountYen).toBe(part.transferAmountYen)
    }
    for (const mediumId of mediumIds) {
      expect(await monthViolations({ database, stats: stats.store }, { mediumId, month: MONTH })).toEqual([])
    }
  },
  60_000,
)

test('media that are closed together are stated at once, also with different fee payers', async () => {
  clock.set('2026-07-10T12:00:00+09:00')
  const owner = 9_000n
  const mediumIds = [900n, 901n]
  for (const [index, mediumId] of mediumIds.entries()) {
    const id = owner * 10n + BigInt(index)
    const agreement = sampleAgreement(id, [{ ...sampleRule(id * 10n, 50_000n), mediumId }], {
      mediumId,
      organizationId: owner,
      accounts: [{ bankAccountId: owner, usedFromMonth: MONTH }],
      terms: { feePaidBy: index === 0 ? 'publisher' : 'product' },
    })
    await inBooks(tx => writeAgreements(tx, [{ mediumId, agreements: [agreement] }]))
    await writeOwnAds(stats.store, [{ ...sampleMonth(MONTH, { agreements: [agreement] }), mediumId }], mediumId)
    accepted(await computeMonth(books.payments, { mediumId, month: MONTH }))
    accepted(await closeMonth(books, { mediumId, month: MONTH }, books.userUid))
  }
  const issued = await inBooks(tx => issueStatementsOfClose(tx, issuing, { month: MONTH, mediumIds }, books.userUid))
  expect(accepted(issued)).toHaveLength(2)
})

test('a final month keeps the kind of payee that its hash was made with', async () => {
  const key = { mediumId: 100n, month: MONTH }
  await inBooks(async tx => {
    await tx.updateTable('agreements').set({ payeeKind: 'individual' }).where('mediumId', '=', 100n).execute()
  })
  expect(await monthViolations({ database, stats: stats.store }, key)).toEqual([])
  // A text rewritten behind the database's own protection is detected.
  await withClient(tested.adminUrl, async client => {
    await client.query(`select set_config('app.scope', 'all', false)`)
    await client.query('alter table monthly_agreement_snapshots disable trigger user')
    await client.query(
      `update monthly_agreement_snapshots set payee_kind = case payee_kind when 'company' then 'individual' else 'company' end
        where medium_id = 100`,
    )
    await client.query('alter table monthly_agreement_snapshots enable trigger user')
  })
  const found = await monthViolations({ database, stats: stats.store }, key)
  expect(new Set(found.map(each => each.invariant))).toContain('I17')
})
