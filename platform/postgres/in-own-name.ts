import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/**
 * Sets the person's uid in this transaction, although the scope of staff contains none. Row-level security then also
 * restricts rows that are private among staff (boards, notes). Ends with the transaction.
 */
export async function workInOwnName(tx: Transaction, uid: string): Promise<void> {
  await sql`select set_config('app.uid', ${uid}, true)`.execute(tx)
}
