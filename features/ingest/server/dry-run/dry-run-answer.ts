import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { type BatchAnswer, batchAnswer, importAnswer, plainError, unchangedMessage } from '../import-answer.ts'
import type { RowError } from '../ingest-refusal.ts'
import type { DryRun } from './dry-run.ts'
import type { RowsSummary } from './summarise-rows.ts'

/** A dry run as JSON: what the endpoints answer and the command prints. */
export interface DryRunAnswer {
  readonly status: 'acceptable' | 'unchanged' | 'refused'
  readonly dryRun: true
  readonly code: string
  /** Japanese, whole sentences. */
  readonly message: string
  readonly dataset: string | null
  readonly format: string | null
  readonly sha256: string | null
  readonly summary: SummaryAnswer | null
  /** The batch that holds the same content already. */
  readonly batch: BatchAnswer | null
  /** The batch that this delivery would replace. */
  readonly replaces: BatchAnswer | null
  /** Finalised months whose figures it would change; `month` as 2026-10. */
  readonly finalMonths: readonly { readonly mediumId: string; readonly month: string }[]
  /** The visible batch that conflicts, and that the delivery could name in `replaces`. */
  readonly otherBatchId: string | null
  /** All wrong rows; `errors` lists only the first errors. */
  readonly badRows: number
  readonly errors: readonly RowError[]
}

export interface SummaryAnswer {
  readonly rows: number
  readonly badRows: number
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** As text: a sum may exceed 2^53. */
  readonly totals: readonly { readonly column: string; readonly label: string; readonly total: string }[]
  readonly dayCount: number
  readonly days: readonly { readonly day: string; readonly rows: number; readonly totals: readonly string[] }[]
}

/** Tested by `features/ingest/server/dry-run/dry-run.test.ts`. */
export function dryRunAnswer({ verdict, file, summary, finalMonths }: DryRun): DryRunAnswer {
  const common = {
    dryRun: true as const,
    dataset: file?.dataset ?? null,
    format: file?.format ?? null,
    sha256: file?.sha256 ?? null,
    summary: summary ? summaryAnswer(summary) : null,
    finalMonths: finalMonths.map(({ mediumId, month }) => ({ mediumId: `${mediumId}`, month: formatYearMonth(month) })),
    batch: null,
    replaces: null,
    otherBatchId: null,
  }
  switch (verdict.kind) {
    case 'refused': {
      const { status, code, message, badRows, errors } = importAnswer(verdict)
      const otherBatchId = verdict.refusal.otherBatchId ?? null
      return { ...common, status: status as 'refused', code, message, badRows, errors, otherBatchId }
    }
    case 'unchanged': {
      const { batch } = verdict
      const message = unchangedMessage(batch)
      return {
        ...common,
        status: 'unchanged',
        code: 'ingest/unchanged',
        message,
        badRows: 0,
        errors: [],
        batch: batchAnswer(batch),
      }
    }
    case 'acceptable':
      return {
        ...common,
        status: 'acceptable',
        code: 'ingest/acceptable',
        message: acceptableMessage(summary),
        replaces: verdict.replaces ? batchAnswer(verdict.replaces) : null,
        badRows: Number(summary?.badRows ?? 0n),
        errors: verdict.quarantined.map(plainError),
      }
  }
}

function acceptableMessage(summary: RowsSummary | undefined): string {
  const { rows = 0n, badRows = 0n } = summary ?? {}
  const aside = badRows > 0n ? `（誤りのある${badRows.toLocaleString('ja-JP')}行は除きます）` : ''
  return `${(rows - badRows).toLocaleString('ja-JP')}行を取り込めます${aside}。まだ何も取り込んでいません。`
}

function summaryAnswer({ rows, badRows, firstDay, lastDay, totals, dayCount, days }: RowsSummary): SummaryAnswer {
  return {
    rows: Number(rows),
    badRows: Number(badRows),
    firstDay,
    lastDay,
    dayCount,
    totals: totals.map(({ column, label, total }) => ({ column, label, total: String(total) })),
    days: days.map(one => ({ day: one.day, rows: Number(one.rows), totals: one.totals.map(String) })),
  }
}
