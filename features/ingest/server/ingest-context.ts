import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { importLock, type WithImportLock } from './import-lock.ts'
import { INGEST_LIMITS, type IngestLimits } from './ingest-limits.ts'
import type { EngineSettings } from './reading/reading-engine.ts'
import { type SourcePlaces, sourcePlaces } from './reading/source-files.ts'

/** What an import works with. One per process: it also holds the queue of imports. */
export interface IngestContext extends SourcePlaces {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly engine: EngineSettings
  readonly limits: IngestLimits
  readonly withImportLock: WithImportLock
  /** Told in the transaction that makes a batch count; other features hang on it what follows. */
  readonly statisticsChanged?: StatisticsChanged | undefined
  /** Tells the operator what cannot be published, for the log. */
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
