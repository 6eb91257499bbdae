import path from 'node:path'
import pg from 'pg'
import { connectionOptions } from '../postgres/connection-options.ts'
import { urlOfRunningPostgres } from '../postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '../postgres/open-postgres.ts'
import type { ArchiveEntry } from './archive-entries.ts'
import { folderEntries } from './folder-entries.ts'

const CLUSTER = 'postgres/cluster'
/**
 * What PostgreSQL's manual leaves out of a base backup ("Making a Base Backup Using the Low Level API"). The
 * write-ahead log is left out too and copied last.
 */
const WITHOUT_CONTENT = ['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp']
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label|tablespace_map|.*\.old|(.*\/)?pgsql_tmp.*|pg_internal\.init.*)$/

/**
 * A consistent copy of the embedded PostgreSQL. When it is stopped: its files. While it runs: a base backup by the
 * low-level API, whose write-ahead log holds everything committed before the copy ended.
 */
export async function* clusterEntries(dataDir: string): AsyncGenerator<ArchiveEntry> {
  const url = urlOfRunningPostgres(postgresFolder(dataDir), 'postgres', 'postgres')
  if (url === undefined) {
    yield* folderEntries(dataDir, CLUSTER, relative => LEFT_OUT.test(inCluster(relative)))
    return
  }
  const client = new pg.Client(connectionOptions(url))
  client.on('error', () => {}) // the running query reports it
  await client.connect()
  try {
    // A temporary slot keeps the write-ahead log from being recycled during the copy. It ends with this connection.
    await client.query(`select pg_create_physical_replication_slot('pc_backup', true, true)`)
    await client.query(`select pg_backup_start('publisher-center', fast => true)`)
    yield* folderEntries(dataDir, CLUSTER, isLeftOutWhileRunning)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    yield { kind: 'file', path: `${CLUSTER}/backup_label`, content: once(rows[0]!.labelfile) }
    yield* folderEntries(dataDir, `${CLUSTER}/pg_wal`, relative => relative.endsWith('.partial'))
  } finally {
    await client.end()
  }
}

/**
 * Runs the work while no import runs, so that ledger and statistics store are copied in the same state. Without a
 * running server nothing can import.
 */
export async function withoutImports<T>(dataDir: string, lockKey: number, work: () => Promise<T>): Promise<T> {
  const url = urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, 'postgres')
  if (url === undefined) return work()
  const client = new pg.Client(connectionOptions(url))
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    return await work()
  } finally {
    await client.end()
  }
}

function inCluster(relative: string): string {
  return path.posix.relative(CLUSTER, relative)
}

function isLeftOutWhileRunning(relative: string): boolean {
  const inside = inCluster(relative)
  if (inside === 'pg_wal' || LEFT_OUT.test(inside)) return true
  const folder = WITHOUT_CONTENT.find(name => inside.startsWith(`${name}/`))
  return folder !== undefined
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
