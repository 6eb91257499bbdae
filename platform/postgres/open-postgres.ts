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
  /** Told of lost connections, of an embedded server that ended unexpectedly, of a schema that is ahead. */
  readonly onProblem?: (message: string) => void
  /**
   * Uses a database of an earlier version before it is migrated; when it throws, nothing was. Not called for a database that
   * is empty, or that somebody else has migrated.
   */
  readonly beforeMigrating?: ((database: Database) => Promise<void>) | undefined
}

export interface OpenPostgres {
  readonly database: Database
  /** What the running system logs in with; for parts that hold connections of their own, such as job queues. */
  readonly url: string
  /** Owner of the schema; with an operator's server the same as `url`. */
  readonly ownerUrl: string
  /** Closes the pool, then stops the embedded server. */
  close(): Promise<void>
}

/** The migrated database, ready to use. Starts the embedded server when no other is configured. */
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
    const database = pool(url) // of its own: statements that a connection has prepared do not survive other tables
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
 * The running system may log in without the owner's rights; then the operator migrates with
 * `DATABASE_URL=<owner> npm run db -- migrate`, and a start only looks whether that was done.
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
