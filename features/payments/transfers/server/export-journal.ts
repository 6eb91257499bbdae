import type { JournalEntry } from '@pc/domain/journal/journal-entry.ts'
import { type JournalFormat, journalTable } from '@pc/domain/journal/journal-export.ts'
import {
  type BookedTransfer,
  recordEntries,
  returnEntry,
  returnFeeEntry,
  transferEntry,
} from '@pc/domain/journal/transfer-journal.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { firstDayOf, formatYearMonth, lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { csvText } from '@pc/domain/text/spreadsheet-text.ts'
import type { TransferActionRefusal } from '@pc/domain/transfer/transfer-action-refusal.ts'
import { dayAt } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { encodeWindows31j } from '@pc/platform/text/windows-31j.ts'
import { closeEntriesOf } from '../../core/server/close-entries.ts'
import { readInputTaxTiming } from '../../core/server/input-tax-timing.ts'
import { readStoredMonth } from '../../core/server/stored-month.ts'
import { readSplitTransfers } from '../../core/server/transfer-record-store.ts'
import { readChartOfAccounts, readFeeTaxPercent } from '../../core/server/transfer-settings.ts'

/** `close`: what a revenue month accrued and made payable. `settlement`: what the bank did in a calendar month. */
export type JournalScope = 'close' | 'settlement'
export type JournalEncoding = 'utf8' | 'cp932'

export interface JournalRequest {
  readonly month: YearMonth
  readonly scope: JournalScope
  readonly format: JournalFormat
  readonly encoding: JournalEncoding
}

export interface JournalFile {
  readonly fileName: string
  readonly bytes: Uint8Array
  readonly entries: number
}

/**
 * A journal file: the same bytes for the same books.
 * Tested by `scenarios/transfer-journal.test.ts`.
 */
export async function exportJournal(
  tx: Transaction,
  request: JournalRequest,
): Promise<Result<JournalFile, TransferActionRefusal>> {
  const { month, scope, format, encoding } = request
  const chart = await readChartOfAccounts(tx, month)
  const entries = await (scope === 'close' ? closeEntries(tx, month) : settlementEntries(tx, month))
  if (entries === undefined) return refused(refusal('journal/month-not-final', ['month']))
  if (entries.length === 0) return refused(refusal('journal/no-entries', ['month']))
  const { header, rows } = journalTable(format, entries, chart)
  const text = csvTable([header, ...rows])
  const bytes = encoding === 'utf8' ? ok(Buffer.from(`\uFEFF${text}`)) : shiftJis(text)
  if (!bytes.ok) return bytes
  const fileName = `journal_${scope}_${formatYearMonth(month)}_${format}.csv`
  return ok({ fileName, bytes: bytes.value, entries: entries.length })
}

function shiftJis(text: string): Result<Uint8Array, TransferActionRefusal> {
  const { bytes, unknown } = encodeWindows31j(text)
  if (unknown === '') return ok(bytes)
  return refused(refusal('journal/not-encodable', ['encoding'], { characters: unknown.slice(0, 20) }))
}

/** Undefined when no medium of the month is final. */
async function closeEntries(tx: Transaction, month: YearMonth): Promise<readonly JournalEntry[] | undefined> {
  const media = await tx
    .selectFrom('monthStates')
    .select(['mediumId', 'finalizedAt'])
    .where('month', '=', month)
    .where('state', 'in', ['finalized', 'paid'])
    .orderBy('mediumId')
    .execute()
  if (media.length === 0) return undefined
  const timingOf = await readInputTaxTiming(tx)
  const entries: JournalEntry[] = []
  for (const { mediumId, finalizedAt } of media) {
    const stored = await readStoredMonth(tx, { mediumId, month })
    const finalizedOn = dayAt(finalizedAt!.getTime())
    if (stored) entries.push(...closeEntriesOf(stored, finalizedOn, timingOf))
  }
  return entries
}

async function settlementEntries(tx: Transaction, month: YearMonth): Promise<readonly JournalEntry[]> {
  const [from, to] = [firstDayOf(month), lastDayOf(month)]
  const percent = await readFeeTaxPercent(tx, from)
  const isIn = (value: string | null): value is Day => value !== null && value >= from && value <= to
  const rows = await tx
    .selectFrom('transfers')
    .select(['id', 'partnerName', 'paymentIncludingTaxYen', 'withholdingYen', 'feeYen', 'feeBorneByPayeeYen'])
    .select(['transferAmountYen', 'paidOn', 'returnedOn'])
    .where(eb => eb.or([eb.between('paidOn', from, to), eb.between('returnedOn', from, to)]))
    .where('paidOn', 'is not', null)
    .where('recordCount', '=', 1)
    .orderBy('id')
    .execute()
  const split = (await readSplitTransfers(tx, { from, to })).flatMap(transfer =>
    recordEntries(transfer, transfer.records, () => percent).filter(entry => isIn(entry.on)),
  )
  const charged = await tx
    .selectFrom('transferReturnFees as f')
    .innerJoin('transfers as t', 't.id', 'f.transferId')
    .select(['t.id', 't.partnerName', 'f.recordNumber', 'f.feeYen', 'f.chargedOn'])
    .where('f.chargedOn', '>=', from)
    .where('f.chargedOn', '<=', to)
    .orderBy('t.id')
    .orderBy('f.recordNumber')
    .orderBy('f.returnNumber')
    .execute()
  const fees = charged.map(({ id, partnerName, recordNumber, feeYen, chargedOn }) =>
    returnFeeEntry({ transferId: id, partnerName, recordNumber }, feeYen, chargedOn as Day, percent),
  )
  return rows
    .flatMap(({ id, paidOn, returnedOn, ...amounts }) => {
      const transfer: BookedTransfer = { ...amounts, transferId: id }
      return [
        ...(isIn(paidOn) ? [transferEntry(transfer, paidOn, percent)] : []),
        ...(isIn(returnedOn) ? [returnEntry(transfer, returnedOn, percent)] : []),
      ]
    })
    .concat(split)
    .concat(fees.filter(entry => entry !== null))
    .toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
}

/** Comma-separated text with CRLF. */
export function csvTable(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(csvText).join(',')}\r\n`).join('')
}
