import { createHash } from 'node:crypto'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type MonthKey, monthName } from '../../core/server/month-key.ts'
import type { OwnAdsOfMonth } from '../../core/server/month-statistics.ts'
import type { PreparedClose } from './prepared-close.ts'

/** A month without violations, as an audit in this process checked it, and the hash of the statistics that it used. */
interface Checked {
  readonly prepared: PreparedClose
  readonly ownAdsHash: string
}

const checkedMonths = new WeakMap<Database, Map<string, Checked>>()
/** Months that are kept per database: the hashes of a large month take some megabytes. */
const MAX_KEPT = 10

export function keepChecked(database: Database, checked: Checked): void {
  const months = checkedMonths.get(database) ?? new Map<string, Checked>()
  checkedMonths.set(database, months)
  const name = monthName(checked.prepared.key)
  months.delete(name)
  if (months.size >= MAX_KEPT) months.delete(months.keys().next().value ?? '')
  months.set(name, checked)
}

/** The caller must check that the month and the statistics have not changed since. */
export function findChecked(database: Database, key: MonthKey): Checked | undefined {
  return checkedMonths.get(database)?.get(monthName(key))
}

/** A hash that is equal for equal own-ads amounts of each day. */
export function* ownAdsHashSteps(ownAds: OwnAdsOfMonth): CooperativeSteps<string> {
  const hash = createHash('sha256')
  for (const [publisherId, { microYen, days }] of ownAds) {
    hash.update(`${publisherId}:${microYen}:${days}\n`)
    yield
  }
  return hash.digest('hex')
}
