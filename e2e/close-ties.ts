import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type readBankFile, readJournal, sumYen, transfersWithStatements } from './close-figures.ts'

/** Expects bank file, statements and journal to agree to the yen. */
export async function expectTied(
  database: Database,
  page: Page,
  batchId: string,
  bank: ReturnType<typeof readBankFile>,
): Promise<void> {
  const rows = await transfersWithStatements(database, batchId)
  expect(bank.transfers).toEqual(rows.map(({ id, amountYen }) => ({ id, amountYen })))
  for (const row of rows) expect(row.statedYen, `transfer ${row.id} and its statements`).toBe(row.includingYen)
  // Compares with the screen, which shows the sum of the batch.
  await expect
    .poll(() => page.getByText(bank.totalYen.toLocaleString('ja-JP'), { exact: true }).count())
    .toBeGreaterThan(0)
}

/** Expects the two journal files to book what the month's statements say and what left the account. */
export async function expectJournalTied(
  database: Database,
  month: YearMonth,
  close: Buffer,
  settlement: Buffer,
  batchId: string,
): Promise<void> {
  const { rows: stated } = await database.inScope(SYSTEM, async tx => ({
    rows: await tx
      .selectFrom('statements')
      .select('totalYen as amountYen')
      .where('month', '=', month)
      .where('state', '!=', 'replaced')
      .execute(),
  }))
  const payable = readJournal(close).filter(line => line.side === '貸方' && line.account === '未払金')
  expect(sumYen(payable), 'payables and statements').toBe(sumYen(stated))
  const rows = await transfersWithStatements(database, batchId)
  const references = new Set(rows.map(row => `transfer:${row.id}`))
  const booked = readJournal(settlement).filter(line => references.has(line.reference))
  const settled = booked.filter(line => line.side === '借方' && line.account === '未払金')
  expect(sumYen(settled), 'payables that were settled').toBe(sumYen(rows.map(row => ({ amountYen: row.statedYen }))))
  const fromBank = booked.filter(line => line.side === '貸方' && line.account === '普通預金')
  const sent = sumYen(rows.flatMap(row => [row, { amountYen: row.feeYen }]))
  expect(sumYen(fromBank), 'what left the account, with the bank’s fees').toBe(sent)
}

/** The states of the payments in a batch of transfers. */
export async function statesOf(database: Database, batchId: string): Promise<readonly string[]> {
  const rows = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('monthlyPayments as p')
      .innerJoin('transferPayments as t', 't.monthlyPaymentId', 'p.id')
      .innerJoin('transfers as x', 'x.id', 't.transferId')
      .select('p.paymentStatus')
      .where('x.batchId', '=', BigInt(batchId))
      .execute(),
  )
  return [...new Set(rows.map(row => row.paymentStatus))]
}

/**
 * The text of a live pool for one publisher of a medium, as a person types it. Only a target of such pools can receive
 * it.
 */
export async function weightsOf(database: Database, medium: string, isTarget: boolean): Promise<string> {
  const rule = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('agreementPublisherRules as r')
      .innerJoin('media as m', 'm.id', 'r.mediumId')
      .select(['r.agreementId', 'r.publisherId'])
      .where('m.name', '=', medium)
      .where('r.isTargetForLiveSspAllocation', '=', isTarget)
      .orderBy('r.id')
      .executeTakeFirstOrThrow(),
  )
  return `契約ID,パブリッシャーID,重み\n${rule.agreementId},${rule.publisherId},1`
}
