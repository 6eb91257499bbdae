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

/** More than one, since a pooler may be several processes behind one address. */
const CONNECTIONS = 4
const ROUNDS = 10
const TIMEOUT_MS = 5_000

export async function findPooling(url: string): Promise<Pooling> {
  const clients: pg.Client[] = []
  try {
    const connect = async () => {
      const client = new pg.Client({ ...connectionOptions(url), query_timeout: TIMEOUT_MS })
      client.on('error', () => {})
      clients.push(client)
      await client.connect()
      return client
    }
    const first = await connect()
    // A pooler invents the number by which a connection may be cancelled.
    if ((await backendOf(first)) === (first as unknown as { processID: number }).processID) return 'session'
    while (clients.length < CONNECTIONS) await connect()
    return await compareBackends(clients)
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})))
  }
}

/**
 * Connections that live at the same time have servers of their own, always the same ones, unless these are lent for a
 * transaction. Nothing is held meanwhile: many processes may start at once.
 */
async function compareBackends(clients: readonly pg.Client[]): Promise<Pooling> {
  const name = `probe ${randomUUID()}`
  const preparedOn = new Set<number>()
  const own = clients.map(() => new Set<number>())
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [place, client] of clients.entries()) {
        // Of one name for all: where another connection has prepared it already, a pooler has to know whose it is.
        const shared = await backendOf(client, name)
        if (round === 0 && preparedOn.has(shared)) return 'transaction'
        preparedOn.add(shared)
        // Of a name of its own: elsewhere than where it was prepared, a pooler has to prepare it again.
        const backend = await backendOf(client, `${name} ${place}`)
        if (round > 0 && !own[place]!.has(backend)) return 'transaction'
        own[place]!.add(backend)
      }
    }
    return 'session'
  } catch (error) {
    // 26000: no such statement, although it was prepared; 42P05: there is one, although it was not.
    if (/^(26000|42P05)$/.test(String((error as { code?: string }).code))) return 'transaction, forgets statements'
    throw error
  }
}

/** With a name: by a statement that the connection prepares once and then relies on. */
async function backendOf(client: pg.Client, name?: string): Promise<number> {
  const text = 'select pg_backend_pid() as pid'
  const { rows } = await client.query<{ pid: number }>(name === undefined ? text : { name, text })
  return rows[0]!.pid
}
