import { createHash } from 'node:crypto'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { JobKind } from '@pc/domain/payment/manual-operation.ts'
import type { RuleKey } from '@pc/domain/settlement/rule-map.ts'
import type { ManualOperationMethod } from '@pc/domain/settlement/settlement-input.ts'
import type { PoolShare, SettledMonth } from '@pc/domain/settlement/settlement-result.ts'
import { type BulkTable, bulkRowSteps, insertBulk } from '@pc/platform/postgres/bulk-rows.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'

/** The job that the lines belong to, with the columns that all of them share. */
export interface LedgerOwner {
  readonly dividendId: bigint
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly kind: Exclude<JobKind, 'reset'>
  readonly method: ManualOperationMethod
}
export interface LedgerShare {
  readonly key: RuleKey
  readonly share: PoolShare
}

/** A hash that is equal for equal allocations, whatever the order of their parts. */
function* bookingHashSteps(shares: readonly LedgerShare[]): CooperativeSteps<string> {
  const lines: string[] = []
  for (const { key, share } of shares) {
    const { weight, quotaYen, extraYen, rateUnits, shareYen } = share
    lines.push(`${key.agreementId}/${key.publisherId}:${weight}:${quotaYen}+${extraYen}@${rateUnits}=${shareYen}`)
    yield
  }
  const sorted = lines.toSorted()
  yield
  return createHash('sha256').update(sorted.join('\n')).digest('hex')
}

/**
 * Books a pool. An earlier booking is reversed by counter-lines first; nothing happens when it was the same.
 * @param booked number and hash of the current booking; number 0: there is none
 */
async function bookPool(
  tx: Transaction,
  owner: LedgerOwner,
  shares: readonly LedgerShare[],
  booked: { readonly booking: number; readonly bookingHash: string | null },
): Promise<void> {
  const hash = await runCooperatively(bookingHashSteps(shares))
  if (hash === booked.bookingHash) return
  const booking = booked.booking + 1
  if (booked.booking > 0) await reverseBooking(tx, owner.dividendId, owner.dividendId)
  await insertBulk(tx, await runCooperatively(bulkRowSteps(ledgerLines(owner, booking), shares)))
  await tx.updateTable('dividends').set({ booking, bookingHash: hash }).where('id', '=', owner.dividendId).execute()
}

const ledgerLines = (
  { dividendId, mediumId, month, kind, method }: LedgerOwner,
  booking: number,
): BulkTable<LedgerShare> => ({
  table: 'dividend_ledger_lines',
  columns: [
    ['agreement_id', 'bigint', ({ key }) => key.agreementId],
    ['publisher_id', 'bigint', ({ key }) => key.publisherId],
    ['weight', 'bigint', ({ share }) => share.weight],
    ['quota_yen', 'bigint', ({ share }) => share.quotaYen],
    ['extra_yen', 'bigint', ({ share }) => share.extraYen],
    ['allocated_yen', 'bigint', ({ share }) => share.quotaYen + share.extraYen],
    ['rate_units', 'integer', ({ share }) => share.rateUnits],
    ['amount_yen', 'bigint', ({ share }) => share.shareYen],
    ['dividend_id', 'bigint', () => dividendId],
    ['medium_id', 'bigint', () => mediumId],
    ['month', 'integer', () => month],
    ['kind', 'text', () => kind],
    ['method', 'text', () => method],
    ['booking', 'integer', () => booking],
    ['line', 'integer', () => 0],
  ],
  isNumbered: true,
})

/** Reverses the current booking of a job by counter-lines. They belong to a reset, or to the job that books itself again. */
async function reverseBooking(tx: Transaction, dividendId: bigint, byDividendId: bigint): Promise<void> {
  await sql`insert into dividend_ledger_lines (dividend_id, medium_id, month, kind, method, booking, line, agreement_id,
      publisher_id, weight, quota_yen, extra_yen, allocated_yen, rate_units, amount_yen, reverses_dividend_id)
    select ${byDividendId}::bigint, l.medium_id, l.month, l.kind, l.method, l.booking, l.line, l.agreement_id, l.publisher_id,
      l.weight, -l.quota_yen, -l.extra_yen, -l.allocated_yen, l.rate_units, -l.amount_yen, l.dividend_id
    from dividend_ledger_lines l join dividends d on d.id = l.dividend_id and d.booking = l.booking
    where l.dividend_id = ${dividendId} and l.reverses_dividend_id is null`.execute(tx)
}

/** Books a pool whose job has not been booked before. */
export function bookNewPool(tx: Transaction, owner: LedgerOwner, shares: readonly LedgerShare[]): Promise<void> {
  return bookPool(tx, owner, shares, { booking: 0, bookingHash: null })
}

/** Books a csv entry: one line for each row of its raw data. */
export async function bookRows(tx: Transaction, { dividendId, mediumId, month, method }: LedgerOwner): Promise<void> {
  await sql`insert into dividend_ledger_lines (dividend_id, medium_id, month, kind, method, booking, line, agreement_id,
      publisher_id, allocated_yen, amount_yen)
    select r.dividend_id, ${mediumId}::bigint, ${month}::integer, 'csv', ${method}::text, 1, r.line, r.agreement_id,
      r.publisher_id, 0, r.amount_yen
    from dividend_rows r where r.dividend_id = ${dividendId}`.execute(tx)
  await tx.updateTable('dividends').set({ booking: 1 }).where('id', '=', dividendId).execute()
}

/** The jobs of the month that a reset would reverse: successful, not a reset, not reversed yet. */
export function jobsThatCount(tx: Transaction, { mediumId, month }: MonthKey) {
  return tx
    .selectFrom('dividends as d')
    .where('d.mediumId', '=', mediumId)
    .where('d.month', '=', month)
    .where('d.jobStatus', '=', 'success')
    .where('d.kind', '<>', 'reset')
    .where('d.reversedByDividendId', 'is', null)
}

/**
 * A reset reverses every job of the month that counts. Nothing is deleted.
 * @returns how many jobs it reversed
 */
export async function resetMonth(tx: Transaction, reset: MonthKey & { readonly dividendId: bigint }): Promise<number> {
  const jobs = await jobsThatCount(tx, reset).select('d.id').orderBy('d.id').forUpdate().execute()
  for (const { id } of jobs) {
    await reverseBooking(tx, id, reset.dividendId)
    await tx.updateTable('dividends').set({ reversedByDividendId: reset.dividendId }).where('id', '=', id).execute()
  }
  return jobs.length
}

/**
 * Books pools again whose allocation differs from the settlement that is being saved, because terms have changed since
 * they were booked.
 */
export async function rebookPools(
  tx: Transaction,
  key: { readonly mediumId: bigint; readonly month: YearMonth },
  settled: SettledMonth,
): Promise<void> {
  if (settled.pools.length === 0) return
  const shares = new Map<bigint, LedgerShare[]>(settled.pools.map(pool => [pool.jobId, []]))
  for (const { agreementId, publishers } of settled.payments) {
    for (const { publisherId, poolShares } of publishers) {
      for (const share of poolShares) shares.get(share.jobId)?.push({ key: { agreementId, publisherId }, share })
    }
  }
  const booked = await tx
    .selectFrom('dividends')
    .select(['id', 'booking', 'bookingHash'])
    .where('id', 'in', [...shares.keys()])
    .execute()
  for (const pool of settled.pools) {
    const before = booked.find(each => each.id === pool.jobId)
    const owner = { dividendId: pool.jobId, ...key, kind: pool.kind, method: pool.method }
    if (before) await bookPool(tx, owner, shares.get(pool.jobId) ?? [], before)
  }
}
