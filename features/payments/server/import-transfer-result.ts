import { createHash } from 'node:crypto'
import { fromJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import {
  type ExportedTransfer,
  type MatchedLine,
  matchResult,
  type ResultLine,
  readZenginResult,
} from '@pc/domain/bank/zengin-result.ts'
import { readResultCsv } from '@pc/domain/bank/zengin-result-csv.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { type SettledTransfer, settledTooEarly, settleTransfers } from './settle-transfers.ts'
import { readResultLayout } from './transfer-settings.ts'

/** A file that came from the bank, or a table that a person filled in. */
export interface ResultFile {
  readonly name: string
  readonly content: Uint8Array
  /** The day on which the bank did it; null: what was paid on the day of its batch, what came back today. */
  readonly on: Day | null
}

/**
 * book: changes the transfer. unchanged: says what is known already. unknown: nobody can tell what it means, or which
 * transfer, or the bank paid what was recalled: a person has to ask the bank. conflict: contradicts our books, so nothing of the file is booked.
 */
export type ResultEffect = 'book' | 'unchanged' | 'unknown' | 'conflict'

export interface ResultRow extends MatchedLine {
  readonly effect: ResultEffect
  readonly partnerName: string | null
  readonly state: TransferState | null
  /** Of its batch. */
  readonly transferOn: Day | null
  /** Of a recalled transfer that the bank paid: two persons record it there. */
  readonly recalledBatchId: bigint | null
  /** Japanese; why the line is not booked. */
  readonly note: string | null
}

export interface ResultPreview {
  readonly rows: readonly ResultRow[]
  /** Exported transfers of the batches that the file speaks of, about which it says nothing. */
  readonly missing: number
}

const MAX_LINES = 20_000

/** What a result would do. Nothing is written. */
export async function previewTransferResult(
  tx: Transaction,
  clock: Clock,
  file: ResultFile,
): Promise<Result<ResultPreview, Refusal<RefusalCode>>> {
  const lines = await readLines(tx, file, file.on ?? today(clock))
  if (!lines.ok) return lines
  if (lines.value.length > MAX_LINES) return refused(refusal('transfer/too-many', ['file'], { max: MAX_LINES }))
  const known = await readKnown(tx, lines.value)
  const rows = matchResult(lines.value, known).map(line =>
    rowOf(line, known.get(line.transferNumber), { on: file.on, now: today(clock) }),
  )
  // A line whose outcome is not understood is still a line of its transfer.
  const named = new Set(rows.map(row => row.transferNumber).filter(number => known.has(number)))
  const batchIds = [...new Set([...named].map(number => known.get(number)!.batchId))]
  const waiting = await tx
    .selectFrom('transfers')
    .select('id')
    .where('batchId', 'in', [...batchIds, -1n])
    .where('state', '=', 'exported')
    .execute()
  return ok({ rows, missing: waiting.filter(({ id }) => !named.has(id)).length })
}

export interface BookedResult {
  readonly settled: readonly SettledTransfer[]
  readonly paid: number
  readonly returned: number
  readonly unchanged: number
  readonly unknown: number
}

/** Books what a result says. The same file once more changes nothing. */
export async function importTransferResult(
  tx: Transaction,
  parts: { readonly clock: Clock; readonly actorUid: string },
  file: ResultFile,
): Promise<Result<BookedResult, Refusal<RefusalCode>>> {
  // One after the other: the second one sees what the first one booked.
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
  const settled = await settleRows(tx, parts, rows, file.on)
  if (!settled.ok) return settled
  const count = (effect: ResultEffect) => rows.filter(row => row.effect === effect).length
  const booked = {
    paid: settled.value.filter(each => each.after === 'paid').length,
    returned: settled.value.filter(each => each.after === 'returned').length,
    unchanged: count('unchanged'),
    unknown: count('unknown'),
  }
  if (settled.value.length > 0) {
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
  return ok({ ...booked, settled: settled.value })
}

/** One step for each day and reason: most files have one of each. */
async function settleRows(
  tx: Transaction,
  parts: { readonly clock: Clock; readonly actorUid: string },
  rows: readonly ResultRow[],
  on: Day | null,
): Promise<Result<readonly SettledTransfer[], Refusal<RefusalCode>>> {
  const steps = Map.groupBy(
    rows.filter(row => row.effect === 'book'),
    row => JSON.stringify(row.outcome === 'paid' ? [on ?? row.transferOn, ''] : [on ?? today(parts.clock), row.reason]),
  )
  const settled: SettledTransfer[] = []
  for (const group of steps.values()) {
    for (const outcome of ['paid', 'returned'] as const) {
      const named = group.filter(row => row.outcome === outcome)
      if (named.length === 0) continue
      const isPaid = outcome === 'paid'
      const done = await settleTransfers(
        tx,
        parts,
        named.map(row => row.transferNumber),
        {
          outcome,
          on: settledOn(outcome, named[0]!.transferOn!, { on, now: today(parts.clock) }),
          reason: isPaid ? '' : named[0]!.reason || '銀行の結果による組戻し',
          by: 'file',
        },
      )
      if (!done.ok) return done
      settled.push(...done.value)
    }
  }
  return ok(settled)
}

/** A bank's file begins with its header record `1`; anything else is a table. */
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

interface KnownTransfer extends ExportedTransfer {
  readonly batchId: bigint
  readonly state: TransferState
  readonly partnerName: string
  readonly transferOn: Day
  readonly paidOn: Day | null
  /** Returned before its day, by two persons. */
  readonly isRecalled: boolean
}

async function readKnown(tx: Transaction, lines: readonly ResultLine[]): Promise<ReadonlyMap<bigint, KnownTransfer>> {
  const numbers = [...new Set(lines.map(line => line.transferNumber))]
  const rows = await tx
    .selectFrom('transfers as t')
    .innerJoin('transferBatches as b', 'b.id', 't.batchId')
    .select(['t.id', 't.batchId', 't.bankCode', 't.branchCode', 't.accountNumber', 't.transferAmountYen', 't.state'])
    .select(['t.partnerName', 't.paidOn', 'b.transferOn'])
    .select(
      sql<boolean>`t.state = 'returned' and t.paid_on is null and exists (select from transfer_recalls r
        where r.transfer_id = t.id and r.purpose = 'return' and r.state = 'confirmed')`.as('isRecalled'),
    )
    .where('t.id', 'in', [...numbers, -1n])
    .where('b.exportedAt', 'is not', null)
    .execute()
  return new Map(
    rows.map(({ id, transferAmountYen, ...row }) => [
      id,
      {
        ...row,
        state: row.state as TransferState,
        transferOn: row.transferOn as Day,
        paidOn: row.paidOn as Day | null,
        transferNumber: id,
        amountYen: transferAmountYen,
      },
    ]),
  )
}

/** The day for which a line is booked. */
function settledOn(outcome: 'paid' | 'returned', transferOn: Day, { on, now }: Days): Day {
  return on ?? (outcome === 'paid' ? transferOn : now)
}

interface Days {
  /** As a person entered it. */
  readonly on: Day | null
  readonly now: Day
}

/** A code of the bank's file, or a word that somebody wrote into the template. */
function unknownNote({ mark, account }: MatchedLine): string {
  return account === undefined
    ? `結果「${mark.trim()}」は登録できません。「支払済み」か「組戻し」と記入してください。`
    : `結果コード「${mark.trim() || '（空白）'}」の意味が分かりません。銀行に確認してください。`
}

function rowOf(line: MatchedLine, transfer: KnownTransfer | undefined, days: Days): ResultRow {
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
  // The bank carried it out all the same. The other lines of the file are as true as ever.
  if (transfer!.isRecalled) {
    const note =
      '組戻しの申請で戻したことになっている振込を、銀行が支払っています。振り込み直しを止めて銀行に確認し、振込の画面の「振込済みとして記録」で申請してください。'
    return { ...line, ...facts, recalledBatchId: transfer!.batchId, effect: 'unknown', note }
  }
  if (transfer!.state === 'returned') {
    return { ...line, ...facts, effect: 'conflict', note: '組戻しとして登録済みの振込です。' }
  }
  const { outcome } = line
  const on = settledOn(outcome, transfer!.transferOn, days)
  const early = settledTooEarly({ ...transfer!, id: line.transferNumber }, { outcome, on }, days.now)
  if (early) return { ...line, ...facts, effect: 'conflict', note: refusalMessageJa(early) }
  return { ...line, ...facts, effect: 'book', note: null }
}
