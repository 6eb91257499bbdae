import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { sampleMonth } from '@pc/domain/settlement/sample-month.ts'
import type { AgreementInput, MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { expect } from 'vitest'
import {
  bookManualOperations,
  changeAgreement,
  writeAgreements,
  writeOwnAds,
  writeTransferFees,
} from '../books/settlement-books.ts'
import { startSystemUnderTest } from './system-under-test.ts'

export type Row = Readonly<Record<string, number | string | null>>
const FIELDS = `productAdsRevenue sspRevenue videoSSPRevenue liveSSPRevenue fixedRevenueApplied minimumTopUpRevenue revenue
  manualAdjustmentRevenue carriedOverRevenue cumulativeRevenue carriedOverToNext payment taxRate paymentTax
  paymentIncludingTax paymentStatus reason dueOnNominal dueOn scheduledMonth`

/** A month of a medium; the rest is filled in from the sample. */
export function month(mediumId: bigint, yearMonth: number, parts: Partial<MonthInput>): MonthInput {
  return { ...sampleMonth(yearMonth, parts), mediumId }
}

/**
 * The system with a clock of its own for the books. Months are entered as staff would, closed, and read through the
 * API.
 */
export async function startWorkedExamples() {
  const system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2027-01-10T12:00:00+09:00') })
  const admin = await system.tokenOf(system.rows.users['insight:admin'].email)
  let batchNo = 100n
  await system.dependencies.database.inScope(SYSTEM, tx =>
    importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test')),
  )

  /** Enters a month, closes it through the API and returns its payments and publisher payments. */
  async function close(input: MonthInput): Promise<{ payments: readonly Row[]; publishers: readonly Row[] }> {
    const { database, stats, money } = system.dependencies
    batchNo += 1n
    await writeOwnAds(stats, [input], batchNo)
    await database.inScope(SYSTEM, async tx => {
      for (const agreement of input.agreements) await changeAgreement(tx, agreement)
    })
    const userUid = system.rows.users['insight:editor'].uid
    await bookManualOperations({ manualOperations: money.manualOperations, userUid }, input)
    const computed = await computeMonth(money.payments, { mediumId: input.mediumId, month: input.month })
    if (!computed.ok) throw new Error(JSON.stringify(computed.refusals))
    await finalize(input)
    return read(input)
  }

  async function finalize({ mediumId, month }: MonthInput): Promise<void> {
    const isoMonth = `${Math.trunc(month / 100)}-${String(month % 100).padStart(2, '0')}`
    const found = await system.ask(
      'insight',
      'query ($month: String!) { monthlyDividendManualOperations(limit: 1, offset: 0, param: { dividendMonth: $month }) { nodes { id } } }',
      admin,
      { month: isoMonth },
    )
    expect(found.json.errors, found.text).toBeUndefined()
    const { id } = (found.json.data as { monthlyDividendManualOperations: { nodes: { id: string }[] } })
      .monthlyDividendManualOperations.nodes[0]!
    const closed = await system.ask(
      'insight',
      'mutation ($id: ID!, $media: [ID!]) { finalizeMonthlyDividendManualOperation(id: $id, mediumIds: $media) { id } }',
      admin,
      { id, media: [mediumId.toString()] },
    )
    expect(closed.json.errors, closed.text).toBeUndefined()
  }

  async function read({ mediumId, month }: MonthInput) {
    const isoMonth = `${Math.trunc(month / 100)}-${String(month % 100).padStart(2, '0')}`
    const answer = await system.ask(
      'insight',
      `query ($param: MonthlyPaymentsParam, $publishers: MonthlyPublisherPaymentsParam) {
        monthlyPayments(limit: 100, offset: 0, orderBy: ID_ASC, param: $param) { sum sumWithoutTax taxSum total nodes { ${FIELDS} } }
        monthlyPublisherPayments(limit: 100, offset: 0, orderBy: ID_ASC, param: $publishers) {
          nodes { productAdsRevenue sspRevenue fixedRevenueApplied minimumTopUpRevenue revenue cumulativeRevenue payment } }
      }`,
      admin,
      {
        param: { monthFrom: isoMonth, monthTo: isoMonth, mediumId: mediumId.toString() },
        publishers: { monthFrom: isoMonth, monthTo: isoMonth, mediumId: mediumId.toString() },
      },
    )
    expect(answer.json.errors, answer.text).toBeUndefined()
    const data = answer.json.data as {
      monthlyPayments: { sum: number; sumWithoutTax: number; taxSum: number; nodes: Row[] }
      monthlyPublisherPayments: { nodes: Row[] }
    }
    const { nodes, sum, sumWithoutTax, taxSum } = data.monthlyPayments
    const total = (name: string) => nodes.reduce((value, node) => value + Number(node[name]), 0)
    expect([sumWithoutTax, taxSum, sum]).toEqual([total('payment'), total('paymentTax'), total('paymentIncludingTax')])
    return { payments: nodes, publishers: data.monthlyPublisherPayments.nodes }
  }

  /** The example on a new medium, with the organisation of the test's users. */
  async function entered(mediumId: bigint, agreements: readonly AgreementInput[]): Promise<readonly AgreementInput[]> {
    const moved = agreements.map(agreement => ({
      ...agreement,
      mediumId,
      organizationId: system.rows.a.organizationId,
      agreementId: agreement.agreementId + mediumId * 1_000n,
      accounts: agreement.accounts.map(each => ({ ...each, bankAccountId: each.bankAccountId + mediumId * 100_000n })),
      rules: agreement.rules.map(rule => ({
        ...rule,
        mediumId,
        ruleId: rule.ruleId + mediumId * 10_000n,
        publisherId: rule.publisherId + mediumId * 1_000n,
      })),
    }))
    await system.dependencies.database.inScope(SYSTEM, async tx => {
      await writeAgreements(tx, [{ mediumId, agreements: moved }])
      await writeTransferFees(tx)
    })
    return moved
  }
  return { system, admin, close, entered, finalize, read }
}
