import { createHash } from 'node:crypto'
import { fromJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import { readResultCsv } from '@pc/domain/bank/transfer-result-csv.ts'
import {
  type ExportedRecord,
  type MatchedLine,
  matchResult,
  type ResultLine,
  readZenginResult,
  recordKey,
} from '@pc/domain/bank/zengin-result.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { readResultLayout } from '../../core/server/transfer-settings.ts'
import { recordSplitResults } from './record-split-results.ts'
import { MAX_RESULTS, type RecordedResult, recordTransferResults, resultTooEarly } from './record-transfer-results.ts'

/** A file of the bank, or a table that a person has filled in. */
export interface ResultFile {
  readonly name: string
  readonly content: Uint8Array
  /** The day of all results. Null: the transfer day of the batch for paid lines, today for returned ones. */
  readonly on: Day | null
}

/**
 * - `book`: it changes the transfer.
 * - `unchanged`: it says what is recorded already.
 * - `unknown`: its meaning or its transfer is unclear, or the bank paid a recalled transfer; a person must ask the bank.
 * - `conflict`: it contradicts our books, so nothing of the file is booked.
 */
export type ResultEffect = 'book' | 'unchanged' | 'unknown' | 'conflict'

export interface ResultRow extends MatchedLine {
  readonly effect: ResultEffect
  readonly partnerName: string | null
  readonly state: TransferState | null
  /** The transfer day of its batch; null when the line names no transfer. */
  readonly transferOn: Day | null
  /** The batch of a recalled transfer that the bank paid, where two persons record that; null otherwise. */
  readonly recalledBatchId: bigint | null
  /** Japanese; why the line is not booked. */
  readonly note: string | null
}

export interface ResultPreview {
  readonly rows: readonly ResultRow[]
  /** Exported transfers without a line in the file, of the batches that it contains. */
  readonly missing: number
}

/** Lines of one result file; more are refused. */
const MAX_LINES = 20_000

/**
 * What importing a result would do. Nothing is written.
 * Tested by `scenarios/transfer-results.test.ts`.
 */
export async function previewTransferResult(
  tx: Transaction,
  clock: Clock,
  file: ResultFile,
): Promise<Result<ResultPreview, Refusal<RefusalCode>>> {
  const lines = await readLines(tx, file, file.on ?? today(clock))
  if (!lines.ok) return lines
  if (lines.value.length > MAX_LINES) return refused(refusal('transfer/too-many', ['file'], { max: MAX_LINES }))
  const known = await readKnown(tx, lines.value)
  const byKey = new Map(known.map(record => [recordKey(record), record]))
  const rows = matchResult(lines.value, known).map(line =>
    rowOf(line, byKey.get(recordKey(line)), { on: file.on, now: today(clock) }),
  )
  // A line with an unclear outcome still names its record, so the record is not missing.
  const named = new Set(rows.map(recordKey).filter(key => byKey.has(key)))
  const batchIds = [...new Set([...named].map(key => byKey.get(key)!.batchId))]
  // A transfer with one record has no rows in `transfer_records`: it is its own record 0.
  const waiting = await tx
    .selectFrom('transfers')
    .select(['id as transferNumber', sql<number>`0`.as('recordNumber')])
    // -1, which is no id, keeps the list from being empty: SQL has no `in ()`.
    .where('batchId', 'in', [...batchIds, -1n])
    .where('recordCount', '=', 1)
    .where('state', '=', 'exported')
    .unionAll(
      tx
        .selectFrom('transferRecords')
        .select(['transferId as transferNumber', 'number as recordNumber'])
        .where('batchId', 'in', [...batchIds, -1n])
        .where('state', '=', 'exported'),
    )
    .execute()
  return ok({ rows, missing: waiting.filter(each => !named.has(recordKey(each))).length })
}

export interface BookedResult {
  readonly recorded: readonly RecordedResult[]
  readonly paid: number
  readonly returned: number
  readonly unchanged: number
  readonly unknown: number
}

/** Books a result. Importing the same file again changes nothing. */
export async function importTransferResult(
  tx: Transaction,
  parts: { readonly clock: Clock; readonly actorUid: string },
  file: ResultFile,
): Promise<Result<BookedResult, Refusal<RefusalCode>>> {
  // The lock makes imports wait for each other, so that each sees what the one before it booked.
  await tx
    .selectFrom('transferBatches')
    .select('id')
    .where('exportedAt', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const preview = await previewTransferResult(tx, parts.clock, file)
  if (!preview.ok) return preview
  const { rows } = preview.value
  const conflicts = rows.filter(row => row.effect === 'conflict')
  if (conflicts.length > 0) {
    const data = { count: conflicts.length, first: conflicts[0]!.note ?? '' }
    return refused(refusal('transfer/result-not-bookable', ['file'], data))
  }
  const recorded = await recordRows(tx, parts, rows, file.on)
  if (!recorded.ok) return recorded
  const count = (effect: ResultEffect) => rows.filter(row => row.effect === effect).length
  const countBooked = (outcome: ResultRow['outcome']) =>
    rows.filter(row => row.effect === 'book' && row.outcome === outcome).length
  const booked = {
    paid: countBooked('paid'),
    returned: countBooked('returned'),
    unchanged: count('unchanged'),
    unknown: count('unknown'),
  }
  if (recorded.value.length > 0) {
    await tx
      .insertInto('transferResultImports')
      .values({
        ...booked,
        importedAt: new Date(parts.clock.now()),
        importedByUid: parts.actorUid,
        fileName: file.name.slice(0, 200),
        contentSha256: createHash('sha256').update(file.content).digest('hex'),
      })
      .execute()
  }
  return ok({ ...booked, recorded: recorded.value })
}

/** Records the rows in groups with the same outcome, day and reason, as few calls as possible. */
async function recordRows(
  tx: Transaction,
  parts: { readonly clock: Clock; readonly actorUid: string },
  rows: readonly ResultRow[],
  on: Day | null,
): Promise<Result<readonly RecordedResult[], Refusal<RefusalCode>>> {
  const steps = Map.groupBy(
    rows.flatMap(row => {
      const { outcome } = row
      if (row.effect !== 'book' || outcome === 'unknown') return []
      const day = resultDay(outcome, row.transferOn!, { on, now: today(parts.clock) })
      const reason = outcome === 'paid' ? '' : row.reason || '銀行の結果による組戻し'
      return [{ row, result: { outcome, on: day, reason, by: 'file' } as const }]
    }),
    ({ result }) => JSON.stringify(result),
  )
  const recorded: RecordedResult[] = []
  for (const step of steps.values()) {
    const { result } = step[0]!
    const whole = step.flatMap(({ row }) => (row.recordNumber === 0 ? [row.transferNumber] : []))
    for (let from = 0; from < whole.length; from += MAX_RESULTS) {
      const done = await recordTransferResults(tx, parts, whole.slice(from, from + MAX_RESULTS), result)
      if (!done.ok) return done
      recorded.push(...done.value)
    }
    const refs = step.flatMap(({ row }) =>
      row.recordNumber > 0 ? [{ transferId: row.transferNumber, number: row.recordNumber }] : [],
    )
    const records = await recordSplitResults(tx, parts, refs, result)
    if (!records.ok) return records
    recorded.push(...records.value)
  }
  return ok(recorded)
}

/** Reads a bank's file, which begins with its header record `1`, or a table otherwise. */
async function readLines(
  tx: Transaction,
  { content }: ResultFile,
  on: Day,
): Promise<Result<readonly ResultLine[], Refusal<RefusalCode>>> {
  const jis = fromJisX0201(content)
  if (jis !== undefined && /^1\d{3}/.test(jis)) {
    const layout = await readResultLayout(tx, on)
    return layout.ok ? readZenginResult(jis, layout.value) : layout
  }
  const text = decodeText(content)
  return text === undefined ? refused(refusal('transfer/result-unreadable', ['file'])) : readResultCsv(text)
}

/** Spreadsheets in Japan write UTF-8 or Shift_JIS. */
function decodeText(content: Uint8Array): string | undefined {
  for (const encoding of ['utf-8', 'shift_jis']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(content)
    } catch {}
  }
  return undefined
}

interface KnownRecord extends ExportedRecord {
  readonly state: TransferState
  readonly partnerName: string
  readonly transferOn: Day
  readonly paidOn: Day | null
  /** Whether it was recalled before its day. */
  readonly isRecalled: boolean
}

/**
 * Reads the exported transfers that the lines name. `r` are the records of a transfer; one with a single record has no
 * rows in `transfer_records` and is taken from the transfer itself, as record 0.
 */
async function readKnown(tx: Transaction, lines: readonly ResultLine[]): Promise<readonly KnownRecord[]> {
  const numbers = [...new Set(lines.map(line => line.transferNumber))]
  const { rows } = await sql<KnownRecord>`
    select t.id as transfer_number, r.number as record_number, r.batch_id, t.bank_code, t.branch_code, t.account_number,
      r.amount_yen, r.state, t.partner_name, r.paid_on, b.transfer_on,
      t.state = 'returned' and t.paid_on is null and exists (select from transfer_recalls c
        where c.transfer_id = t.id and c.purpose = 'return' and c.state = 'confirmed') as is_recalled
    from transfers t
    cross join lateral (
      select 0 as number, t.batch_id, t.transfer_amount_yen as amount_yen, t.state, t.paid_on where t.record_count = 1
      union all
      select x.number, x.batch_id, x.amount_yen, x.state, x.paid_on from transfer_records x where x.transfer_id = t.id) r
    join transfer_batches b on b.id = r.batch_id
    where t.id = any (${`{${numbers.join(',')}}`}::bigint[]) and b.exported_at is not null`.execute(tx)
  return rows
}

/** The day for which a line is booked. */
function resultDay(outcome: 'paid' | 'returned', transferOn: Day, { on, now }: Days): Day {
  return on ?? (outcome === 'paid' ? transferOn : now)
}

interface Days {
  /** The day that a person entered; null: none. */
  readonly on: Day | null
  readonly now: Day
}

/** Why an outcome is not understood: a code of the bank's file, or (without an account) a word in the table. */
function unknownNote({ mark, account }: MatchedLine): string {
  return account === undefined
    ? `結果「${mark.trim()}」は登録できません。「支払済み」か「組戻し」と記入してください。`
    : `結果コード「${mark.trim() || '（空白）'}」の意味が分かりません。銀行に確認してください。`
}

function rowOf(line: MatchedLine, transfer: KnownRecord | undefined, days: Days): ResultRow {
  const facts = {
    partnerName: transfer?.partnerName ?? null,
    state: transfer?.state ?? null,
    transferOn: transfer?.transferOn ?? null,
    recalledBatchId: null,
  }
  if (line.problem) {
    const effect = line.problem.code === 'bank/result-transfer-unknown' ? 'unknown' : 'conflict'
    return { ...line, ...facts, effect, note: refusalMessageJa(line.problem) }
  }
  if (line.outcome === 'unknown') {
    return { ...line, ...facts, effect: 'unknown', note: unknownNote(line) }
  }
  if (transfer!.state === line.outcome) return { ...line, ...facts, effect: 'unchanged', note: '登録済みです。' }
  // The bank paid a recalled transfer. Only this line is unclear; the others are booked.
  if (transfer!.isRecalled) {
    const note =
      '組戻しの申請で戻したことになっている振込を、銀行が支払っています。振り込み直しを止めて銀行に確認し、振込の画面の「振込済みとして記録」で申請してください。'
    return { ...line, ...facts, recalledBatchId: transfer!.batchId, effect: 'unknown', note }
  }
  if (transfer!.state === 'returned') {
    return { ...line, ...facts, effect: 'conflict', note: '組戻しとして登録済みの振込です。' }
  }
  const { outcome } = line
  const on = resultDay(outcome, transfer!.transferOn, days)
  const early = resultTooEarly({ ...transfer!, id: line.transferNumber }, { outcome, on }, days.now)
  if (early) return { ...line, ...facts, effect: 'conflict', note: refusalMessageJa(early) }
  return { ...line, ...facts, effect: 'book', note: null }
}
