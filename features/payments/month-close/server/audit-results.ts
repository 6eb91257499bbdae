import type { Violation } from '@pc/domain/settlement/violation.ts'
import { type BulkTable, bulkRows, insertBulk } from '@pc/platform/postgres/bulk-rows.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sha256 } from '../../core/server/load-month.ts'
import type { MonthKey } from '../../core/server/month-key.ts'

export type AuditOccasion = 'compute' | 'nightly' | 'demand' | 'finalize'

export interface AuditResult extends MonthKey {
  readonly at: Date
  readonly occasion: AuditOccasion
  readonly dataVersion: string | null
  readonly violations: readonly Violation[]
}

const VIOLATION_ROWS: BulkTable<Violation & { readonly runId: bigint; readonly number: number }> = {
  table: 'invariant_violations',
  columns: [
    ['run_id', 'bigint', row => row.runId],
    ['number', 'integer', row => row.number],
    ['invariant', 'text', row => row.invariant],
    ['row_name', 'text', row => row.row],
    ['detail', 'text', row => row.detail],
  ],
}

/** Violations that are stored of one check; of more, only the count is. */
const MAX_KEPT = 1_000

/** Stores what a check found. `isNew`: it found violations, and other ones than the check before it. */
export async function keepAudit(tx: Transaction, result: AuditResult): Promise<{ readonly isNew: boolean }> {
  const { mediumId, month, at, occasion, dataVersion, violations } = result
  const violationsHash = sha256(violations.map(each => `${each.invariant} ${each.row} ${each.detail}`).join('\n'))
  const before = await tx
    .selectFrom('invariantRuns')
    .select('violationsHash')
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { id } = await tx
    .insertInto('invariantRuns')
    .values({ mediumId, month, ranAt: at, occasion, dataVersion, violations: violations.length, violationsHash })
    .returning('id')
    .executeTakeFirstOrThrow()
  const kept = violations.slice(0, MAX_KEPT).map((violation, index) => ({ ...violation, number: index + 1, runId: id }))
  await insertBulk(tx, bulkRows(VIOLATION_ROWS, kept))
  return { isNew: violations.length > 0 && before?.violationsHash !== violationsHash }
}
