import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
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
  /** Longest wait for another process that migrates the same database. Default one minute. */
  readonly lockTimeoutMs?: number
}

/** The files and the database do not fit together; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** Any number, the same everywhere: whoever migrates this database waits for whoever else does. */
const ADVISORY_LOCK = 7_301_202_012n

/** Applies the files that are new, each in a transaction of its own. Returns their names. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? MIGRATIONS_FOLDER)
  return withClient(options.ownerUrl, async client => {
    await client.query(`set lock_timeout = ${Math.trunc(options.lockTimeoutMs ?? 60_000)}`)
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    await ensureAppRole(client)
    await restrictDatabase(client, client.database ?? '')
    await ensureLedger(client)
    const pending = pendingMigrations(migrations, await readLedger(client))
    for (const migration of pending) await apply(client, migration)
    return pending.map(migration => migration.name)
  })
}

/** Names of the files that are not applied yet. For a start without the owner's rights. @throws MigrationError */
export async function readPending(url: string, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  const migrations = readMigrations(folder)
  return withClient(url, async client => {
    await client.query('set role pc_app')
    const { rows } = await client.query<{ exists: boolean }>(
      "select to_regclass('migrations.applied_files') is not null as exists",
    )
    const ledger = rows[0]?.exists ? await readLedger(client) : new Map<string, string>()
    return pendingMigrations(migrations, ledger).map(migration => migration.name)
  })
}

/** All files of the folder in their order. @throws MigrationError for a wrong name or a number used twice. */
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

/** What is in the files but not in the ledger, which maps names to hashes. */
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
          '(during development, `npm run db -- reset --yes` makes the embedded database anew).',
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

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    // Row-level security binds the owner too: a migration that moves data sees all rows through the scope.
    await client.query(`begin; set local app.scope = 'all'; set local timezone = 'Asia/Tokyo'`)
    await client.query(migration.sql)
    await refuseUnprotectedTables(client)
    await client.query('insert into migrations.applied_files (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (error instanceof MigrationError) throw error
    const { message, position } = error as { message: string; position?: string }
    const line = position ? `:${migration.sql.slice(0, Number(position)).split('\n').length}` : ''
    throw new MigrationError(`${migration.name}${line}: ${message}`, { cause: error })
  }
}

/** Fails closed: a table that somebody forgot to protect would be open to every scope. */
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
