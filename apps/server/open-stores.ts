import { systemClock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import type { Log } from '@pc/platform/log.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

export interface Stores {
  readonly database: Database
  readonly stats: StatsStore
  /** URL of the running system's login, for components with their own connections. */
  readonly databaseUrl: string
  close(): Promise<void>
}

export interface StoreOptions {
  readonly config: Config
  readonly log: Log
  readonly onProgress?: ((message: string) => void) | undefined
}

/**
 * Opens both stores in parallel. PostgreSQL is migrated only after the statistics store is usable; a store with other
 * tables is first rebuilt in a separate file. After a failure both are unchanged for the previous version.
 */
export async function openStores({ config, log, onProgress }: StoreOptions): Promise<Stores> {
  const [{ openPostgres }, { openStats, isOutdated }] = await Promise.all([
    import('@pc/platform/postgres/open-postgres.ts'),
    import('@pc/platform/stats/open-stats.ts'),
  ])
  // ClickHouse needs PostgreSQL for the list of what is published. It is awaited at first use only.
  const databaseUrl = Promise.withResolvers<string>()
  const opening = openStats(config, databaseUrl.promise, systemClock)
  opening.catch(() => {}) // awaited below
  let rebuilding: ReturnType<typeof rebuild> | undefined
  /** Opens or rebuilds the statistics store. Undefined: nothing was rebuilt. */
  const prepareStats = async (database: Database) => {
    const error = await opening.then(() => undefined).catch(cause => cause)
    if (error === undefined) return undefined
    if (!isOutdated(error)) throw error
    rebuilding ??= rebuild({ config, log, onProgress }, database)
    return rebuilding
  }
  const closing: (() => Promise<void>)[] = []
  try {
    const postgres = await openPostgres({
      dataDir: config.dataDir,
      databaseUrl: config.databaseUrl,
      onProblem: message => log.warn({ part: 'postgres' }, message),
      beforeMigrating: async database => void (await prepareStats(database)),
    })
    closing.unshift(() => postgres.close())
    databaseUrl.resolve(postgres.url)
    const built = await prepareStats(postgres.database)
    const stats = built ? await built.publish() : await opening
    await stats.prepare?.()
    return {
      database: postgres.database,
      stats,
      databaseUrl: postgres.url,
      async close() {
        await stats.close()
        await postgres.close()
      },
    }
  } catch (error) {
    await rebuilding?.then(built => built.close()).catch(() => {})
    await opening.then(stats => stats.close()).catch(() => {})
    for (const close of closing) await close()
    throw error
  }
}

/** Limits progress lines, because there may be thousands of deliveries. */
const LOG_EVERY_MS = 2_000

/**
 * Rebuilds from the ledger before PostgreSQL is migrated. The columns that it reads are the same in the previous
 * version.
 */
async function rebuild({ config, log, onProgress = () => {} }: StoreOptions, database: Database) {
  const [{ beginStatsRebuild }, { ingestContext }, { rebuildStatistics }] = await Promise.all([
    import('@pc/platform/stats/open-stats.ts'),
    import('@pc/features/ingest/server/ingest-context.ts'),
    import('@pc/features/ingest/server/publishing/rebuild-statistics.ts'),
  ])
  const begun = await beginStatsRebuild(config)
  try {
    const context = ingestContext(config, { database, stats: begun.store, clock: systemClock })
    let loggedAt = Number.NEGATIVE_INFINITY
    const { built, takenOver } = await rebuildStatistics(context, begun.outdated, (done, total) => {
      if (done < total && performance.now() - loggedAt < LOG_EVERY_MS) return
      loggedAt = performance.now()
      onProgress(`この版に合わせて統計を作り直しています… ${done}/${total} 件`)
    })
    log.warn({ part: 'stats', built }, 'the statistics of an earlier version were built again from the kept deliveries')
    if (takenOver.length > 0)
      log.error(
        { part: 'stats', takenOver },
        'kept deliveries cannot be read: their figures come from the earlier file',
      )
    return begun
  } catch (error) {
    await begun.close()
    throw error
  }
}
