import type { Transaction } from '@pc/platform/postgres/database.ts'

const seen = new WeakMap<Transaction, Set<string>>()

/**
 * Whether a record is changed for the first time in a transaction. Only then its revision is compared with the preview's;
 * later the transaction itself has raised it, and its lock excludes others.
 */
export function isFirstIn(tx: Transaction, record: string): boolean {
  const records = seen.get(tx) ?? new Set()
  seen.set(tx, records)
  if (records.has(record)) return false
  records.add(record)
  return true
}
