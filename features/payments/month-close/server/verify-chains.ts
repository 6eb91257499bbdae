import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { ChainBreak } from '@pc/domain/payment/snapshot-chain.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { SharedWork } from '@pc/platform/share-work.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readChainVersion } from '../../core/server/month-version.ts'
import { verifyMonthLink } from './finalized-chain.ts'

export interface CheckedChain {
  readonly mediumId: bigint
  readonly mediumName: string
  readonly months: number
  readonly breaks: readonly ChainBreak[]
}
export interface ChainCheckDependencies {
  readonly database: Database
  readonly clock: Clock
}
interface CheckedMonth {
  readonly version: string
  readonly at: number
  readonly breaks: readonly ChainBreak[]
}

/** How long a month whose rows have not changed counts as checked and is not hashed again. */
const CHECKED_FOR_MS = 600_000
const STATEMENT_TIMEOUT_MS = 60_000
const READ = { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: STATEMENT_TIMEOUT_MS } as const

const running = new WeakMap<Database, SharedWork<readonly CheckedChain[]>>()
const checked = new WeakMap<Database, Map<string, CheckedMonth>>()

/**
 * Verifies the hash chain of a medium, or of all, from the rows. Each month that was checked is remembered, so that a
 * check which is aborted is continued by the next one.
 * Tested by `scenarios/shared-checks.test.ts`.
 */
export function checkChains(
  dependencies: ChainCheckDependencies,
  onlyId: bigint | undefined,
): Promise<readonly CheckedChain[]> {
  const { database } = dependencies
  const shared = running.get(database) ?? new SharedWork()
  running.set(database, shared)
  return shared.get(`${onlyId ?? 'all'}`, async () => {
    const found: CheckedChain[] = []
    for (const { mediumId, mediumName, months } of await database.inScope(SYSTEM, tx => readMedia(tx, onlyId))) {
      const breaks: ChainBreak[] = []
      for (const month of months)
        breaks.push(...(await checkMonth(dependencies, { mediumId, month: month as YearMonth })))
      found.push({ mediumId, mediumName, months: months.length, breaks })
    }
    return found
  })
}

async function readMedia(tx: Transaction, onlyId: bigint | undefined) {
  let query = tx
    .selectFrom('monthStates as s')
    .innerJoin('media as m', 'm.id', 's.mediumId')
    .select(['m.id', 'm.name', 's.month'])
    .where('s.state', 'in', ['finalized', 'paid'])
    .orderBy('m.id')
    .orderBy('s.month')
  if (onlyId !== undefined) query = query.where('m.id', '=', onlyId)
  const rows = Map.groupBy(await query.execute(), row => row.id)
  return [...rows].map(([mediumId, months]) => ({
    mediumId,
    mediumName: months[0]!.name,
    months: months.map(row => row.month),
  }))
}

function checkMonth({ database, clock }: ChainCheckDependencies, key: MonthKey): Promise<readonly ChainBreak[]> {
  const months = checked.get(database) ?? new Map<string, CheckedMonth>()
  checked.set(database, months)
  const name = `${key.mediumId}/${key.month}`
  return database.inScope(
    SYSTEM,
    async tx => {
      const version = await readChainVersion(tx, key)
      const kept = months.get(name)
      if (kept?.version === version && Math.abs(clock.now() - kept.at) < CHECKED_FOR_MS) return kept.breaks
      const breaks = await verifyMonthLink(tx, key)
      months.set(name, { version, at: clock.now(), breaks })
      return breaks
    },
    READ,
  )
}
