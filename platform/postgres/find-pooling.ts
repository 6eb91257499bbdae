import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectionOptions } from './connection-options.ts'

/**
 * What answers at an address of PostgreSQL: the server itself (or a pooler that gives each connection one of its own), or a
 * pooler in transaction mode, which may keep the statements that a connection has prepared.
 */
export type Pooling = 'session' | 'transaction' | 'transaction, forgets statements'

export const FORGETS_STATEMENTS =
  'DATABASE_URL names a pooler in transaction mode that forgets prepared statements: nothing is prepared, and questions cost more; PgBouncer 1.21 or later keeps them with max_prepared_statements = 200.'
export const MIGRATES_THROUGH_POOLER =
  'DATABASE_URL names a pooler in transaction mode, which cannot hold the lock of a migration: run `npm run db -- migrate` with a DATABASE_URL of PostgreSQL itself.'

const ATTEMPTS = 3
/** Of a pool with a single connection one statement waits for ever. */
const TIMEOUT_MS = 3_000

export async function findPooling(url: string): Promise<Pooling> {
  const one = new pg.Client({ ...connectionOptions(url), query_timeout: TIMEOUT_MS })
  one.on('error', () => {})
  await one.connect()
  try {
    // A pooler invents the number by which a connection may be cancelled.
    if ((await backendOf(one)) === (one as unknown as { processID: number }).processID) return 'session'
    // An earlier process may have left one of that name behind.
    const name = `probe ${randomUUID()}`
    const first = await backendOf(one, name)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const pooling = await besideAnother(url, () => backendOf(one, name), first)
      if (pooling !== 'session') return pooling
    }
    return 'session'
  } finally {
    await one.end().catch(() => {})
  }
}

/** Another connection holds the server's connection that answered last. */
async function besideAnother(url: string, again: () => Promise<number>, first: number): Promise<Pooling> {
  const other = new pg.Client({ ...connectionOptions(url), query_timeout: TIMEOUT_MS })
  other.on('error', () => {})
  await other.connect()
  try {
    await other.query('begin')
    await backendOf(other)
    return (await again()) === first ? 'session' : 'transaction'
  } catch (error) {
    const { code } = error as { code?: string }
    // 26000: no such statement; without a code: no answer.
    if (code === '26000' || code === undefined) return 'transaction, forgets statements'
    throw error
  } finally {
    await other.query('rollback').catch(() => {})
    await other.end().catch(() => {})
  }
}

/** With a name: by a statement that the connection prepares once and then relies on. */
async function backendOf(client: pg.Client, name?: string): Promise<number> {
  const text = 'select pg_backend_pid() as pid'
  const { rows } = await client.query<{ pid: number }>(name === undefined ? text : { name, text })
  return rows[0]!.pid
}
