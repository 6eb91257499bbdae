import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/**
 * Says who works in this transaction, also where the scope is that of staff, which names nobody: for rows that are
 * personal among staff too (boards, notes). Row-level security then shows own and shared ones only. Ends with the
 * transaction.
 */
export async function workInOwnName(tx: Transaction, uid: string): Promise<void> {
  await sql`select set_config('app.uid', ${uid}, true)`.execute(tx)
}
