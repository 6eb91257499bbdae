import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type CompiledQuery, Kysely, type Transaction as KyselyTransaction, type RawBuilder } from 'kysely'
import pg from 'pg'
import { connectionOptions } from './connection-options.ts'
import { ColumnNames } from './named-query.ts'
import type { SilentStatement } from './pipelined-query.ts'
import { FrequentStatements, type Settings, settingStatement } from './prepared-read.ts'
import { readInSettings, readingDialect } from './reading-driver.ts'
import { scopedDialect } from './scoped-driver.ts'
import { compiled } from './single-reader.ts'
import type { Tables } from './tables.ts'
import { valueParsers } from './value-parsers.ts'

/** Scope that sees all rows. Only for code that checks permissions itself or acts for nobody (jobs, sign-in). */
export const SYSTEM: Scope = { kind: 'all' }

export interface TransactionOptions {
  /** Default `read committed`. */
  readonly isolation?: 'repeatable read' | 'serializable'
  readonly readOnly?: boolean
  /** Longest time of a single statement. Default {@link STATEMENT_TIMEOUT_MS}. */
  readonly statementTimeoutMs?: number
}

/** Below the 15 s in which a request must be answered, even when the database does not respond. */
const STATEMENT_TIMEOUT_MS = 10_000
/** PostgreSQL ends a transaction that is idle for longer, so work between two statements must be short. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000

/**
 * A transaction's query builder. Columns are in camelCase; int8 arrives as bigint, date as `Day`, timestamptz as Date,
 * jsonb parsed with its keys unchanged.
 */
export type Transaction = KyselyTransaction<Tables>

/** A query builder for reads. A {@link Transaction} can be passed too. */
export type Reader = Kysely<Tables>

export interface Database {
  /**
   * One transaction as role `pc_app`, in which row-level security shows only the rows of the scope. Commits when `work`
   * resolves and rolls back when it throws. Await every query inside; a query after the end throws.
   */
  inScope<T>(scope: Scope, work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * One reading statement in a scope, in one round trip instead of three. For what every request needs, such as its
   * session.
   */
  readSingleStatement<Row>(scope: Scope, statement: RawBuilder<Row> | CompiledQuery<Row>): Promise<Row[]>
  /**
   * Query builder whose every query is its own read-only transaction and one round trip. For reads that need no common
   * snapshot; queries may run in parallel.
   */
  reader(scope: Scope): Reader
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Its user must be able to take the role `pc_app` (see `roles.ts`), and should be able to do nothing else. */
  readonly url: string
  /** Default 10. */
  readonly maxConnections?: number
  /** See {@link IDLE_IN_TRANSACTION_TIMEOUT_MS}, the default. */
  readonly idleInTransactionTimeoutMs?: number
  /** Whether frequent statements are prepared. Default: yes. False for poolers that lose prepared statements. */
  readonly keepsStatements?: boolean
  /** Called when an idle connection breaks; the pool opens a new one. */
  readonly onConnectionLost?: (error: Error) => void
}

const CONNECT_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 5_000

/** Opens a connection pool. Nothing is connected before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connectionOptions(options.url),
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'publisher-center',
    types: valueParsers,
  })
  // An error event without a listener ends the process.
  pool.on('error', error => options.onConnectionLost?.(error))
  // Neither side listens while a connection changes hands between pool and client.
  pool.on('connect', client => client.on('error', () => {}))
  const plugins = [new ColumnNames()]
  const { keepsStatements = true } = options
  const frequent = new FrequentStatements(keepsStatements)
  const { idleInTransactionTimeoutMs = IDLE_IN_TRANSACTION_TIMEOUT_MS } = options
  const idle = { idleInTransactionTimeoutMs }
  const transacting = (scope: Scope, { statementTimeoutMs = STATEMENT_TIMEOUT_MS, ...more }: TransactionOptions) => {
    const begin = beginning(scope, { ...more, statementTimeoutMs, ...idle }, keepsStatements)
    return new Kysely<Tables>({ dialect: scopedDialect({ pool, begin, statementTimeoutMs, frequent }), plugins })
  }
  const ofAll = transacting(SYSTEM, {})
  const readingSettings = rememberByScope(scope => settingsOf(scope, { readOnly: true, ...idle }))
  const readers = rememberByScope(
    scope => new Kysely<Tables>({ dialect: readingDialect(pool, frequent, readingSettings(scope)), plugins }),
  )
  return {
    inScope(scope, work, transactionOptions = {}) {
      if (scope.kind === 'all' && isUsual(transactionOptions)) return ofAll.transaction().execute(work)
      return transacting(scope, transactionOptions).transaction().execute(work)
    },
    async readSingleStatement<Row>(scope: Scope, statement: RawBuilder<Row> | CompiledQuery<Row>) {
      // PostgreSQL runs the statements of one message as one transaction, so the local settings end with it, even after
      // an error.
      const text = 'sql' in statement ? statement : compiled(statement)
      return (await readInSettings(pool, frequent, readingSettings(scope), text)) as Row[]
    },
    reader: readers,
    async close() {
      const timeout = new Promise(resolve => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())
      await Promise.race([pool.end(), timeout])
    },
  }
}

const isUsual = (options: TransactionOptions) => Object.values(options).every(value => value === undefined)

/** Caches what is made from a scope, per scope object (scopes are immutable). All scopes of kind `all` are equal. */
function rememberByScope<Made extends object>(make: (scope: Scope) => Made): (scope: Scope) => Made {
  const known = new WeakMap<Scope, Made>()
  return scope => {
    const one = scope.kind === 'all' ? SYSTEM : scope
    const made = known.get(one) ?? make(one)
    known.set(one, made)
    return made
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Statements that begin a transaction in a scope. All settings are local to the transaction, so that a pooled
 * connection never keeps a scope.
 */
function beginning(scope: Scope, options: SettingOptions, keepsStatements: boolean): readonly SilentStatement[] {
  const isolation = options.isolation ? ` isolation level ${options.isolation}` : ''
  const text = `begin${isolation}${options.readOnly ? ' read only' : ''}`
  const { name, ...settings } = settingStatement(settingsOf(scope, options))
  return [{ text, values: [] }, keepsStatements ? { ...settings, name } : settings]
}

type SettingOptions = TransactionOptions & { readonly idleInTransactionTimeoutMs: number }

/** The values go into SQL text, so they consist of characters that cannot end a literal. */
function settingsOf(scope: Scope, options: SettingOptions): Settings {
  return {
    ...(options.readOnly ? { transaction_read_only: 'on' } : {}),
    role: 'pc_app',
    'app.scope': scope.kind,
    'app.uid': scope.kind === 'all' ? '' : checkedUuid(scope.uid),
    'app.organization_id': organizationText(scope),
    TimeZone: 'Asia/Tokyo',
    statement_timeout: String(Math.trunc(options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS)),
    idle_in_transaction_session_timeout: String(Math.trunc(options.idleInTransactionTimeoutMs)),
  }
}

function organizationText(scope: Scope): string {
  if (scope.kind === 'all' || scope.kind === 'self' || scope.organizationId === null) return ''
  if (typeof scope.organizationId !== 'bigint') throw new TypeError('organizationId of a scope must be a bigint')
  return String(scope.organizationId)
}

function checkedUuid(uid: string): string {
  if (!UUID.test(uid)) throw new TypeError('uid of a scope must be a UUID')
  return uid
}
