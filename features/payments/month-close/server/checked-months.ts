import { createHash } from 'node:crypto'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type MonthKey, monthName } from '../../core/server/month-key.ts'
import type { OwnAdsOfMonth } from '../../core/server/month-statistics.ts'
import type { PreparedClose } from './prepared-close.ts'

/** A sound month as an audit of this process has checked it, and the statistics that it was compared with. */
interface Checked {
  readonly prepared: PreparedClose
  readonly ownAdsHash: string
}

const checkedMonths = new WeakMap<Database, Map<string, Checked>>()
/** A hash of each agreement, and whose figures are whose: some megabytes for a large month. */
const MAX_KEPT = 10

export function keepChecked(database: Database, checked: Checked): void {
  const months = checkedMonths.get(database) ?? new Map<string, Checked>()
  checkedMonths.set(database, months)
  const name = monthName(checked.prepared.key)
  months.delete(name)
  if (months.size >= MAX_KEPT) months.delete(months.keys().next().value ?? '')
  months.set(name, checked)
}

/** The caller must verify that nothing has changed since, and calls {@link forgetChecked} otherwise. */
export function findChecked(database: Database, key: MonthKey): Checked | undefined {
  return checkedMonths.get(database)?.get(monthName(key))
}

export function forgetChecked(database: Database, key: MonthKey): void {
  checkedMonths.get(database)?.delete(monthName(key))
}

/** A hash of every publisher's own-ads amounts by day: equal for equal figures. */
export function* ownAdsHashSteps(ownAds: OwnAdsOfMonth): CooperativeSteps<string> {
  const hash = createHash('sha256')
  for (const [publisherId, { microYen, days }] of ownAds) {
    hash.update(`${publisherId}:${microYen}:${days}\n`)
    yield
  }
  return hash.digest('hex')
}
