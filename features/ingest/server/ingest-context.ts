import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { importLock, type WithImportLock } from './import-lock.ts'
import { INGEST_LIMITS, type IngestLimits } from './ingest-limits.ts'
import type { EngineSettings } from './reading/reading-engine.ts'
import { type SourcePlaces, sourcePlaces } from './reading/source-files.ts'

/** The dependencies of imports. Create one per process: it holds the process's queue for the import lock. */
export interface IngestContext extends SourcePlaces {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly engine: EngineSettings
  readonly limits: IngestLimits
  readonly withImportLock: WithImportLock
  /** Called in the transaction that makes a batch visible, so that other features can react in the same transaction. */
  readonly statisticsChanged?: StatisticsChanged | undefined
  /** Logs a batch that cannot be published. */
  readonly reportFailure?: ReportFailure | undefined
}

type ReportFailure = (error: unknown, of: { readonly batchId?: string }) => void

type StatisticsChanged = (tx: Transaction, months: readonly YearMonth[]) => Promise<void>

export function ingestContext(
  config: Pick<Config, 'dataDir' | 'objectsUrl' | 'statsThreads' | 'statsMemoryLimit'>,
  parts: Pick<IngestContext, 'database' | 'stats' | 'clock' | 'statisticsChanged' | 'reportFailure'>,
  limits: IngestLimits = INGEST_LIMITS,
): IngestContext {
  return {
    ...parts,
    ...sourcePlaces(config),
    engine: { threads: config.statsThreads, memoryLimit: config.statsMemoryLimit },
    limits,
    withImportLock: importLock(parts.database),
  }
}
