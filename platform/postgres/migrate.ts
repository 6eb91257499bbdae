import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { ensureAppRole, restrictDatabase, withClient } from './roles.ts'

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../db/postgres', import.meta.url))

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

export interface MigrateOptions {
  /** Logs in as the owner of the database. */
  readonly ownerUrl: string
  readonly folder?: string
  /**
   * How long to wait for another process that migrates, and for each file to get its table locks. Default one minute.
   */
  readonly lockTimeoutMs?: number
  /** Longest single wait for a table lock, because other queries queue behind it. Default 2 s. */
  readonly lockAttemptMs?: number
  /**
   * Applies all files in one transaction, or none. Only for a database that nothing else uses. After a failure the
   * previous version still works with it.
   */
  readonly isAllOrNothing?: boolean
  /** Receives warnings that a migration raises about data that people should check. */
  readonly onWarning?: (message: string) => void
}

/** Migration files and database do not match; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** Key of the advisory lock, by which migrations of one database wait for each other. The number is arbitrary. */
const ADVISORY_LOCK = 7_301_202_012n

/** SQL states of attempts that may succeed later: lock not available, deadlock. */
const HELD_UP = new Set(['55P03', '40P01'])
/** Pause before the next attempt, in which other queries can use the tables. */
const BETWEEN_ATTEMPTS_MS = 500

/** A file with only this statement runs outside of a transaction, because PostgreSQL requires it. */
const CONCURRENT_INDEX = /^create (?:unique )?index concurrently (\w+) on [^;]+;?$/i

/**
 * Applies new files, each in its own transaction (or see {@link MigrateOptions.isAllOrNothing}), and returns their
 * names. A running version may use the database meanwhile, so lock waits are short and repeated.
 * @throws MigrationError
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? MIGRATIONS_FOLDER)
  const patienceMs = options.lockTimeoutMs ?? 60_000
  return withClient(options.ownerUrl, async client => {
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING' && message) options.onWarning?.(message)
    })
    await lockMigrations(client, Date.now() + patienceMs)
    await ensureAppRole(client)
    await restrictDatabase(client, client.database ?? '')
    await ensureLedger(client)
    const pending = pendingMigrations(migrations, await readLedger(client))
    if (options.isAllOrNothing) await applyTogether(client, pending)
    else
      for (const migration of pending) {
        const indexName = CONCURRENT_INDEX.exec(
          migration.sql.replaceAll(/--.*$/gm, '').trim().replaceAll(/\s+/g, ' '),
        )?.[1]
        if (indexName) await applyConcurrently(client, migration, indexName.toLowerCase())
        else await applyWithRetries(client, migration, options.lockAttemptMs ?? 2_000, Date.now() + patienceMs)
      }
    return pending.map(migration => migration.name)
  })
}

/**
 * Whether the database has migrations but lacks some of the files.
 * @throws MigrationError when a file was changed or the database is newer
 */
export async function isOfEarlierVersion(ownerUrl: string, folder = MIGRATIONS_FOLDER): Promise<boolean> {
  return withClient(ownerUrl, async client => {
    const { rows } = await client.query<{ exists: boolean }>(
      "select to_regclass('migrations.applied_files') is not null as exists",
    )
    const ledger = rows[0]?.exists ? await readLedger(client) : new Map<string, string>()
    return pendingMigrations(readMigrations(folder), ledger).length > 0 && ledger.size > 0
  })
}

export interface SchemaState {
  /** Names of the files that are not applied yet. */
  readonly pending: readonly string[]
  /**
   * Files that a later version applied. This version accepts them, because a schema only grows between two versions.
   */
  readonly newer: readonly string[]
}

/** Compares database and files with the rights of the running system, not of the owner. @throws MigrationError */
export async function readSchemaState(url: string, folder = MIGRATIONS_FOLDER): Promise<SchemaState> {
  const migrations = readMigrations(folder)
  const known = new Set(migrations.map(migration => migration.name))
  return withClient(url, async client => {
    // The role ends with the connection.
    await client.query('begin read only; set local role pc_app')
    const { rows } = await client.query<{ exists: boolean }>(
      "select to_regclass('migrations.applied_files') is not null as exists",
    )
    const ledger = rows[0]?.exists ? [...(await readLedger(client))] : []
    const pending = pendingMigrations(migrations, new Map(ledger.filter(([name]) => known.has(name))))
    return {
      pending: pending.map(migration => migration.name),
      newer: ledger.map(([name]) => name).filter(name => !known.has(name)),
    }
  })
}

/** All files of the folder in their order. @throws MigrationError for an invalid name or a duplicate number */
export function readMigrations(folder: string): Migration[] {
  const names = fs.readdirSync(folder).sort()
  const seen = new Map<string, string>()
  return names.map(name => {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (!number) throw new MigrationError(`${name}: a migration is named like 0002_add_bank_accounts.sql`)
    const twin = seen.get(number)
    if (twin) throw new MigrationError(`${twin} and ${name} have the same number: give the later one the next number`)
    seen.set(number, name)
    const sql = fs.readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
  })
}

