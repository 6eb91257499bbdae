import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import { recordChange, systemActor } from '@pc/platform/audit/record-change.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { createManualOperation } from './create-manual-operation.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'

export interface Correction extends MonthKey {
  readonly rows: readonly {
    readonly agreementId: bigint
    readonly publisherId: bigint
    readonly amountYen: bigint
    readonly originMonth: YearMonth
  }[]
  readonly notes: string
}

/** Enters a correction of the system as a csv entry without a user. It is checked, booked and shown like one of staff. */
export async function enterCorrection(
  tx: Transaction,
  dependencies: ManualOperationDependencies,
  { mediumId, month, rows, notes }: Correction,
): Promise<Result<bigint, Refusal<RefusalCode>>> {
  const created = await createManualOperation(tx, dependencies, {
    input: { mediumId, month, kind: 'csv', method: 'payment', extraRevenueYen: null, extraRevenueMonth: '', notes },
    rawRows: rows.map(row => ({
      agreementId: `${row.agreementId}`,
      publisherId: `${row.publisherId}`,
      amount: `${row.amountYen}`,
      weight: '',
      reason: 'correction',
      originMonth: formatYearMonth(row.originMonth),
    })),
    userUid: null,
    isCorrection: true,
  })
  if (!created.ok) return created
  await recordChange(tx, systemActor('late figures'), {
    action: 'create',
    resource: 'insight:dividend.',
    rowId: created.value,
    before: null,
    after: { mediumId, month, kind: 'csv', rows: rows.length, notes },
  })
  return created
}
