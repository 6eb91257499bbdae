import path from 'node:path'
import { type Database, openDatabase } from './database.ts'
import { FORGETS_STATEMENTS, findPooling, MIGRATES_THROUGH_POOLER, type Pooling } from './find-pooling.ts'
import { launchPostgres } from './launch-postgres.ts'
import { isOfEarlierVersion, migrate, readSchemaState } from './migrate.ts'
import { ensureClusterRoles, ensureDatabase, LOGIN_ROLE, OWNER_ROLE } from './roles.ts'

export const DATABASE_NAME = 'publisher_center'

/** Where the embedded server of a data folder keeps its files. */
export const postgresFolder = (dataDir: string) => path.join(dataDir, 'postgres')

export interface PostgresOptions {
  readonly dataDir: string
  /** A server of the operator; undefined: the embedded one. */
  readonly databaseUrl: string | undefined
  readonly maxConnections?: number
  /** Receives lost connections, crashes of the embedded server, and a schema that is newer than this version. */
  readonly onProblem?: (message: string) => void
  /**
   * Runs before a database of an earlier version is migrated; if it throws, nothing is migrated. Not called for an
   * empty database, or when another process has migrated it.
   */
  readonly beforeMigrating?: ((database: Database) => Promise<void>) | undefined
}

export interface OpenPostgres {
  readonly database: Database
  /** URL of the running system; for components with their own connections, such as the job queue. */
  readonly url: string
  /** URL of the schema's owner; the same as `url` with an operator's server. */
  readonly ownerUrl: string
  /** Closes the pool, then stops the embedded server. */
  close(): Promise<void>
}

/** Opens the database, migrated and ready. Starts the embedded server if none is configured. */
export async function openPostgres(options: PostgresOptions): Promise<OpenPostgres> {
  const warn = options.onProblem ?? (() => {})
  const pool = (url: string, keepsStatements = true) =>
    openDatabase({
      url,
      keepsStatements,
      onConnectionLost: error => warn(`database connection lost: ${error.message}`),
      ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
    })
  const prepare = async (url: string) => {
    if (!options.beforeMigrating) return
    const database = pool(url) // a separate pool: prepared statements do not survive changes of tables
    try {
      await options.beforeMigrating(database)
    } finally {
      await database.close()
    }
  }
  if (options.databaseUrl !== undefined) {
    const pooling = await findPooling(options.databaseUrl)
    const keepsStatements = pooling !== 'transaction, forgets statements'
    if (!keepsStatements) warn(FORGETS_STATEMENTS)
    await migrateOrVerify(options.databaseUrl, pooling, warn, prepare)
    const database = pool(options.databaseUrl, keepsStatements)
    return { database, url: options.databaseUrl, ownerUrl: options.databaseUrl, close: () => database.close() }
  }
  const server = await launchPostgres({
    folder: postgresFolder(options.dataDir),
    onCrash: ({ message, willRestart }) => warn(willRestart ? `${message} Starting it again.` : message),
  })
  try {
    const adminUrl = server.url('postgres', 'postgres')
    await ensureClusterRoles(adminUrl)
    await ensureDatabase(adminUrl, DATABASE_NAME)
    const ownerUrl = server.url(DATABASE_NAME, OWNER_ROLE)
    const url = server.url(DATABASE_NAME, LOGIN_ROLE)
    const isUpgrade = await isOfEarlierVersion(ownerUrl)
    if (isUpgrade) await prepare(url)
    await migrate({ ownerUrl, onWarning: warn, isAllOrNothing: isUpgrade })
    const database = pool(url)
    return {
      database,
      url,
      ownerUrl,
      async close() {
        await database.close()
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Migrates, or only verifies when the running system lacks the owner's rights. The operator then migrates with
 * `DATABASE_URL=<owner> npm run db -- migrate`.
 */
async function migrateOrVerify(
  url: string,
  pooling: Pooling,
  warn: (message: string) => void,
  prepare: (url: string) => Promise<void>,
): Promise<void> {
  const state = await readSchemaState(url).catch(error => {
    if ((error as { code?: string }).code === '22023' || (error as { code?: string }).code === '42501') return undefined
    throw error
  })
  if (state?.pending.length === 0) {
    if (state.newer.length > 0) warn(`The database is ahead of this version (${state.newer.join(', ')}).`)
    return
  }
  if (pooling !== 'session') throw new Error(MIGRATES_THROUGH_POOLER)
  try {
    if (await isOfEarlierVersion(url)) await prepare(url)
    await migrate({ ownerUrl: url, onWarning: warn })
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const files = state?.pending.join(', ') ?? 'all'
    throw new Error(
      `The database is not up to date (${files}). Run \`npm run db -- migrate\` with the DATABASE_URL of its owner.`,
      { cause: error },
    )
  }
}
