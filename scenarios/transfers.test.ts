import fs from 'node:fs'
import { fromJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import { parseZenginFile } from '@pc/domain/bank/zengin-record.ts'
import { EXPLAIN_SCALE, unbalancedNodes } from '@pc/domain/explain/explain-node.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { readTransferRules } from '@pc/features/payments/core/server/transfer-settings.ts'
import { explainSentTransfer } from '@pc/features/payments/explain/server/explain-transfer.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
  readExportedFile,
} from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { lateRevenueBreaches } from '@pc/features/payments/transfers/server/late-revenue.ts'
import { readLegalDeadlines } from '@pc/features/payments/transfers/server/legal-deadlines.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { listTransfers, payableDays, unpaidReasons } from '@pc/features/payments/transfers/server/transfer-store.ts'
import { generateStatements } from '@pc/features/statements/server/generate-statements.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/** Two finalised months on their way to the bank, step by step; every test continues where the one before ended. */
const { tested, database, clock, actor, inBooks, paymentOf, violations, close } = await startTransferFixture()
afterAll(close)

describe('what can be paid', () => {
  test('is shown by due day, with the reasons why something is not', async () => {
    expect(await inBooks(tx => payableDays(tx, clock))).toMatchObject([
      { dueOn: '2026-07-31', transferOn: '2026-07-31', payments: 5, isLate: false },
      { dueOn: '2026-08-31', transferOn: '2026-08-31', payments: 5 },
    ])
    const afterLaw = await inBooks(async tx => {
      await tx.insertInto('holidays').values({ day: JULY, name: '臨時の祝日' }).execute()
      // Refused, so that the holiday is rolled back.
      return { ok: false, refusals: await payableDays(tx, clock) } as const
    })
    expect(afterLaw.refusals[0]).toMatchObject({ dueOn: '2026-07-31', transferOn: '2026-08-03', isLate: false })
    expect(await inBooks(unpaidReasons)).toEqual([{ reason: 'BELOW_THRESHOLD', payments: 1n, carriedYen: 1_800n }])
  })

  test('what would be late by law is listed before it is, for protected payees alone', async () => {
    const listed = async (today: string) => {
      const answer = await inBooks(async tx => {
        await tx.updateTable('agreements').set({ freelanceCoverage: 'covered' }).where('id', '=', 6n).execute()
        await tx.updateTable('agreements').set({ smallSupplierCoverage: 'covered' }).where('id', '=', 3n).execute()
        // Refused, so that the coverage is rolled back.
        return { ok: false, refusals: await readLegalDeadlines(tx, day(today)) } as const
      })
      return answer.refusals
    }
    expect(await inBooks(tx => readLegalDeadlines(tx, day('2026-09-01')))).toEqual([])
    const keptBack = {
      ...{ agreementId: 6n, oldestMonth: 202606, lastLegalDay: '2026-07-31', late: 'kept-back' },
      ...{ amountYen: 1_800n, reasonCode: 'BELOW_THRESHOLD' },
    }
    expect(await listed('2026-07-31')).toMatchObject([keptBack])
    const breaches = await inBooks(async tx => {
      await tx.updateTable('agreements').set({ freelanceCoverage: 'covered' }).where('id', '=', 6n).execute()
      return { ok: false, refusals: await lateRevenueBreaches(tx, day('2026-07-31')) } as const
    })
    expect(breaches.refusals).toEqual([
      {
        ...{ agreementId: 6n, id: 'late/2026-06/kept-back' },
        text: '2026-06分の収益が法定の期限（2026年7月31日）を過ぎる見込みです。次の締めまで支払われません（支払下限額に満たない）。',
      },
    ])
    const { paymentIncludingTaxYen: amountYen } = await paymentOf(3n)
    const notSent = { agreementId: 3n, oldestMonth: 202606, dueOn: '2026-07-31', late: 'not-sent', amountYen }
    expect(await listed('2026-08-01')).toMatchObject([{ ...notSent, reasonCode: null }, keptBack])
    // The next month is not computed, and its last legal day is near.
    const open = { oldestMonth: 202608, lastLegalDay: '2026-09-30', late: 'not-closed', amountYen: null, dueOn: null }
    const openOnes = async (today: string) => (await listed(today)).filter(each => each.late === 'not-closed')
    expect(await openOnes('2026-09-22')).toEqual([])
    expect(await openOnes('2026-09-23')).toMatchObject([
      { ...open, agreementId: 3n },
      { ...open, agreementId: 6n },
    ])
  })

  test('a payee whose fee eats the payment is named, and nothing is made', async () => {
    const refused = await inBooks(tx => createTransferBatch(tx, actor, request(), undefined))
    expect(refused).toMatchObject({
      ok: false,
      refusals: [{ code: 'transfer/amount-not-positive', data: { payee: '組織5', amountYen: '-110' } }],
    })
    const plan = accepted(await inBooks(tx => planBatch(tx, clock, request())))
    expect(plan.problems.map(each => each.payee)).toEqual(['組織5'])
    expect(plan.transfers).toHaveLength(3)
  })

  test('a fee that the law of the day forbids to take off is not taken off, whatever was agreed at the close', async () => {
    const feesOf = async (coverage: 'covered' | 'not_covered') => {
      const answer = await inBooks(async tx => {
        await tx.updateTable('agreements').set({ freelanceCoverage: coverage }).where('id', '=', 4n).execute()
        const { transfers } = accepted(await planBatch(tx, clock, request()))
        const found = transfers.find(each => each.organizationId === 4n)
        // Refused, so that the coverage is rolled back.
        return { ok: false, refusals: [found?.feeYen, found?.feeBorneByPayeeYen, found?.feePaidBy] } as const
      })
      return answer.refusals
    }
    expect(await feesOf('not_covered')).toEqual([440n, 440n, 'publisher'])
    expect(await feesOf('covered')).toEqual([440n, 0n, 'product'])
  })

  test('nor does a statement that is drawn then say so', async () => {
    const { id } = await paymentOf(4n)
    const answer = await inBooks(async tx => {
      await tx.updateTable('agreements').set({ freelanceCoverage: 'covered' }).where('id', '=', 4n).execute()
      const scope = { kind: 'payment', monthlyPaymentId: id } as const
      const drawn = accepted(await generateStatements(tx, readTransferRules, scope, day('2026-07-20')))
      return { ok: false, refusals: drawn.generated.map(each => each.statement) } as const
    })
    expect(answer.refusals).toMatchObject([{ feeYen: 0n, transferAmountYen: 22_000n }])
  })

  test.each([
    ['transfer/day-past', { transferOn: day('2026-07-17') }],
    ['transfer/day-not-business', { transferOn: day('2026-08-01') }],
    ['payment/holidays-unknown', { transferOn: day('2041-08-01') }],
    ['transfer/nothing-to-pay', { months: [202605 as YearMonth] }],
    ['transfer/nothing-to-pay', { mediumIds: [77n] }],
    ['transfer/account-not-usable', { accounts: new Map([[1n, 9003n]]) }],
  ])('%s', async (code, parts) => {
    expect(codes(await inBooks(tx => planBatch(tx, clock, request(parts))))).toEqual([code])
  })

  test('without the account that the money leaves there are no transfers', async () => {
    const answer = await inBooks(async tx => {
      await tx.deleteFrom('transferSources').execute()
      const planned = await planBatch(tx, clock, request())
      await writeBack(tx)
      return planned
    })
    expect(codes(answer)).toEqual(['transfer/source-missing'])
  })
})