/** Files that are not in the ledger. @param ledger maps names of applied files to their hashes */
function pendingMigrations(migrations: readonly Migration[], ledger: ReadonlyMap<string, string>): Migration[] {
  const known = new Set(migrations.map(migration => migration.name))
  for (const name of ledger.keys()) {
    if (known.has(name)) continue
    throw new MigrationError(`The database has ${name}, which this version of the program does not know: it is newer.`)
  }
  const pending: Migration[] = []
  for (const migration of migrations) {
    const appliedSha256 = ledger.get(migration.name)
    if (appliedSha256 === undefined) pending.push(migration)
    else if (appliedSha256 !== migration.sha256) {
      throw new MigrationError(
        `${migration.name} was changed after it had been applied. Undo the change and write a new migration ` +
          '(during development, `npm run db -- reset --yes` makes the embedded database again).',
      )
    } else if (pending.length > 0) {
      throw new MigrationError(
        `${pending[0]!.name} comes before ${migration.name}, which is already applied: give it the next number.`,
      )
    }
  }
  return pending
}

async function ensureLedger(client: pg.Client): Promise<void> {
  await client.query(`
    create schema if not exists migrations;
    create table if not exists migrations.applied_files (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    );
    grant usage on schema migrations to pc_app;
    grant select on migrations.applied_files to pc_app`)
}

async function readLedger(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations.applied_files order by name',
  )
  return new Map(rows.map(row => [row.name, row.sha256]))
}

/**
 * Polls for the lock instead of waiting in a statement: a waiting statement holds a snapshot, for which `create index
 * concurrently` would wait.
 */
async function lockMigrations(client: pg.Client, deadlineMs: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [ADVISORY_LOCK])
    if (rows[0]?.mine) return
    if (Date.now() >= deadlineMs) throw new MigrationError('Another process has been migrating this database for long.')
    await delay(100)
  }
}

async function applyWithRetries(
  client: pg.Client,
  migration: Migration,
  attemptMs: number,
  deadlineMs: number,
): Promise<void> {
  for (;;) {
    try {
      return await apply(client, migration, attemptMs)
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (!HELD_UP.has(code ?? '') || Date.now() >= deadlineMs) throw error
      await delay(BETWEEN_ATTEMPTS_MS)
    }
  }
}

/** Row-level security applies to the owner too, so migrations run in the scope that sees all rows. */
const BEGIN = `begin; set local timezone = 'Asia/Tokyo'; set local app.scope = 'all'`

async function applyTogether(client: pg.Client, pending: readonly Migration[]): Promise<void> {
  if (pending.length === 0) return
  await client.query(BEGIN)
  for (const migration of pending) {
    try {
      await client.query(migration.sql.replace(/^create (unique )?index concurrently /im, 'create $1index '))
      // Deferred constraint checks would block the next file that alters the same table.
      await client.query('set constraints all immediate; set constraints all deferred')
      await refuseUnprotectedTables(client)
      await noteApplied(client, migration)
    } catch (error) {
      await client.query('rollback').catch(() => {})
      const { message } = asMigrationError(error, migration)
      throw new MigrationError(
        `${message}\nNothing was changed: the version that used this database before still starts with it.`,
        { cause: error },
      )
    }
  }
  await client.query('commit')
}

async function apply(client: pg.Client, migration: Migration, attemptMs: number): Promise<void> {
  try {
    await client.query(`${BEGIN}; set local lock_timeout = ${Math.trunc(attemptMs)}`)
    await client.query(migration.sql)
    await refuseUnprotectedTables(client)
    await noteApplied(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw asMigrationError(error, migration)
  }
}

/**
 * Builds the index again if an earlier attempt left it invalid. A valid one was built by an attempt that failed before
 * it was recorded.
 */
async function applyConcurrently(client: pg.Client, migration: Migration, indexName: string): Promise<void> {
  try {
    const { rows } = await client.query<{ name: string; valid: boolean }>(
      `select i.indexrelid::regclass::text as name, i.indisvalid as valid
       from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = $1`,
      [indexName],
    )
    for (const { name, valid } of rows) if (!valid) await client.query(`drop index concurrently ${name}`)
    if (!rows.some(({ valid }) => valid)) await client.query(migration.sql)
    await noteApplied(client, migration)
  } catch (error) {
    throw asMigrationError(error, migration)
  }
}

function noteApplied(client: pg.Client, { name, sha256 }: Migration): Promise<unknown> {
  return client.query('insert into migrations.applied_files (name, sha256) values ($1, $2)', [name, sha256])
}

function asMigrationError(error: unknown, { name, sql }: Migration): MigrationError {
  if (error instanceof MigrationError) return error
  const { message, position } = error as { message: string; position?: string }
  const line = position ? `:${sql.slice(0, Number(position)).split('\n').length}` : ''
  return new MigrationError(`${name}${line}: ${message}`, { cause: error })
}

/** Fails closed: without row-level security a new table would be open to every scope. */
async function refuseUnprotectedTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not (c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p where p.polrelid = c.oid))
    order by 1`)
  if (rows.length === 0) return
  const names = rows.map(row => row.name).join(', ')
  throw new MigrationError(`${names}: ENABLE and FORCE ROW LEVEL SECURITY and a policy are missing`)
}
