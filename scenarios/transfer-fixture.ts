import { fromJisX0201, toJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import { DATA_LAYOUT, readRecord, writeRecord } from '@pc/domain/bank/zengin-layout.ts'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import type { AgreementInput } from '@pc/domain/settlement/settlement-input.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
  readExportedFile,
} from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import type { TransferRequest } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { settlementBooks, writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'

export const MONTHS = [202606, 202607] as YearMonth[]
export const JULY = day('2026-07-31')
export const request = (parts: Partial<TransferRequest> = {}): TransferRequest => ({
  dueOn: JULY,
  transferOn: JULY,
  excludedPaymentIds: [],
  accounts: new Map(),
  ...parts,
})
export const accepted = <T>(result: { ok: true; value: T } | { ok: false; refusals: readonly unknown[] }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.refusals))
  return result.value
}
export const codes = (result: { ok: boolean; refusals?: readonly { code: string }[] }) =>
  result.ok ? [] : (result.refusals ?? []).map(each => each.code)

/**
 * Agreements of an organisation each, except that 1 and 2 share organisation and account. 1 and 2 go into one transfer,
 * the payee of 3 is an individual, those of 4 and 5 bear the fee, which is more than 5 has, and 6 is below its threshold.
 */
const agreements = [
  sampleAgreement(1n, [sampleRule(101n, 100_000n)]),
  sampleAgreement(2n, [sampleRule(201n, 50_005n)], { accounts: [{ bankAccountId: 9001n, usedFromMonth: MONTHS[0]! }] }),
  sampleAgreement(3n, [sampleRule(301n, 1_500_000n)], { organizationId: 3n }),
  sampleAgreement(4n, [sampleRule(401n, 20_000n)], { organizationId: 4n, terms: { feePaidBy: 'publisher' } }),
  sampleAgreement(5n, [sampleRule(501n, 300n)], { organizationId: 5n, terms: { feePaidBy: 'publisher' } }),
  sampleAgreement(6n, [sampleRule(601n, 900n)], { organizationId: 6n, terms: { payoutThresholdYen: 5_000n } }),
]

/**
 * Two finalised months whose payments can be transferred. `prepare` changes the agreements before the months are
 * computed.
 */
export async function startTransferFixture(
  more: readonly AgreementInput[] = [],
  prepare: (tx: Transaction) => Promise<unknown> = () => Promise.resolve(),
) {
  const all = [...agreements, ...more]
  const tested = await testDatabase({ maxConnections: 12 })
  const stats = await openTestDuckDb()
  const { database } = tested
  const books = await settlementBooks(database, stats.store)
  const { clock } = books.payments
  const actor = { clock, actorUid: books.userUid }
  /** Runs work as mutations do: a refusal rolls it back. */
  async function inBooks<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let answer: T
    const undone = new Error('refused')
    try {
      return await database.inScope(SYSTEM, async tx => {
        answer = await work(tx)
        if (typeof answer === 'object' && answer !== null && 'ok' in answer && !answer.ok) throw undone
        return answer
      })
    } catch (error) {
      if (error === undone) return answer!
      throw error
    }
  }
  await inBooks(async tx => {
    await writeSettings(tx, {
      settings: { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' },
      taxTable: STANDARD_TAX_TABLE,
    })
    await writeTransferSettings(tx)
    await writeAgreements(tx, [{ mediumId: 1n, agreements: all }])
    await tx.updateTable('agreements').set({ payeeKind: 'individual' }).where('id', '=', 3n).execute()
    await prepare(tx)
  })
  for (const [index, month] of MONTHS.entries()) {
    await writeOwnAds(stats.store, [sampleMonth(month, { agreements: all })], BigInt(index + 1))
    clock.set(`2026-0${7 + index}-10T12:00:00+09:00`)
    const key = { mediumId: 1n, month }
    accepted(await computeMonth(books.payments, key))
    accepted(await closeMonth(books, key, books.userUid))
  }
  clock.set('2026-07-20T12:00:00+09:00')
  const paymentOf = (agreementId: bigint, month = 202606) =>
    inBooks(tx =>
      tx
        .selectFrom('monthlyPayments')
        .selectAll()
        .where('agreementId', '=', agreementId)
        .where('month', '=', month)
        .executeTakeFirstOrThrow(),
    )
  const violations = async () =>
    (
      await Promise.all(MONTHS.map(month => monthViolations({ database, stats: stats.store }, { mediumId: 1n, month })))
    ).flat()
  /** Cancels a first batch and exports a second one with transfers 4 to 6. A payment that is too small is excluded. */
  const sendBatch = async () => {
    const wanted = request({ excludedPaymentIds: [(await paymentOf(5n)).id] })
    const first = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
    accepted(await inBooks(tx => cancelTransferBatch(tx, actor, first.id, '指定日の誤り')))
    const second = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
    accepted(await inBooks(tx => exportTransferBatch(tx, actor, second.id)))
  }
  /** The bank's answer to the second batch: its file with a mark for each transfer. */
  const marked = async (marks: Readonly<Record<string, string>>) => {
    const file = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    const lines = fromJisX0201(file.bytes)!.split('\r\n')
    const text = lines
      .map(line => {
        if (!line.startsWith('2')) return line
        const record = readRecord(DATA_LAYOUT, line)
        return writeRecord(DATA_LAYOUT, { ...record, reserved: marks[String(BigInt(record.customerCode1!))] ?? '' })
      })
      .join('\r\n')
    return { name: 'kekka.txt', content: toJisX0201(text), on: null }
  }
  const close = async () => {
    await stats.drop()
    await tested.drop()
  }
  return { tested, database, clock, actor, inBooks, paymentOf, violations, sendBatch, marked, close }
}