/** Restores the settings; fees are there already. */
async function writeBack(tx: Transaction) {
  await tx.deleteFrom('transferFees').execute()
  await writeTransferSettings(tx)
}

describe('making and exporting', () => {
  let tiny: bigint
  test('50 at the same time make one batch', async () => {
    tiny = (await paymentOf(5n)).id
    const wanted = request({ excludedPaymentIds: [tiny] })
    const plan = accepted(await inBooks(tx => planBatch(tx, clock, wanted)))
    const other = await inBooks(tx => createTransferBatch(tx, actor, wanted, 'another hash'))
    expect(codes(other)).toEqual(['transfer/preview-outdated'])
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => inBooks(tx => createTransferBatch(tx, actor, wanted, plan.hash))),
    )
    expect(answers.filter(answer => answer.ok)).toMatchObject([{ value: { transfers: 3, payments: 4 } }])
    expect(new Set(answers.flatMap(codes))).toEqual(new Set(['transfer/nothing-to-pay']))
    expect(await violations()).toEqual([])
  })

  test('the amounts: one transfer for one account, tax withheld, fee as agreed', async () => {
    const { nodes } = await inBooks(tx => listTransfers(tx, 1n, { limit: 10, offset: 0 }))
    for (const { id, payments, transferAmountYen } of nodes) {
      const explained = await explainSentTransfer({ database }, id, undefined)
      expect(explained?.node.amount).toBe(transferAmountYen * EXPLAIN_SCALE)
      expect(unbalancedNodes(explained!.node)).toEqual([])
      expect([...explained!.continuations.values()].map(each => each.id)).toEqual(payments.map(each => each.id))
    }
    const amounts = nodes.map(each => [
      each.payments.length,
      each.paymentIncludingTaxYen,
      each.withholdingYen,
      each.feeYen,
      each.feeBorneByPayeeYen,
      each.transferAmountYen,
    ])
    expect(amounts).toEqual([
      [2, 165_005n, 0n, 660n, 0n, 165_005n],
      [1, 1_650_000n, 204_200n, 660n, 0n, 1_445_800n],
      [1, 22_000n, 0n, 440n, 440n, 21_560n],
    ])
    expect(nodes[0]!.accountNumber).toBe('****567')
  })

  test('cancelled before its export it frees its payments', async () => {
    expect(codes(await inBooks(tx => cancelTransferBatch(tx, actor, 1n, ' ')))).toEqual(['transfer/reason-missing'])
    accepted(await inBooks(tx => cancelTransferBatch(tx, actor, 1n, '指定日の誤り')))
    expect(codes(await inBooks(tx => exportTransferBatch(tx, actor, 1n)))[0]).toBe('transfer/state-not-allowed')
    const wanted = request({ excludedPaymentIds: [tiny] })
    expect(accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined))).id).toBe(2n)
    expect(await violations()).toEqual([])
  })

  test('the file is that of the repository, and every download gives the same bytes', async () => {
    const before = await inBooks(tx => readExportedFile(tx, 2n))
    expect(codes(before)).toEqual(['transfer/not-exported'])
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => inBooks(tx => exportTransferBatch(tx, actor, 2n))),
    )
    expect(answers.map(accepted).filter(each => each.isFirst)).toHaveLength(1)
    const file = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    const golden = new URL('golden/general-transfer.txt', import.meta.url)
    expect(Buffer.from(file.bytes).equals(fs.readFileSync(golden))).toBe(true)
    const parsed = accepted(parseZenginFile(fromJisX0201(file.bytes)!))
    const rows = (await inBooks(tx => listTransfers(tx, 2n, { limit: 10, offset: 0 }))).nodes
    expect(parsed.totalYen).toBe(sumBy(rows, row => row.transferAmountYen))
    expect(parsed.totalYen).toBe(
      sumBy(rows, row => row.paymentIncludingTaxYen - row.withholdingYen - row.feeBorneByPayeeYen),
    )
    expect((await paymentOf(1n)).paymentStatus).toBe('exported')
    expect(await violations()).toEqual([])
  })

  test('what is changed afterwards changes no byte', async () => {
    const before = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    await inBooks(async tx => {
      await tx
        .updateTable('agreements')
        .set({ feePaidBy: 'publisher', name: '改名', payeeKind: 'individual' })
        .execute()
      await tx.updateTable('banks').set({ kana: 'ﾍﾞﾂ', name: '別' }).execute()
      await tx.updateTable('organizations').set({ name: '別名' }).execute()
      await tx.updateTable('transferSources').set({ clientCode: '9', accountNumber: '0000001' }).execute()
      await tx.updateTable('transferFees').set({ feeYen: 1n }).execute()
    })
    const after = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    expect(after.sha256).toBe(before.sha256)
    expect(await violations()).toEqual([])
    await inBooks(writeBack)
  })

  test('the walls of the database: nobody is in two transfers, and nothing is rewritten', async () => {
    await withClient(tested.adminUrl, async client => {
      const refused = (statement: string, constraint: string) =>
        expect(client.query(statement), statement).rejects.toMatchObject({ constraint })
      await refused(
        'insert into transfer_payments (transfer_id, monthly_payment_id, payment_yen, payment_including_tax_yen, withholding_yen, fee_borne_by_payee_yen, transfer_amount_yen) select 5, monthly_payment_id, payment_yen, payment_including_tax_yen, withholding_yen, fee_borne_by_payee_yen, transfer_amount_yen from transfer_payments where transfer_id = 4 limit 1',
        'transfer_payments_one_live',
      )
      await refused('update transfers set transfer_amount_yen = transfer_amount_yen + 1', 'transfer_kept')
      await refused("update transfers set state = 'planned'", 'transfer_kept')
      await refused('update transfer_payments set is_live = false where is_live', 'transfer_kept')
      await refused("update transfer_batches set file_sha256 = 'x' where id = 2", 'transfer_kept')
      await refused('delete from transfer_payments', 'transfer_kept')
      await refused('delete from transfers', 'transfer_kept')
      await refused('truncate transfers cascade', 'closed_month')
      await refused(
        'insert into transfers (batch_id, organization_id, bank_account_id, due_on, partner_name, fee_paid_by, payee_kind, payment_yen, payment_including_tax_yen, withholding_yen, fee_yen, fee_borne_by_payee_yen, transfer_amount_yen, bank_code, bank_name, bank_kana, branch_code, branch_name, branch_kana, account_type, account_number, holder, updated_at) select batch_id, organization_id, bank_account_id, due_on, partner_name, fee_paid_by, payee_kind, payment_yen, payment_including_tax_yen, withholding_yen, fee_yen, fee_borne_by_payee_yen, transfer_amount_yen, bank_code, bank_name, bank_kana, branch_code, branch_name, branch_kana, account_type, account_number, holder, updated_at from transfers where id = 4',
        'transfer_sums',
      )
    })
  })
})
