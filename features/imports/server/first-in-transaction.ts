import type { Transaction } from '@pc/platform/postgres/database.ts'

const seen = new WeakMap<Transaction, Set<string>>()

/**
 * Whether a record is touched for the first time in a transaction: only then is its revision the one that was shown.
 * Afterwards its lock keeps others out.
 */
export function isFirstIn(tx: Transaction, record: string): boolean {
  const records = seen.get(tx) ?? new Set()
  seen.set(tx, records)
  if (records.has(record)) return false
  records.add(record)
  return true
}
