import type { CloseAction } from '@pc/domain/payment/close-action.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from './month-key.ts'

export interface CloseLogEntry extends MonthKey {
  readonly at: Date
  /** Null: the system itself. */
  readonly actorUid: string | null
  readonly action: CloseAction
  /** Japanese, for staff. */
  readonly detail: string
}

/** Who did what to a month, in the transaction that did it; never changed afterwards. */
export async function logClose(tx: Transaction, entry: CloseLogEntry): Promise<void> {
  const { mediumId, month, at, actorUid, action, detail } = entry
  await tx.insertInto('monthCloseLog').values({ mediumId, month, at, actorUid, action, detail }).execute()
}
