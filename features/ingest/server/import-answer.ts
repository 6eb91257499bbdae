import { dayText } from '@pc/domain/month/day-text.ja.ts'
import type { ImportOutcome } from './import-batch.ts'
import type { RowError } from './ingest-refusal.ts'
import type { BatchRow } from './ingest-store.ts'

/** The outcome of an import as JSON: what the endpoint answers and the command prints. */
export interface ImportAnswer {
  readonly status: 'applied' | 'unchanged' | 'refused'
  readonly code: string
  /** Japanese, a whole sentence. */
  readonly message: string
  readonly batch: BatchAnswer | null
  /** The id of the batch that this one replaced. */
  readonly replaced: string | null
  /** Rows that were refused or quarantined. */
  readonly badRows: number
  /** The first errors of those rows. */
  readonly errors: readonly RowError[]
}

export interface BatchAnswer {
  /** The ledger's number, which is the id in the address of the batch's screen. */
  readonly batchNo: string
  readonly id: string
  readonly dataset: string
  readonly revision: number
  readonly sha256: string
  readonly rows: number
  readonly quarantined: number
  readonly firstDay: string | null
  readonly lastDay: string | null
}

/** Converts the outcome of an import to the JSON answer. */
export function importAnswer(outcome: ImportOutcome): ImportAnswer {
  switch (outcome.kind) {
    case 'refused': {
      const { code, message, badRows, rowErrors } = outcome.refusal
      return {
        status: 'refused',
        code,
        message,
        batch: null,
        replaced: null,
        badRows,
        errors: rowErrors.map(plainError),
      }
    }
    case 'unchanged':
      return {
        status: 'unchanged',
        code: 'ingest/unchanged',
        message: unchangedMessage(outcome.batch),
        batch: batchAnswer(outcome.batch),
        replaced: null,
        badRows: 0,
        errors: [],
      }
    case 'applied': {
      const { batch, replaced, quarantined } = outcome
      return {
        status: 'applied',
        code: 'ingest/applied',
        message: appliedMessage(batch, replaced),
        batch: batchAnswer(batch),
        replaced: replaced?.batchId ?? null,
        badRows: Number(batch.rowsQuarantined),
        errors: quarantined.map(plainError),
      }
    }
  }
}

export function unchangedMessage({ batchId }: BatchRow): string {
  return `同じ内容がバッチ ${batchId} として取り込み済みです。何も変更していません。`
}

function appliedMessage(batch: BatchRow, replaced: BatchRow | undefined): string {
  const taken = (batch.rowsTotal - batch.rowsQuarantined).toLocaleString('ja-JP')
  const aside = batch.rowsQuarantined > 0n ? `（${batch.rowsQuarantined.toLocaleString('ja-JP')}行は除きました）` : ''
  const { firstDay, lastDay } = batch
  const until = lastDay === null || lastDay === firstDay ? '' : `〜${dayText(lastDay)}`
  const days = firstDay === null ? '' : `${dayText(firstDay)}${until}の`
  const instead = replaced ? `バッチ ${replaced.batchId}（第${replaced.revision}版）を置き換えました。` : ''
  return `${days}${taken}行を取り込みました${aside}。${instead}`
}

export function batchAnswer(batch: BatchRow): BatchAnswer {
  return {
    batchNo: String(batch.batchNo),
    id: batch.batchId,
    dataset: batch.dataset,
    revision: batch.revision,
    sha256: batch.contentSha256,
    rows: Number(batch.rowsTotal),
    quarantined: Number(batch.rowsQuarantined),
    firstDay: batch.firstDay,
    lastDay: batch.lastDay,
  }
}

export function plainError({ line, column, message }: RowError): RowError {
  return { line, column, message }
}
